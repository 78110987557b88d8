#pragma once
#include <beadwork/base/result.hpp>

#include <string>

namespace beadwork {

// Keeps two runs from writing to one file in turns: `path`.beadwork-lock, locked while this lives and removed at its
// end. The system frees the lock of a run that was killed, so a lock that is left behind is in nobody's way. A file of
// that name that is no lock of ours is neither locked nor removed: take() refuses.
class FileLock {
 public:
  static Result<FileLock> take(const std::string& path);
  static Result<std::string> name_for(const std::string& path);  // links are followed
  const std::string& name() const { return name_; }
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  FileLock(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace beadwork
