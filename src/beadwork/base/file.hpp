#pragma once
#include <beadwork/base/result.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace beadwork {

// A read-only view of a whole file, memory-mapped. Refuses directories, FIFOs, devices and missing files in one line.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) noexcept;
  ~MappedFile();

  std::string_view text() const { return {data_, size_}; }
  // Tell the system that the first `bytes` are read and will not be needed soon.
  void release(std::size_t bytes) const;

 private:
  MappedFile(const char* data, std::size_t size) : data_(data), size_(size) {}
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

Result<std::string> read_file(const std::string& path);

// All or nothing: a temporary file beside `path`, flushed, renamed over it, the directory flushed. On failure the old
// file is intact and no temporary is left. A link is followed; a device or pipe is written to as it is.
Status write_file(const std::string& path, std::string_view content);

// Would write_file be able to? Asked before hours of work.
Status can_write(const std::string& path);

// Do two paths name the same existing file?
bool same_file(const std::string& a, const std::string& b);

}  // namespace beadwork
