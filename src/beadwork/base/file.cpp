#include <beadwork/base.hpp>
#include <beadwork/base/descriptor.hpp>

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace beadwork {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 22;

// The descriptor of a plain file, and its size.
Result<std::pair<int, std::size_t>> open_plain(const std::string& path) {
  // O_NONBLOCK: opening a FIFO that nobody writes to must not hang.
  Descriptor d(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (d.fd < 0) return system_error("cannot open", path);
  struct stat info {};
  if (::fstat(d.fd, &info) != 0) return system_error("cannot read", path);
  if (S_ISDIR(info.st_mode)) return input_error("is a directory, expected a file", path);
  if (!S_ISREG(info.st_mode)) return input_error("is not a regular file; save it to a file first", path);
  return std::pair{std::exchange(d.fd, -1), static_cast<std::size_t>(info.st_size)};
}

Error stopped(const std::string& path) {
  return {ErrorCode::limit, "stopped while reading it", path};
}

// Reads up to the end, whatever size the system gave: that of files in /proc is 0.
Result<std::string> read_on(int fd, std::size_t size, const std::string& path, const Control& control) {
  std::string text(size, '\0');
  std::size_t used = 0;
  for (;;) {
    if (control.stopping()) return stopped(path);
    if (used == text.size()) text.resize(used + (size == 0 ? kBlock : 1));  // one more byte shows the end
    const ssize_t n = ::read(fd, text.data() + used, std::min(text.size() - used, kBlock));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot read", path);
    if (n == 0) break;
    used += static_cast<std::size_t>(n);
  }
  text.resize(used);
  return text;
}

}  // namespace

Result<FileStamp> stamp_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return system_error("cannot open", path);
  return FileStamp{static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
                   static_cast<std::uint64_t>(info.st_size), static_cast<std::int64_t>(info.st_mtim.tv_sec),
                   static_cast<std::int64_t>(info.st_mtim.tv_nsec)};
}

// The size of files in /proc is 0, and their times mean nothing.
Status same_file(const std::string& path, const FileStamp& before) {
  TRY(const auto now, stamp_of(path));
  if (now == before || (before.size == 0 && now.size == 0)) return Done{};
  return input_error("changed while it was being read", path);
}

Result<FileText> FileText::open(const std::string& path) {
  TRY(const auto opened, open_plain(path));
  FileText file(path, opened.first);
  if (opened.second != 0) {
    TRY_DONE(file.reserve(opened.second));
    return file;
  }
  TRY(const auto text, read_on(file.descriptor_, 0, path, {}));
  if (text.empty()) return file;
  TRY_DONE(file.reserve(text.size()));
  std::copy(text.begin(), text.end(), file.data_);
  ::close(std::exchange(file.descriptor_, -1));  // all is there: load has nothing to do
  return file;
}

Status FileText::reserve(std::size_t size) {
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return system_error("cannot read", path_);
  data_ = static_cast<char*>(data);
  size_ = size;
  return Done{};
}

FileText::FileText(FileText&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

FileText& FileText::operator=(FileText&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

FileText::~FileText() {
  if (data_ != nullptr) ::munmap(data_, size_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status FileText::load(std::size_t begin, std::size_t end, const Control& control) const {
  require(begin <= end && end <= size_, "FileText: load() asked for what is not in the file");
  while (begin < end && descriptor_ >= 0) {
    if (control.stopping()) return stopped(path_);
    const ssize_t n = ::pread(descriptor_, data_ + begin, std::min(end - begin, kBlock), static_cast<off_t>(begin));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot read", path_);
    if (n == 0) return input_error("became shorter while it was read", path_);
    begin += static_cast<std::size_t>(n);
  }
  return Done{};
}

void FileText::release(std::size_t begin, std::size_t end) const {
  if (descriptor_ < 0) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  if (begin < end) ::madvise(data_ + begin, end - begin, MADV_DONTNEED);
}

Result<std::string> read_file(const std::string& path, const Control& control) {
  TRY(const auto opened, open_plain(path));
  const Descriptor d(opened.first);
  return read_on(d.fd, opened.second, path, control);
}

Result<std::string> file_sha256(const std::string& path, const Control& control) {
  TRY(const auto opened, open_plain(path));
  const Descriptor d(opened.first);
  Sha256 hash;
  for (std::string block(std::size_t{1} << 18, '\0');;) {
    if (control.stopping()) return stopped(path);
    const ssize_t n = ::read(d.fd, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot read", path);
    if (n == 0) return hash.hex_digest();
    hash.update(std::string_view(block).substr(0, static_cast<std::size_t>(n)));
  }
}

Status can_read(const std::string& path) {
  TRY(const auto opened, open_plain(path));
  ::close(opened.first);
  return Done{};
}

Result<std::string> follow_links(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::filesystem::path at = path;
  for (int i = 0; i < kMostLinks; ++i) {
    struct stat info {};
    if (::lstat(at.c_str(), &info) != 0 && errno != ENOENT) return system_error("cannot write", path);
    if (!S_ISLNK(info.st_mode)) return at.string();
    std::error_code failed;
    const auto target = std::filesystem::read_symlink(at, failed);
    if (failed) return input_error("cannot write: " + failed.message(), path);
    at = at.parent_path() / target;
  }
  errno = ELOOP;
  return system_error("cannot write", path);
}

bool special_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat x {};
  struct stat y {};
  const bool there = ::stat(a.c_str(), &x) == 0;
  if (there != (::stat(b.c_str(), &y) == 0)) return false;
  if (there) return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
  const auto to_a = follow_links(a);
  const auto to_b = follow_links(b);
  if (!to_a || !to_b) return false;
  const auto leaf = [](const std::string& path) { return path.substr(path.find_last_of('/') + 1); };
  return leaf(*to_a) == leaf(*to_b) && ::stat(folder_of(*to_a).c_str(), &x) == 0 &&
         ::stat(folder_of(*to_b).c_str(), &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

}  // namespace beadwork
