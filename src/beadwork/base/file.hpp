#pragma once
#include <beadwork/base/control.hpp>
#include <beadwork/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace beadwork {

// The text of a plain file, read in parts into memory that is reserved for all of it. It is not mapped: a file that
// somebody cuts short meanwhile is an error, never SIGBUS. open refuses directories, FIFOs, devices and missing files
// in one line.
class FileText {
 public:
  static Result<FileText> open(const std::string& path);
  FileText(FileText&&) noexcept;
  FileText& operator=(FileText&&) noexcept;
  ~FileText();

  std::string_view text() const { return {data_, size_}; }  // zeros where nothing is loaded
  // Reads the bytes from `begin` to `end`. An Error of code limit where control says stop.
  Status load(std::size_t begin, std::size_t end, const Control& control = {}) const;
  // Gives the memory of whole pages between the two back; load reads them again.
  void release(std::size_t begin, std::size_t end) const;

 private:
  FileText(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  Status reserve(std::size_t size);
  std::string path_;
  int descriptor_ = -1;
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

Result<std::string> read_file(const std::string& path, const Control& control = {});

// Which file a path leads to and when it last changed. For files that are read several times: two readings between
// equal stamps saw the same bytes.
struct FileStamp {
  std::uint64_t device = 0, file = 0, size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
Result<FileStamp> stamp_of(const std::string& path);
// The Error that a file with another stamp deserves.
Status same_file(const std::string& path, const FileStamp& before);

// SHA-256 of its bytes, as sha256sum prints it. An Error of code limit where control says stop.
Result<std::string> file_sha256(const std::string& path, const Control& control = {});

// Would read_file find a plain file that may be read? Asked before hours of work.
Status can_read(const std::string& path);

// All or nothing: a temporary file in the same folder, flushed, renamed to `path`, the folder flushed. On failure the
// old file is intact and no temporary is left, on most file systems not even after SIGKILL. A file that is replaced
// hands its permissions on. A link is followed. A device or a pipe is written to as it is; waiting for its reader ends
// soon after control says stop.
Status write_file(const std::string& path, std::string_view content, const Control& control = {});

// The same for a text that is too long to hold: written in parts, it gets its name in finish(), which also tells what
// went wrong before. Without finish() nothing changes and nothing is left.
class FileWriter {
 public:
  static Result<FileWriter> create(const std::string& path);
  FileWriter(FileWriter&&) noexcept;
  FileWriter& operator=(FileWriter&&) noexcept;
  ~FileWriter();

  void write(std::string_view text);        // at the end
  void write_first(std::string_view text);  // over the first bytes
  int descriptor() const;                   // for a child that writes to it
  Status finish(const Control& control = {});

 private:
  struct State;
  explicit FileWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Would write_file be able to? Asked before hours of work; leaves nothing behind.
Status can_write(const std::string& path);

// Do two paths lead to the same file, or to the same place where none is yet? Links are followed.
bool same_file(const std::string& a, const std::string& b);

// A device or a pipe: something to write to that is not ours to replace.
bool special_file(const std::string& path);

// Where a chain of links ends, whether a file is there or not.
Result<std::string> follow_links(const std::string& path);

}  // namespace beadwork
