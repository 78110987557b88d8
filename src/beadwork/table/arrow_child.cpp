#include <beadwork/table/arrow_child.hpp>
#include <beadwork/table/handle.hpp>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace beadwork::table {
namespace {

constexpr int kNoPackage = 3;  // exit code of the scripts
constexpr int kNoProgram = 127;

std::string python_program() {
  const char* given = std::getenv("BEADWORK_PYTHON");
  return given != nullptr && *given != '\0' ? given : "python3";
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
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
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
  actions.put(files.in, 0);
  actions.put(files.out, 1);
  actions.put(complaints_, 2);
  actions.put(files.other, kOther);
  std::vector<std::string> words{python_program(), "-c", script};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int code = ::posix_spawnp(&pid_, argv[0], actions.get(), nullptr, argv.data(), environ);
  if (code == 0) return Done{};
  pid_ = -1;
  errno = code;
  return refused_by_system("needs Python 3 with pyarrow; cannot run it", words[0]);
}

Status ArrowChild::wait(const std::string& name) {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
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
