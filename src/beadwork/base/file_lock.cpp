#include <beadwork/base.hpp>
#include <beadwork/base/descriptor.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <utility>

namespace beadwork {
namespace {

bool still_there(int fd, const std::string& name) {
  struct stat mine {};
  struct stat now {};
  return ::fstat(fd, &mine) == 0 && ::stat(name.c_str(), &now) == 0 && mine.st_dev == now.st_dev &&
         mine.st_ino == now.st_ino;
}

}  // namespace

Result<FileLock> FileLock::take(const std::string& path) {
  const auto target = follow_links(path);
  if (!target) return target.error();
  std::string name = *target + ".lock";
  for (;;) {
    Descriptor d(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (d.fd < 0) return system_error("cannot lock it", path);
    if (::flock(d.fd, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return input_error("another run is writing to this file", path);
      if (errno == EINTR) continue;
      if (errno != ENOLCK && errno != ENOSYS && errno != EOPNOTSUPP) return system_error("cannot lock it", path);
    }
    // The run that had it may have removed the file after we opened it: then somebody else locks the next one.
    if (still_there(d.fd, name)) return FileLock(std::move(name), std::exchange(d.fd, -1));
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
  ::unlink(name_.c_str());
  ::close(descriptor_);
}

}  // namespace beadwork
