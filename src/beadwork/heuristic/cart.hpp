#pragma once
#include <beadwork/dataset.hpp>
#include <beadwork/diagram.hpp>

#include <cstdint>

namespace beadwork {

enum class Impurity { gini, entropy };

struct CartOptions {
  std::size_t depth = 4;  // tests on a path, at most kMaxDepth
  Impurity impurity = Impurity::gini;
  std::size_t min_split = 2;  // rows that a node must have to be split
  std::size_t min_leaf = 1;   // rows that each side of a split must have
  std::uint64_t seed = 0;     // breaks ties
};

struct CartTree {
  Diagram diagram;             // inner nodes breadth-first, then the leaves
  std::size_t tied_nodes = 0;  // where several features were equally good
  bool complete = true;        // false: stopped by a limit
};
// Contract: at least one class; depth at most kMaxDepth.
CartTree cart(const Dataset& dataset, const CartOptions& options, const Control& control = {});

}  // namespace beadwork
