#include <beadwork/sat.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace beadwork {

namespace {

class TemporaryFile {
 public:
  static Result<TemporaryFile> make(std::string_view text, std::string_view suffix) {
    const char* folder = std::getenv("TMPDIR");
    TemporaryFile f;
    f.path_ = fmt::format("{}/beadwork-XXXXXX{}", folder != nullptr && *folder != 0 ? folder : "/tmp", suffix);
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

// A pipe that programs which we start do not inherit; closed at the end.
struct Pipe {
  int reading = -1, writing = -1;
  Pipe() {
    int ends[2];
    if (pipe(ends) != 0) return;
    for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
    reading = ends[0], writing = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    if (reading >= 0) close(reading);
    close_writing();
  }
  void close_writing() {
    if (writing >= 0) close(std::exchange(writing, -1));
  }
};

// Starts a program with these descriptors as input and output (-1: /dev/null) and no error stream, in a process group
// or, with group 0, in a new one. A program that is shielded does not notice SIGTERM and its like.
Result<pid_t> spawn(std::vector<std::string> words, int input, int output, pid_t group, bool shielded) {
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  for (const auto& [from, to] : {std::pair{input, 0}, std::pair{output, 1}}) {
    if (from < 0)
      posix_spawn_file_actions_addopen(&actions, to, "/dev/null", O_RDWR, 0);
    else
      posix_spawn_file_actions_adddup2(&actions, from, to);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, group);
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) sigaddset(&blocked, number);
  if (shielded) posix_spawnattr_setsigmask(&attributes, &blocked);
  posix_spawnattr_setflags(&attributes,
                           static_cast<short>(POSIX_SPAWN_SETPGROUP | (shielded ? POSIX_SPAWN_SETSIGMASK : 0)));
  pid_t pid = 0;
  const int fault = posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (fault == 0) return pid;
  return input_error(fmt::format("cannot run '{}': {}", printable(words[0]), std::strerror(fault)));
}

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// A solver and its guard. The guard is a shell that leads their process group and reads from a pipe whose other end we
// alone hold. Whatever ends us, SIGKILL too, closes the pipe; the guard then removes the files and ends the whole
// group. It stays unreaped until the end, so that the number of the group stays theirs.
class Child {
 public:
  static Result<std::unique_ptr<Child>> start(const std::vector<std::string>& words,
                                              const std::vector<std::string>& files) {
    static std::mutex one_at_a_time;  // a solver that started between pipe and fcntl would inherit the pipe
    const std::lock_guard lock(one_at_a_time);
    std::unique_ptr<Child> child(new Child);
    if (child->output_.reading < 0 || child->lifeline_.reading < 0)
      return input_error(fmt::format("no pipe: {}", std::strerror(errno)));
    std::vector<std::string> guarding{"/bin/sh", "-c", "read x; rm -f -- \"$@\"; kill -9 0", "guard"};
    guarding.insert(guarding.end(), files.begin(), files.end());
    const auto guard = spawn(std::move(guarding), child->lifeline_.reading, -1, 0, true);
    if (!guard) return guard.error();
    child->guard_ = *guard;
    TRY(const auto solver, spawn(words, -1, child->output_.writing, *guard, false));
    child->solver_ = solver;
    child->output_.close_writing();
    return child;
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (guard_ == 0) return;
    signal(SIGKILL);  // with whatever the solver may have left running
    if (solver_ != 0) wait_for(solver_);
    wait_for(guard_);
  }
  int output() const { return output_.reading; }
  void signal(int number) const { kill(-guard_, number); }
  // Its status, once it has ended.
  std::optional<int> ended() {
    int status = 0;
    const pid_t pid = waitpid(solver_, &status, WNOHANG);
    if (pid == 0 || (pid < 0 && errno == EINTR)) return std::nullopt;
    solver_ = 0;
    return status;
  }

 private:
  Child() = default;
  Pipe output_, lifeline_;
  pid_t guard_ = 0, solver_ = 0;
};

// Reads lines until the program closes its output, or has ended and nothing more comes: what it left running may hold
// the output open. Asks it to end when the control says so, then makes it.
class Conversation {
 public:
  Conversation(Child& child, const Control& control, const std::function<void(std::string_view)>& on_line, double grace)
      : child_(child), control_(control), on_line_(on_line), grace_(grace) {}

  SolverRun finish() {
    while (read_some()) enforce();
    if (!pending_.empty()) on_line_(pending_);
    while (!has_ended()) {
      enforce();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (WIFEXITED(*status_)) run_.exit_code = WEXITSTATUS(*status_);
    if (WIFSIGNALED(*status_)) run_.signal = WTERMSIG(*status_);
    return run_;
  }

 private:
  static constexpr std::size_t kLongestLine = std::size_t{1} << 30;

  bool has_ended() {
    if (!status_) status_ = child_.ended();
    return status_.has_value();
  }

  bool read_some() {
    const bool ended = has_ended();  // asked first: what it wrote before it ended is there to be read
    pollfd p{child_.output(), POLLIN, 0};
    const int ready = poll(&p, 1, 20);
    if (ready < 0 && errno == EINTR) return true;
    if (ready <= 0) return !killed_ && !ended;
    char buffer[1 << 16];
    const ssize_t n = read(child_.output(), buffer, sizeof buffer);
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
      child_.signal(SIGTERM);
      until_kill_ = Deadline::in(grace_);
    } else if (run_.stopped_by != Stop::none && !killed_ && until_kill_.passed()) {
      child_.signal(SIGKILL);
      killed_ = true;
    }
  }

  Child& child_;
  const Control& control_;
  const std::function<void(std::string_view)>& on_line_;
  double grace_;
  std::string pending_;
  std::optional<int> status_;
  SolverRun run_;
  Deadline until_kill_;
  bool killed_ = false;
};

}  // namespace

namespace {

// minisat answers in a file: its last argument, if it is there.
bool answers_in_file(const std::vector<std::string>& words) {
  const std::string_view program = words[0];
  return program.substr(program.rfind('/') + 1).starts_with("minisat");
}

// What the program wrote to its file, line by line.
Status hand_over(const std::string& path, const std::function<void(std::string_view)>& on_line) {
  TRY(const auto text, read_file(path));
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    on_line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return Done{};
}

}  // namespace

Result<SolverRun> run_solver(std::string_view command, std::string_view text, std::string_view suffix,
                             const Control& control, const std::function<void(std::string_view)>& on_line,
                             double grace) {
  TRY(auto words, split_command(command));
  TRY(const auto file, TemporaryFile::make(text, suffix));
  std::vector<std::string> files{file.path()};
  const auto place = std::find(words.begin(), words.end(), "{}");
  if (place == words.end())
    words.insert(std::find(words.begin(), words.end(), "{out}"), file.path());
  else
    *place = file.path();
  if (answers_in_file(words) && std::find(words.begin(), words.end(), "{out}") == words.end())
    words.emplace_back("{out}");
  std::optional<TemporaryFile> answer;
  if (const auto out = std::find(words.begin(), words.end(), "{out}"); out != words.end()) {
    TRY(auto made, TemporaryFile::make("", ".answer"));
    answer.emplace(std::move(made));
    *out = answer->path();
    files.push_back(answer->path());
  }
  TRY(const auto child, Child::start(words, files));
  const SolverRun run = Conversation(*child, control, on_line, grace).finish();
  if (answer) TRY_DONE(hand_over(answer->path(), on_line));
  return run;
}

}  // namespace beadwork
