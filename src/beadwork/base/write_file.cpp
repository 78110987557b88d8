#include <beadwork/base.hpp>
#include <beadwork/base/descriptor.hpp>

#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace beadwork {
namespace {

Error no_writing(const std::string& path) {
  return system_error("cannot write", path);
}

// A name in the folder that nobody has, as `make(name)` finds out: it fails with EEXIST where the name is taken.
template <class Make>
std::string unused_name(const std::string& folder, Make&& make) {
  constexpr int kMostTries = 1000;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  for (int i = 0; i < kMostTries; ++i) {
    std::string name = fmt::format("{}/.beadwork-{}-{:x}-{}", folder, ::getpid(), now, i);
    if (make(name)) return name;
    if (errno != EEXIST) break;
  }
  return {};
}

}  // namespace

// A file in the folder of its later self: without a name until it is whole, where the file system can do that, so that
// even SIGKILL leaves nothing behind; else under a name of its own, which goes with it.
class Temporary {
 public:
  Temporary(const std::string& folder, bool nameless) : folder_(folder), file_(-1) {
    if (nameless) {
      file_.fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
      return;
    }
    name_ = unused_name(folder, [this](const std::string& name) {
      file_.fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      return file_.fd >= 0;
    });
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    const int reason = errno;
    if (!name_.empty()) ::unlink(name_.c_str());
    errno = reason;
  }

  int fd() const { return file_.fd; }

