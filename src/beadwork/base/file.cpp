#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <beadwork/base.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace beadwork {
namespace {

Error system_error(std::string_view what, const std::string& path) {
  return input_error(fmt::format("{}: {}", what, std::strerror(errno)), path);
}

// Closes on every way out; a failed close matters only after writing, where it is called by hand.
struct Descriptor {
  int fd = -1;
  explicit Descriptor(int f) : fd(f) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  int close() {
    const int result = ::close(fd);
    fd = -1;
    return result;
  }
};

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
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

void flush_directory(const std::string& directory) {
  const Descriptor d(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (d.fd >= 0) ::fsync(d.fd);  // best effort: the data itself is safe already
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: opening a FIFO that nobody writes to must not hang.
  const Descriptor d(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (d.fd < 0) return system_error("cannot open", path);
  struct stat info {};
  if (::fstat(d.fd, &info) != 0) return system_error("cannot read", path);
  if (S_ISDIR(info.st_mode)) return input_error("is a directory, expected a file", path);
  if (!S_ISREG(info.st_mode)) return input_error("is not a regular file; save it to a file first", path);
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return MappedFile(nullptr, 0);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, d.fd, 0);
  if (data == MAP_FAILED) return system_error("cannot read", path);
  return MappedFile(static_cast<const char*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

void MappedFile::release(std::size_t bytes) const {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t whole = bytes / page * page;
  if (whole != 0) ::madvise(const_cast<char*>(data_), whole, MADV_DONTNEED);
}

Result<std::string> read_file(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return file.error();
  return std::string(file->text());
}

namespace {

// The file behind a chain of links; the path itself where there is none yet.
std::string target_of(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : path;
}

// A device or a pipe: it is not ours to replace.
bool special(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

Status write_in_place(const std::string& path, std::string_view content) {
  Descriptor d(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (d.fd < 0 || !write_all(d.fd, content) || d.close() != 0) return system_error("cannot write", path);
  return Done{};
}

Status replace_file(const std::string& path, std::string_view content) {
  std::string temporary = path + ".XXXXXX";
  Descriptor d(::mkstemp(temporary.data()));
  if (d.fd < 0) return system_error("cannot write", path);
  const auto fail = [&]() -> Status {
    const Error error = system_error("cannot write", path);
    ::unlink(temporary.c_str());
    return error;
  };
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(d.fd, 0666 & ~mask) != 0) return fail();
  if (!write_all(d.fd, content) || ::fsync(d.fd) != 0 || d.close() != 0) return fail();
  if (::rename(temporary.c_str(), path.c_str()) != 0) return fail();
  flush_directory(directory_of(path));
  return Done{};
}

}  // namespace

Status write_file(const std::string& path, std::string_view content) {
  return special(path) ? write_in_place(path, content) : replace_file(target_of(path), content);
}

Status can_write(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return input_error("is a directory", path);
  const bool there = ::access(path.c_str(), F_OK) == 0;
  if (there && ::access(path.c_str(), W_OK) != 0) return system_error("cannot write", path);
  if (!special(path) && ::access(directory_of(target_of(path)).c_str(), W_OK) != 0)
    return system_error("cannot write", path);
  return Done{};
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat x {};
  struct stat y {};
  return ::stat(a.c_str(), &x) == 0 && ::stat(b.c_str(), &y) == 0 && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

std::size_t current_memory() {
  std::FILE* f = std::fopen("/proc/self/statm", "r");
  if (f == nullptr) return 0;
  unsigned long size = 0;
  unsigned long resident = 0;
  const int got = std::fscanf(f, "%lu %lu", &size, &resident);
  std::fclose(f);
  return got == 2 ? resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

std::size_t peak_memory() {
  struct rusage usage {};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace beadwork
