#include <beadwork/table.hpp>
#include <beadwork/table/arrow_child.hpp>
#include <beadwork/table/handle.hpp>

#include <algorithm>
#include <array>
#include <poll.h>
#include <sys/socket.h>

namespace beadwork {
namespace {

// Those that pyarrow makes of a text; others stay text.
std::string type_to_write(const std::string& type) {
  static constexpr std::array<std::string_view, 18> kKnown{
      "int8",         "int16",         "int32",         "int64",         "uint8",        "uint16",
      "uint32",       "uint64",        "float",         "double",        "string",       "bool",
      "timestamp[s]", "timestamp[ms]", "timestamp[us]", "timestamp[ns]", "large_string", "halffloat"};
  const bool date = type == "date32[day]";
  if (date) return "date32";
  return std::find(kKnown.begin(), kKnown.end(), type) == kKnown.end() ? "string" : type;
}

}  // namespace

struct TableWriter::State {
  std::string path;
  FileWriter file;
  std::unique_ptr<Packer> packer;
  // Of a file for pyarrow: the child, and the socket that it reads from.
  table::ArrowChild child;
  table::Handle to;

  Status send(std::string_view text, const Control& control) {
    constexpr int kTickMs = 50;
    while (!text.empty()) {
      if (control.stopping()) return Error{ErrorCode::limit, "stopped while writing it", path};
      const ssize_t n = ::send(to.fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        pollfd ready{to.fd, POLLOUT, 0};
        ::poll(&ready, 1, kTickMs);
        continue;
      }
      if (n < 0) {  // it left: it says why
        to.close();
        TRY_DONE(child.wait(path, control));
        return input_error("pyarrow ended too early", path);
      }
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return Done{};
  }

  Status start(const std::map<std::string, std::string>& types) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return table::refused_by_system("cannot write", path);
    to.fd = ends[0];
    const table::Handle its(ends[1]);
    std::vector<std::string> words{path.ends_with(".parquet") ? "parquet" : "arrow"};
    for (const auto& [name, type] : types) {
      words.push_back(name);
      words.push_back(type_to_write(type));
    }
    return child.start(table::kWriteArrow, words, {its.fd, file.descriptor(), -1});
  }
};

bool TableWriter::typed(const std::string& path) {
  return path.ends_with(".parquet") || path.ends_with(".arrow") || path.ends_with(".feather");
}

TableWriter::TableWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
TableWriter::TableWriter(TableWriter&&) noexcept = default;
TableWriter& TableWriter::operator=(TableWriter&&) noexcept = default;
TableWriter::~TableWriter() = default;

Result<TableWriter> TableWriter::create(const std::string& path, const std::map<std::string, std::string>& types) {
  TRY(auto packer, packer_for(path));
  TRY(auto file, FileWriter::create(path));
  std::unique_ptr<State> state(new State{path, std::move(file), std::move(packer), {}, {}});
  if (typed(path)) TRY_DONE(state->start(types));
  return TableWriter(std::move(state));
}

Status TableWriter::write(std::string_view text, const Control& control) {
  if (typed(state_->path)) return state_->send(text, control);
  state_->file.write(state_->packer->pack(text));
  return Done{};
}

Status TableWriter::finish(const Control& control) {
  if (typed(state_->path)) {
    if (!state_->to.close()) return table::refused_by_system("cannot write", state_->path);
    TRY_DONE(state_->child.wait(state_->path, control));
  } else {
    state_->file.write(state_->packer->finish());
  }
  return state_->file.finish(control);
}

}  // namespace beadwork
