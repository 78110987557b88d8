#include <beadwork/table/arrow.hpp>
#include <beadwork/table/arrow_child.hpp>
#include <beadwork/table/csv.hpp>
#include <beadwork/table/decode.hpp>
#include <beadwork/table/handle.hpp>

#include <algorithm>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace beadwork::table {
namespace {

constexpr std::size_t kMagic = 8;  // bytes at the start that tell what a file is

// What the child writes. The file, or the text in memory, stays open meanwhile.
class ArrowStream final : public ByteStream {
 public:
  ArrowStream(int fd, std::string name, ArrowKind kind) : file_(fd), name_(std::move(name)), kind_(kind) {
    ::fstat(fd, &start_);
  }

  Result<std::size_t> read(char* to, std::size_t most, const Control& control) override {
    constexpr int kTickMs = 100;
    if (out_.fd < 0 && !ended_) TRY_DONE(run());
    const Stopwatch waited;
    while (!ended_) {
      if (control.stopping() || waited.seconds() > control.patience)
        return Error{ErrorCode::limit, "stopped while reading it", name_};
      pollfd p{out_.fd, POLLIN, 0};
      if (::poll(&p, 1, kTickMs) <= 0) continue;
      const ssize_t n = ::read(out_.fd, to, most);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return refused_by_system("cannot read", name_);
      if (n > 0) {
        empty_ = false;
        return static_cast<std::size_t>(n);
      }
      ended_ = true;
      TRY_DONE(child_.wait(name_, control));
      if (empty_) return child_.silent(name_, 0);
    }
    return std::size_t{0};
  }
  Status rewind() override {
    child_.stop();
    if (out_.fd >= 0) out_.close();
    ended_ = false;
    return Done{};
  }
  Status unchanged() override {
    struct stat now {};
    const bool same = ::fstat(file_.fd, &now) == 0 && now.st_size == start_.st_size &&
                      now.st_mtim.tv_sec == start_.st_mtim.tv_sec && now.st_mtim.tv_nsec == start_.st_mtim.tv_nsec;
    return same ? Status(Done{}) : input_error("changed while it was read", name_);
  }

 private:
  Status run() {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return refused_by_system("cannot read", name_);
    out_.fd = ends[0];
    const Handle its(ends[1]);
    const std::string path = fmt::format("/proc/self/fd/{}", ArrowChild::kOther);
    auto ok =
        child_.start(kReadArrow, {kind_ == ArrowKind::parquet ? "parquet" : "arrow", path}, {-1, its.fd, file_.fd});
    if (!ok) out_.close();  // whoever asks again is told again
    return ok;
  }

