#pragma once
// Reduced ordered decision diagrams with complemented edges, as CUDD and dd keep them: one sink, true; a low edge may
// be complemented, a high edge never; so equal functions are equal references.
#include <beadwork/exports/plan.hpp>

#include <cstdint>
#include <vector>

namespace beadwork::exports {

using BddRef = std::int64_t;  // 1 true, -1 false, n >= 2 a node, -n its complement

struct BddNode {
  std::size_t level = 0;
  BddRef low = 0;
  BddRef high = 0;
};

// Numbered from 2, those of the last level first, so that children come before parents.
struct Bdd {
  std::vector<Feature> order;  // by level: all that the diagram tests
  std::vector<BddNode> nodes;  // nodes[i] has number i + 2
  std::vector<BddRef> roots;   // one an output
};
// The functions of the outputs. A diagram without an order (a tree) is rebuilt along the order in which its features
// appear.
Bdd bdd_of(const Plan& plan, const Outputs& outputs);

}  // namespace beadwork::exports
