#include "file_plan.hpp"

namespace beadwork {

void FilePlan::reads(const std::string& path, std::string_view family) {
  if (!path.empty()) inputs_.push_back({path, std::string(family)});
}

void FilePlan::writes(const std::string& path, std::string_view family) {
  if (!path.empty()) outputs_.push_back({path, std::string(family)});
}

bool FilePlan::clash(const File& a, const File& b) {
  const bool related = !a.family.empty() && a.family == b.family;
  return !related && !special_file(a.path) && same_file(a.path, b.path);
}

Status FilePlan::check() const {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const File& output = outputs_[i];
    for (const File& input : inputs_)
      if (clash(output, input)) return usage_error("this output would overwrite an input", output.path);
    for (std::size_t j = 0; j < i; ++j)
      if (clash(output, outputs_[j])) return usage_error("two outputs have the same file", output.path);
    if (auto ok = can_write(output.path); !ok) return ok;
  }
  return Done{};
}

}  // namespace beadwork