  Handle file_;
  std::string name_;
  ArrowKind kind_;
  struct stat start_ {};
  Handle out_;
  ArrowChild child_;
  bool ended_ = false;
  bool empty_ = true;
};

bool put(const Handle& memory, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(memory.fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

ArrowKind arrow_kind(std::string_view start) {
  using namespace std::string_view_literals;
  // A column may be named PAR1: in a Parquet file that goes on, the bytes after it are no text.
  constexpr std::size_t kName = 4;
  const auto is_binary = [](char c) {
    return static_cast<unsigned char>(c) < ' ' && "\t\n\r"sv.find(c) == "\t\n\r"sv.npos;
  };
  const bool parquet = (start.starts_with("PAR1") || start.starts_with("PARE")) &&
                       (start.size() == kName || std::any_of(start.begin() + kName, start.end(), is_binary));
  if (parquet) return ArrowKind::parquet;
  const bool arrow = start.starts_with("ARROW1\0\0"sv) || start.starts_with("\xFF\xFF\xFF\xFF"sv);
  return arrow ? ArrowKind::arrow : ArrowKind::none;
}

ArrowKind arrow_kind_of(const std::string& path) {
  const Handle d(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string start(kMagic, '\0');
  const ssize_t n = d.fd < 0 ? 0 : ::pread(d.fd, start.data(), start.size(), 0);
  return arrow_kind(std::string_view(start).substr(0, n < 0 ? 0 : static_cast<std::size_t>(n)));
}

Result<std::unique_ptr<ByteStream>> arrow_stream(const std::string& path, ArrowKind kind) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return refused_by_system("cannot open", path);
  return std::unique_ptr<ByteStream>(std::make_unique<ArrowStream>(fd, path, kind));
}

Result<std::unique_ptr<ByteStream>> arrow_stream(std::string_view text, const std::string& name, ArrowKind kind) {
  Handle memory(::memfd_create("beadwork", MFD_CLOEXEC));
  if (memory.fd < 0 || !put(memory, text)) return refused_by_system("cannot read", name);
  return std::unique_ptr<ByteStream>(std::make_unique<ArrowStream>(std::exchange(memory.fd, -1), name, kind));
}

Result<TableBytes> open_bytes(const std::string& path, const std::string& encoding, const Control& control) {
  const ArrowKind kind = arrow_kind_of(path);
  TRY(auto stream, kind == ArrowKind::none ? open_stream(path) : arrow_stream(path, kind));
  if (kind == ArrowKind::none) return bytes_of(std::move(stream), path, encoding, control);
  return TableBytes{std::move(stream), true};
}

Result<TableBytes> bytes_of(std::unique_ptr<ByteStream> stream, const std::string& name, const std::string& encoding,
                            const Control& control) {
  constexpr std::size_t kBlock = std::size_t{1} << 18;
  TRY(auto peeked, peek(std::move(stream), kMagic, control));
  const ArrowKind kind = arrow_kind(peeked.start);
  if (kind == ArrowKind::none) {
    TRY(const auto known, encoding_of(encoding, peeked.start));
    return TableBytes{decoded(std::move(peeked.whole), known, name), false, words(known)};
  }
  Handle memory(::memfd_create("beadwork", MFD_CLOEXEC));
  if (memory.fd < 0) return refused_by_system("cannot read", name);
  for (std::string block(kBlock, '\0');;) {
    TRY(const auto n, peeked.whole->read(block.data(), block.size(), control));
    if (n == 0) break;
    if (!put(memory, std::string_view(block).substr(0, n))) return refused_by_system("cannot read", name);
  }
  TRY_DONE(peeked.whole->unchanged());
  return TableBytes{std::make_unique<ArrowStream>(std::exchange(memory.fd, -1), name, kind), true};
}

// A word a line, its line breaks and backslashes behind a backslash.
static std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  if (!text.empty()) words.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      words.emplace_back();
    } else {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      words.back() += text[i];
    }
  }
  return words;
}

Result<OpenTable> open_arrow(const Source& source, std::vector<std::string>& notes) {
  auto reader = std::make_unique<CsvReader>(source, ',');
  Row rows[4];  // names, kinds, types, orders
  for (Row& row : rows) {
    const auto got = reader->next(row);
    source.reach(reader->offset());
    if (!got) return got.error();
    if (!*got || row.fields.empty()) return source.refuse("a table without columns");
  }
  OpenTable open{TableFormat::csv, {}, "the file has", nullptr};
  open.by_row = true;
  std::string scratch;
  for (std::size_t i = 0; i < rows[0].fields.size(); ++i) {
    Heading heading{std::string(value(rows[0].fields[i], scratch))};
    const std::string_view kind = rows[1].fields[i].raw;
    heading.declared = kind == "text" ? Declared::text : Declared::nothing;
    heading.sure = kind == "number" || kind == "whole";
    heading.order = words_in(value(rows[3].fields[i], scratch));
    const std::string type(value(rows[2].fields[i], scratch));
    if (kind == "other") {
      heading.left_out = "its type is " + printable(type, 80);
      notes.push_back(fmt::format("column '{}' left out: {}", printable(heading.name, 40), heading.left_out));
    }
    open.types.emplace(heading.name, type);
    open.headings.push_back(std::move(heading));
  }
  if (auto ok = check_names(source, open.headings); !ok) return input_error(ok.error().message, source.name());
  reader->start_here();
  open.rows = std::move(reader);
  return open;
}

}  // namespace beadwork::table
