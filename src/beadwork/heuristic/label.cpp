#include <beadwork/heuristic/label.hpp>

#include <algorithm>

namespace beadwork {

Class label_on_branch(std::span<const ClassCounts* const> branch) {
  std::vector<std::size_t> allowed;  // those that tie at the leaf itself
  for (const ClassCounts* counts : branch) {
    if (allowed.empty())
      for (std::size_t k = 0; k < counts->size(); ++k) allowed.push_back(k);
    std::int64_t most = 0;
    for (const std::size_t k : allowed) most = std::max(most, (*counts)[k]);
    std::vector<std::size_t> best;
    for (const std::size_t k : allowed)
      if ((*counts)[k] == most) best.push_back(k);
    if (best.size() == 1) return Class{best.front()};
    if (counts == branch.front()) allowed = std::move(best);
  }
  return Class{allowed.front()};
}

}  // namespace beadwork
