#pragma once
#include <beadwork/base.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace beadwork {

using ClassCounts = std::vector<std::int64_t>;

// The class of a leaf: the heaviest one; of several such the one that alone is heaviest among them on the nearest
// branch above; else the first. `branch` holds the counts of the leaf, its parent, and so on to the root.
Class label_on_branch(std::span<const ClassCounts* const> branch);

inline std::int64_t total_of(const ClassCounts& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t c : counts) sum += c;
  return sum;
}
// More than one class has weight.
inline bool impure(const ClassCounts& counts) {
  int present = 0;
  for (const std::int64_t c : counts) present += c > 0 ? 1 : 0;
  return present > 1;
}

}  // namespace beadwork
