#include "file_plan.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace beadwork {
namespace {

bool is_standard_input(const std::string& path) {
  struct stat file {};
  struct stat input {};
  return ::stat(path.c_str(), &file) == 0 && ::fstat(STDIN_FILENO, &input) == 0 && file.st_dev == input.st_dev &&
         file.st_ino == input.st_ino;
}

}  // namespace

void FilePlan::reads(const std::string& path, std::string_view family) {
  if (!path.empty()) inputs_.push_back({path, std::string(family)});
}

void FilePlan::writes(const std::string& path, std::string_view family) {
  if (!path.empty()) outputs_.push_back({path, std::string(family)});
}

void FilePlan::prints(const std::string& path) {
  if (path != "-") writes(path);
}

void FilePlan::leaves(const std::string& path) {
  if (!path.empty()) others_.push_back({path, {}});
}

bool FilePlan::clash(const File& a, const File& b) {
  const bool related = !a.family.empty() && a.family == b.family;
  if (related || special_file(a.path)) return false;
  return same_file(a.path, b.path) || (b.path == "-" && is_standard_input(a.path));
}

Status FilePlan::check() const {
  for (const auto* list : {&outputs_, &others_})
    for (const File& file : *list)
      if (file.path == "-")
        return usage_error("this output cannot go to standard output; ./- is a file of that name", file.path);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const File& output = outputs_[i];
    for (const File& input : inputs_)
      if (clash(output, input)) return usage_error("this output would overwrite an input", output.path);
    for (std::size_t j = 0; j < i; ++j)
      if (clash(output, outputs_[j])) return usage_error("two outputs have the same file", output.path);
    for (const File& other : others_)
      if (clash(output, other)) return usage_error("this output would overwrite a file of another run", output.path);
    TRY_DONE(can_write(output.path));
  }
  return Done{};
}

}  // namespace beadwork
