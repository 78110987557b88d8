#pragma once
// The diagram unrolled: a node for each way to come to it. Parents first, then the low branch, then the high one.
#include <beadwork/exports/plan.hpp>

#include <vector>

namespace beadwork::exports {

struct TreeNode {
  bool leaf = false;
  Feature feature;
  std::size_t low = 0, high = 0;  // numbers of tree nodes
  Class answer;                   // of a leaf
  std::uint64_t first_path = 0;   // the paths through it are this and the next ones
  std::uint64_t num_paths = 1;
  std::size_t depth = 0;
};
std::vector<TreeNode> unrolled(const Plan& plan);

// Refuses, by the format's name, a diagram with so many paths that the tree would be no file to work with.
Status check_unrolled(const Plan& plan, std::string_view format);

}  // namespace beadwork::exports
