#pragma once
#include <beadwork/base/result.hpp>

#include <string>

namespace beadwork {

// Keeps two runs from writing to one file in turns: `path`.lock, locked while this lives and removed at its end. The
// system frees the lock of a run that was killed, so a .lock file that is left behind is in nobody's way.
class FileLock {
 public:
  static Result<FileLock> take(const std::string& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  FileLock(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace beadwork
