#include "beadwork/formula/clause_text.hpp"
#include <beadwork/formula.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace beadwork {

struct DimacsFile::State {
  std::string path, temporary;
  bool special = false;  // a device or pipe: written to as it is, from a temporary file elsewhere
  Kind kind = Kind::cnf;
  std::FILE* file = nullptr;
  std::string buffer;
  std::size_t vars = 0, clauses = 0;
  Weight total = 0;
  bool failed = false;

  void flush() {
    failed = failed || std::fwrite(buffer.data(), 1, buffer.size(), file) != buffer.size();
    buffer.clear();
  }
  void clause(Clause c) {
    for (const Lit l : c) vars = std::max(vars, l.var()() + 1);
    append_clause(buffer, c);
    ++clauses;
    if (buffer.size() > (1U << 16)) flush();
  }
  void header() { buffer += fmt::format("p cnf {:<10} {:<20}\n", vars, clauses); }
};

DimacsFile::DimacsFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
DimacsFile::DimacsFile(DimacsFile&&) noexcept = default;
DimacsFile& DimacsFile::operator=(DimacsFile&&) noexcept = default;

DimacsFile::~DimacsFile() {
  if (!state_ || state_->file == nullptr) return;
  std::fclose(state_->file);
  std::remove(state_->temporary.c_str());
}

// The permissions of the file that is there, or those of a new one.
static mode_t mode_of(const std::string& path) {
  struct stat old {};
  if (stat(path.c_str(), &old) == 0) return old.st_mode & 0777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

Result<DimacsFile> DimacsFile::create(const std::string& path, Kind kind) {
  auto state = std::make_unique<State>();
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  if (std::filesystem::is_directory(status)) return input_error("cannot write: it is a directory", path);
  state->special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  const auto target = follow_links(path);
  if (!target) return target.error();
  state->path = state->special ? path : *target;
  state->kind = kind;
  const auto folder =
      state->special ? std::filesystem::temp_directory_path(unknown) : std::filesystem::path(state->path).parent_path();
  state->temporary = (folder / ".beadwork-XXXXXX").string();
  const int descriptor = mkstemp(state->temporary.data());
  if (descriptor >= 0) state->file = fdopen(descriptor, "w+");
  if (state->file == nullptr) return input_error(fmt::format("cannot write: {}", std::strerror(errno)), path);
  fchmod(descriptor, mode_of(state->path));
  if (kind == Kind::cnf) state->header();
  return DimacsFile(std::move(state));
}

Var DimacsFile::fresh_var() {
  require(state_->vars < kMaxVars, "DimacsFile: too many variables");
  return Var(state_->vars++);
}

Var DimacsFile::fresh_var(const std::string& name) {
  const Var v = fresh_var();
  append_name(state_->buffer, v, name);
  return v;
}

void DimacsFile::comment(std::string_view text) {
  state_->buffer += "c " + printable(text, 1000) + "\n";
}

void DimacsFile::add_clause(Clause clause) {
  if (state_->kind == Kind::wcnf) state_->buffer += "h ";
  state_->clause(clause);
}

void DimacsFile::add_soft(Clause clause, Weight weight) {
  require(state_->kind == Kind::wcnf, "DimacsFile: a CNF has no soft clauses");
  require(weight >= 1 && weight <= kMaxWeight - state_->total, "DimacsFile: weights are at least 1, their sum < 2^63");
  state_->total += weight;
  state_->buffer += fmt::format("{} ", weight);
  state_->clause(clause);
}

// Everything in a stream, to a device or pipe.
static bool copy_to(std::FILE* from, const std::string& path) {
  std::FILE* to = std::fopen(path.c_str(), "w");
  if (to == nullptr) return false;
  std::rewind(from);
  char block[1 << 16];
  bool good = true;
  for (std::size_t n = 0; good && (n = std::fread(block, 1, sizeof block, from)) > 0;)
    good = std::fwrite(block, 1, n, to) == n;
  return std::fclose(to) == 0 && good;
}

Status DimacsFile::finish() {
  State& s = *state_;
  s.flush();
  if (s.kind == Kind::cnf) {
    std::rewind(s.file);
    s.header();
    s.flush();
  }
  s.failed = s.failed || std::fflush(s.file) != 0 || fsync(fileno(s.file)) != 0;
  if (s.special) s.failed = s.failed || !copy_to(s.file, s.path);
  const int reason = errno;
  s.failed = std::fclose(s.file) != 0 || s.failed;
  s.file = nullptr;
  if (s.special) {
    std::remove(s.temporary.c_str());
    if (!s.failed) return Done{};
    return input_error(fmt::format("cannot write: {}", std::strerror(reason)), s.path);
  }
  if (!s.failed && std::rename(s.temporary.c_str(), s.path.c_str()) == 0) return Done{};
  const Error error = input_error(fmt::format("cannot write: {}", std::strerror(errno)), s.path);
  std::remove(s.temporary.c_str());
  return error;
}

}  // namespace beadwork
