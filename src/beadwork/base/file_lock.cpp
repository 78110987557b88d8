#include <beadwork/base.hpp>
#include <beadwork/base/descriptor.hpp>

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <utility>

namespace beadwork {
namespace {

constexpr std::string_view kEnding = ".beadwork-lock", kText = "lock of a run of beadwork\n";

bool still_there(int fd, const std::string& name) {
  struct stat mine {};
  struct stat now {};
  for (int tries = 0; tries < 3; ++tries) {  // a disk that fails once has not lost the file
    if (::fstat(fd, &mine) == 0 && ::stat(name.c_str(), &now) == 0)
      return mine.st_dev == now.st_dev && mine.st_ino == now.st_ino;
    if (errno == ENOENT) return false;
  }
  return false;
}

// Ours, as it was made: nobody else finds it where it could not be locked.
Error without(const std::string& name, bool made, Error error) {
  if (made) ::unlink(name.c_str());
  return error;
}

// A process that was killed before it wrote its text has left an empty file.
bool is_ours(int fd) {
  char text[64];
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  const ssize_t n = ::pread(fd, text, sizeof text, 0);
  return n == 0 || (n > 0 && std::string_view(text, static_cast<std::size_t>(n)) == kText);
}

}  // namespace

Result<std::string> FileLock::name_for(const std::string& path) {
  auto target = follow_links(path);
  if (target) target->append(kEnding);
  return target;
}

Result<FileLock> FileLock::take(const std::string& path) {
  TRY(auto found, name_for(path));
  std::string name = std::move(found);
  for (;;) {
    constexpr int kHow = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    Descriptor d(::open(name.c_str(), kHow | O_CREAT | O_EXCL, 0666));
    const bool made = d.fd >= 0;
    if (!made && errno == EEXIST) {
      d.fd = ::open(name.c_str(), kHow);
      if (d.fd < 0 && errno == ENOENT) continue;  // the run that had it has ended
    }
    if (d.fd < 0) return system_error("cannot lock it", path);
    if (!made && !is_ours(d.fd)) return input_error("stands where a lock has to be, and is none of beadwork's", name);
    if (::flock(d.fd, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return input_error("another run is writing to this file", path);
      if (errno == EINTR) continue;
      if (errno != ENOLCK && errno != ENOSYS && errno != EOPNOTSUPP)
        return without(name, made, system_error("cannot lock it", path));
    }
    // The run that had it may have removed the file after we opened it: then somebody else locks the next one.
    if (!still_there(d.fd, name)) continue;
    // On a full disk an empty file does as well.
    [[maybe_unused]] const auto written = ::pwrite(d.fd, kText.data(), kText.size(), 0);
    return FileLock(std::move(name), std::exchange(d.fd, -1));
  }
}

FileLock::FileLock(FileLock&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  if (still_there(descriptor_, name_)) ::unlink(name_.c_str());
  ::close(descriptor_);
}

}  // namespace beadwork
