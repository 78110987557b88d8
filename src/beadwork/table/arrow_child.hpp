#pragma once
#include <beadwork/base.hpp>

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace beadwork::table {

// Python with one of the scripts of arrow_script.cpp. It ends with this object.
class ArrowChild {
 public:
  struct Files {  // descriptors that become its standard input and output, and one more; -1: none
    int in = -1, out = -1, other = -1;
  };
  static constexpr int kOther = 3;  // the number that the last one has in the child

  ArrowChild() = default;
  ArrowChild(const ArrowChild&) = delete;
  ArrowChild& operator=(const ArrowChild&) = delete;
  ~ArrowChild() { stop(); }

  Status start(const char* script, const std::vector<std::string>& arguments, const Files& files);
  // Waits for its end. An Error, about `name`, if it failed: its own last line says why; and one of code limit where
  // control says stop, or the child does not end.
  Status wait(const std::string& name, const Control& control);
  void stop();
  // What is said of a program that ended so and said nothing itself.
  static Error silent(const std::string& name, int code);

 private:
  pid_t pid_ = -1;
  int complaints_ = -1;
};

extern const char* const kReadArrow;  // KIND PATH: the table as CSV on standard output
extern const char* const
    kWriteArrow;  // KIND NAME TYPE NAME TYPE ...: CSV on standard input to a file on standard output

}  // namespace beadwork::table