  // Gives it its name, in place of what had it.
  bool publish(const std::string& path) {
    const std::string self = fmt::format("/proc/self/fd/{}", file_.fd);
    const auto link = [&self](const std::string& name) {
      return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (name_.empty()) {
      if (link(path)) return file_.close() == 0;
      if (errno == EEXIST) name_ = unused_name(folder_, link);
      if (name_.empty()) return false;
    }
    if (file_.close() != 0 || ::rename(name_.c_str(), path.c_str()) != 0) return false;
    name_.clear();
    return true;
  }

 private:
  std::string folder_;
  std::string name_;
  Descriptor file_;
};

namespace {

// Why a file without a name could not be made, if it was for want of such files.
bool not_supported() {
  return errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOSYS;
}

// As open to others, and as much somebody else's, as the file that it replaces.
bool take_after(int fd, const std::string& path) {
  struct stat old {};
  struct stat mine {};
  if (::stat(path.c_str(), &old) != 0) return true;
  if (::fstat(fd, &mine) != 0) return false;
  if (old.st_uid != mine.st_uid || old.st_gid != mine.st_gid)
    if (::fchown(fd, old.st_uid, old.st_gid) != 0) errno = 0;  // only root can: let it be ours
  return ::fchmod(fd, old.st_mode & 0777) == 0;
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Gives a file that is complete its name.
bool publish(Temporary& file, const std::string& target) {
  if (!take_after(file.fd(), target) || ::fsync(file.fd()) != 0 || !file.publish(target)) return false;
  const Descriptor d(::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (d.fd >= 0) ::fsync(d.fd);  // best effort: the data itself is safe already
  return true;
}

bool replace(const std::string& target, std::string_view content, bool nameless) {
  Temporary file(folder_of(target), nameless);
  return file.fd() >= 0 && write_all(file.fd(), content) && publish(file, target);
}

constexpr int kTick = 50;  // ms

// Waits for readers, but not much longer than its caller wants to live. Ask once a tick.
class Patience {
 public:
  explicit Patience(const Control& control) : control_(control) {}
  bool over() { return control_.stopping() && --ticks_left_ < 0; }

 private:
  const Control& control_;
  int ticks_left_ = 20;  // what is there when the end comes may still be read
};

Status write_in_place(const std::string& path, std::string_view content, const Control& control) {
  const Error nobody{ErrorCode::input, "stopped while waiting for a reader", path};
  struct stat info {};
  const bool pipe = ::stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
  Patience patience(control);
  Descriptor d(-1);
  while ((d.fd = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) < 0) {
    if (errno != ENXIO || !pipe) return no_writing(path);
    if (patience.over()) return nobody;
    ::poll(nullptr, 0, kTick);
  }
  while (!content.empty()) {
    const ssize_t n = ::write(d.fd, content.data(), content.size());
    if (n > 0) content.remove_prefix(static_cast<std::size_t>(n));
    if (n >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return no_writing(path);
    if (patience.over()) return nobody;
    pollfd p{d.fd, POLLOUT, 0};
    ::poll(&p, 1, kTick);
  }
  if (d.close() != 0) return no_writing(path);
  return Done{};
}

}  // namespace

Status write_file(const std::string& path, std::string_view content, const Control& control) {
  if (special_file(path)) return write_in_place(path, content, control);
  TRY(const auto target, follow_links(path));
  // A second try under a name: where files cannot do without one, or there is no /proc to give it one.
  if (replace(target, content, true)) return Done{};
  if ((not_supported() || errno == ENOENT || errno == EPERM) && replace(target, content, false)) return Done{};
  return no_writing(path);
}

struct FileWriter::State {
  std::string path, target;
  bool special = false;
  Temporary file;
  int reason = 0;  // why it failed, if it did

  void write(std::string_view text, bool good) {
    if (reason == 0 && !(good && write_all(file.fd(), text))) reason = errno;
  }
};

FileWriter::FileWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter& FileWriter::operator=(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

Result<FileWriter> FileWriter::create(const std::string& path) {
  TRY_DONE(can_write(path));
  const bool special = special_file(path);
  TRY(const auto target, follow_links(path));
  std::error_code unknown;
  const std::string folder = special ? std::filesystem::temp_directory_path(unknown).string() : folder_of(target);
  for (const bool nameless : {true, false}) {
    std::unique_ptr<State> state(new State{path, target, special, Temporary(folder, nameless)});
    if (state->file.fd() >= 0) return FileWriter(std::move(state));
    if (!not_supported()) break;
  }
  return no_writing(path);
}

void FileWriter::write(std::string_view text) {
  state_->write(text, true);
}

void FileWriter::write_first(std::string_view text) {
  const int fd = state_->file.fd();
  state_->write(text, ::lseek(fd, 0, SEEK_SET) == 0);
  if (::lseek(fd, 0, SEEK_END) < 0 && state_->reason == 0) state_->reason = errno;
}

int FileWriter::descriptor() const {
  return state_->file.fd();
}

Status FileWriter::finish(const Control& control) {
  State& s = *state_;
  errno = s.reason;
  if (s.reason != 0) return no_writing(s.path);
  if (!s.special) return publish(s.file, s.target) ? Status(Done{}) : no_writing(s.path);
  struct stat info {};
  if (::fstat(s.file.fd(), &info) != 0) return no_writing(s.path);
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return write_in_place(s.path, {}, control);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, s.file.fd(), 0);  // nobody else can cut it short
  if (data == MAP_FAILED) return no_writing(s.path);
  const Status done = write_in_place(s.path, {static_cast<const char*>(data), size}, control);
  ::munmap(data, size);
  return done;
}

Status can_write(const std::string& path) {
  if (path.empty()) return input_error("a file needs a name");
  struct stat info {};
  const bool there = ::stat(path.c_str(), &info) == 0;
  if (there && S_ISDIR(info.st_mode)) return input_error("is a directory", path);
  if (there && ::access(path.c_str(), W_OK) != 0) return no_writing(path);
  if (special_file(path)) return Done{};
  TRY(const auto target, follow_links(path));
  const std::string folder = folder_of(target);
  if (const Temporary probe(folder, true); probe.fd() >= 0) return Done{};
  if (!not_supported()) return no_writing(path);
  if (const Temporary probe(folder, false); probe.fd() >= 0) return Done{};
  return no_writing(path);
}

}  // namespace beadwork
