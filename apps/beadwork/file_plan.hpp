#pragma once
// The files that a command reads and those it writes, checked before the work starts.
#include <beadwork/base.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// Say all of them, with what their names give rise to (a proof's ".cnf", a checkpoint's ".old"); empty names do not
// count. check() refuses an output that is an input, or that is another output, under whatever name (links, "./x"), and
// one that cannot be written. "-" is read from standard input: whatever file that is. Devices and pipes may take more
// than one output. An output "-" is refused, but where a command would print that output and nothing else (prints).
//
//   FilePlan plan;
//   plan.reads(table);
//   plan.writes(model);
//   TRY_DONE(plan.check());
//
// Files of one family may coincide: a run that goes on from a checkpoint may write its next ones over it.
class FilePlan {
 public:
  void reads(const std::string& path, std::string_view family = {});
  void writes(const std::string& path, std::string_view family = {});
  void prints(const std::string& path);  // writes, where "-" is standard output
  void leaves(const std::string& path);  // what another run will write or read: no output may take its place
  Status check() const;

 private:
  struct File {
    std::string path;
    std::string family;
  };
  static bool clash(const File& a, const File& b);
  std::vector<File> inputs_;
  std::vector<File> outputs_;
  std::vector<File> others_;
};

}  // namespace beadwork
