#include <beadwork/exports/tree.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork::exports {

std::vector<TreeNode> unrolled(const Plan& plan) {
  constexpr std::size_t kNone = SIZE_MAX;
  struct Step {
    Node node;
    std::size_t parent;
    bool high;
    std::uint64_t first_path;
  };
  std::vector<TreeNode> tree;
  std::vector<Step> todo{{Node{0}, kNone, false, 0}};
  while (!todo.empty()) {
    const Step step = todo.back();
    todo.pop_back();
    const DiagramNode& node = plan.diagram[step.node];
    TreeNode made;
    made.first_path = step.first_path;
    made.num_paths = plan.diagram.num_paths(step.node);
    if (step.parent != kNone) {
      (step.high ? tree[step.parent].high : tree[step.parent].low) = tree.size();
      made.depth = tree[step.parent].depth + 1;
    }
    if (node.sink) {
      made.leaf = true;
      made.answer = plan.answer(node);
    } else {
      made.feature = node.feature;
      todo.push_back({node.high, tree.size(), true, step.first_path + plan.diagram.num_paths(node.low)});
      todo.push_back({node.low, tree.size(), false, step.first_path});
    }
    tree.push_back(made);
  }
  return tree;
}

Status check_unrolled(const Plan& plan, std::string_view format) {
  constexpr std::uint64_t kMostShares = std::uint64_t{1} << 17;  // a file of some 50 MB
  const std::uint64_t classes = plan.classes().size();
  if (plan.diagram.num_paths() <= kMostShares / std::max<std::uint64_t>(2, classes)) return Done{};
  return option_error(
      fmt::format("{} has no shared nodes, and unrolled the diagram has {} paths x {} classes; the limit is {}", format,
                  plan.diagram.num_paths(), classes, kMostShares),
      "to");
}

}  // namespace beadwork::exports
