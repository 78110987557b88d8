#pragma once
#include <beadwork/base.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace beadwork {

// Records of one size in a temporary file without a name: written in order, then read once in order.
class SpilledRecords {
 public:
  explicit SpilledRecords(std::size_t size);
  bool write(std::string_view record);  // false: the file cannot be made, or the disk is full
  bool rewind();                        // from here on it is read
  // The next record, empty after the last.
  Result<std::string_view> next();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::string record_;
};

}  // namespace beadwork
