#include <beadwork/table/arrow_child.hpp>
#include <beadwork/table/handle.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace beadwork::table {
namespace {

constexpr int kNoPackage = 3;  // exit code of the scripts
constexpr int kNoProgram = 127;
constexpr int kTickMs = 50;

std::string python_program() {
  const char* given = std::getenv("BEADWORK_PYTHON");
  const std::string name = given != nullptr && *given != '\0' ? given : "python3";
  return name.find('/') == std::string::npos ? name : std::filesystem::absolute(name).string();
}

// What to do with the descriptors in the child; undone on every way out.
class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  void put(int fd, int as) {
    if (fd >= 0)
      ::posix_spawn_file_actions_adddup2(&actions_, fd, as);
    else if (as <= 2)
      ::posix_spawn_file_actions_addopen(&actions_, as, "/dev/null", as == 0 ? O_RDONLY : O_WRONLY, 0);
  }
  // Nothing is taken from the folder that the data are in.
  void leave_for_root() { ::posix_spawn_file_actions_addchdir_np(&actions_, "/"); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// The environment without what would make Python look for code in a folder that has no whole name, as an empty entry of
// PYTHONPATH does. Where the user's packages are is known from the rest, and from the program's own place.
class Environment {
 public:
  Environment() {
    for (char** at = environ; *at != nullptr; ++at) {
      std::string entry = *at;
      if (entry.starts_with("PYTHON")) entry = without_here(entry);
      if (!entry.empty()) entries_.push_back(std::move(entry));
    }
    for (std::string& entry : entries_) pointers_.push_back(entry.data());
    pointers_.push_back(nullptr);
  }
  char** get() { return pointers_.data(); }

 private:
  static std::string without_here(const std::string& entry) {
    const std::size_t sign = entry.find('=');
    const std::string name = entry.substr(0, sign), value = sign == std::string::npos ? "" : entry.substr(sign + 1);
    if (name == "PYTHONNOUSERSITE" || name == "PYTHONDONTWRITEBYTECODE") return entry;
    std::string kept;
    if (name == "PYTHONPATH" || name == "PYTHONHOME" || name == "PYTHONUSERBASE")
      for (const std::string_view folder : split(value, ':'))
        if (folder.starts_with('/')) kept += (kept.empty() ? "" : ":") + std::string(folder);
    return kept.empty() ? kept : name + "=" + kept;
  }
  std::vector<std::string> entries_;
  std::vector<char*> pointers_;
};

std::string last_line(int fd) {
  constexpr off_t kMost = 4096;
  const off_t size = ::lseek(fd, 0, SEEK_END);
  std::string text(static_cast<std::size_t>(std::min(size, kMost)), '\0');
  const ssize_t n = ::pread(fd, text.data(), text.size(), size - static_cast<off_t>(text.size()));
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return printable(text.substr(text.find_last_of('\n') + 1), 300);
}

}  // namespace

Status ArrowChild::start(const char* script, const std::vector<std::string>& arguments, const Files& files) {
  stop();
  complaints_ = ::memfd_create("beadwork", MFD_CLOEXEC);
  FileActions actions;
  actions.leave_for_root();
  actions.put(files.in, 0);
  actions.put(files.out, 1);
  actions.put(complaints_, 2);
  actions.put(files.other, kOther);
  std::vector<std::string> words{python_program(), "-c", script};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Environment environment;
  const int code = ::posix_spawnp(&pid_, argv[0], actions.get(), nullptr, argv.data(), environment.get());
  if (code == 0) return Done{};
  pid_ = -1;
  errno = code;
  return refused_by_system("needs Python 3 with pyarrow; cannot run it", words[0]);
}

Status ArrowChild::wait(const std::string& name, const Control& control) {
  int status = 0;
  const Stopwatch waited;
  for (int ms = 1; pid_ >= 0; ms = std::min(2 * ms, kTickMs)) {
    const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == pid_) pid_ = -1;
    if (ended == 0 && (control.stopping() || waited.seconds() > control.patience)) {
      stop();
      return Error{ErrorCode::limit, "stopped while waiting for pyarrow", name};
    }
    if (ended < 0 && errno != EINTR) return refused_by_system("cannot wait for pyarrow", name);
    if (ended == 0) ::poll(nullptr, 0, ms);
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::string why = complaints_ < 0 ? "" : last_line(complaints_);
  stop();
  if (code == 0) return Done{};
  if (code == kNoPackage || code == kNoProgram)
    return input_error(fmt::format("Parquet and Arrow files need the Python package pyarrow: pip install pyarrow "
                                   "(asked {}; BEADWORK_PYTHON names another Python)",
                                   python_program()),
                       name);
  if (code < 0) why = fmt::format("it was ended by signal {}", WTERMSIG(status));
  if (why.empty()) return silent(name, code);
  return input_error("pyarrow: " + why, name);
}

Error ArrowChild::silent(const std::string& name, int code) {
  return input_error(
      fmt::format("cannot be read: {}, which should be Python 3 with pyarrow, ended with exit code {} and "
                  "without a word (BEADWORK_PYTHON names another Python)",
                  printable(python_program(), 80), code),
      name);
}

void ArrowChild::stop() {
  if (pid_ >= 0) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  if (complaints_ >= 0) ::close(std::exchange(complaints_, -1));
}

}  // namespace beadwork::table
