#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <beadwork/sat.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace beadwork {

namespace {

class TemporaryFile {
 public:
  static Result<TemporaryFile> make(std::string_view text, std::string_view suffix) {
    const char* folder = std::getenv("TMPDIR");
    TemporaryFile f;
    f.path_ =
        fmt::format("{}/beadwork-XXXXXX{}", folder != nullptr && *folder != 0 ? folder : "/tmp", suffix);
    const int descriptor = mkstemps(f.path_.data(), static_cast<int>(suffix.size()));
    if (descriptor < 0) return fault(std::exchange(f.path_, {}));
    const bool written = write_all(descriptor, text);
    if (close(descriptor) != 0 || !written) return fault(f.path_);
    return f;
  }
  TemporaryFile(TemporaryFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  TemporaryFile() = default;
  static Error fault(const std::string& path) {
    return input_error(fmt::format("cannot write a temporary file: {}", std::strerror(errno)), path);
  }
  static bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = write(descriptor, text.data(), text.size());
      if (n < 0 && errno != EINTR) return false;
      if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  std::string path_;
};

struct Child {
  pid_t pid = 0;
  int output = -1;  // the reading end of its standard output
};

// In a process group of its own, so that what it starts can be ended with it; no input, and no error stream.
Result<Child> start(std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return input_error(fmt::format("no pipe: {}", std::strerror(errno)));
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  Child child;
  const int fault = posix_spawnp(&child.pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  child.output = ends[0];
  if (fault == 0) return child;
  close(ends[0]);
  return input_error(fmt::format("cannot run '{}': {}", printable(words[0]), std::strerror(fault)));
}

// Reads lines until the program closes its output; asks it to end when the control says so, then makes it.
class Conversation {
 public:
  Conversation(Child child, const Control& control, const std::function<void(std::string_view)>& on_line,
               double grace)
      : child_(child), control_(control), on_line_(on_line), grace_(grace) {}

  SolverRun finish() {
    while (read_some()) enforce();
    if (!pending_.empty()) on_line_(pending_);
    close(child_.output);
    int status = 0;
    while (waitpid(child_.pid, &status, WNOHANG) == 0) {
      enforce();
      usleep(2000);
    }
    kill(-child_.pid, SIGKILL);  // what it may have left running
    if (WIFEXITED(status)) run_.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) run_.signal = WTERMSIG(status);
    return run_;
  }

 private:
  static constexpr std::size_t kLongestLine = std::size_t{1} << 30;

  bool read_some() {
    pollfd p{child_.output, POLLIN, 0};
    if (poll(&p, 1, 20) <= 0) return !killed_;
    char buffer[1 << 16];
    const ssize_t n = read(child_.output, buffer, sizeof buffer);
    if (n < 0) return errno == EINTR;
    if (n == 0) return false;
    split({buffer, static_cast<std::size_t>(n)});
    return true;
  }

  void split(std::string_view text) {
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      pending_ += text.substr(0, end);
      on_line_(pending_);
      pending_.clear();
      text.remove_prefix(end + 1);
    }
    if (pending_.size() < kLongestLine) pending_ += text;
  }

  void enforce() {
    if (run_.stopped_by == Stop::none && control_.stopping()) {
      run_.stopped_by = control_.interrupted() ? Stop::interrupt : Stop::deadline;
      kill(-child_.pid, SIGTERM);
      until_kill_ = Deadline::in(grace_);
    } else if (run_.stopped_by != Stop::none && !killed_ && until_kill_.passed()) {
      kill(-child_.pid, SIGKILL);
      killed_ = true;
    }
  }

  Child child_;
  const Control& control_;
  const std::function<void(std::string_view)>& on_line_;
  double grace_;
  std::string pending_;
  SolverRun run_;
  Deadline until_kill_;
  bool killed_ = false;
};

}  // namespace

Result<SolverRun> run_solver(std::string_view command, std::string_view text, std::string_view suffix,
                             const Control& control, const std::function<void(std::string_view)>& on_line,
                             double grace) {
  auto words = split_command(command);
  if (!words) return words.error();
  const auto file = TemporaryFile::make(text, suffix);
  if (!file) return file.error();
  const auto place = std::find(words->begin(), words->end(), "{}");
  if (place == words->end())
    words->push_back(file->path());
  else
    *place = file->path();
  const auto child = start(*words);
  if (!child) return child.error();
  return Conversation(*child, control, on_line, grace).finish();
}

}  // namespace beadwork
