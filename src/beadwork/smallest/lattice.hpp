#pragma once
#include <beadwork/truth.hpp>

#include <cstdint>
#include <vector>

namespace beadwork {

// Lower bounds on the nodes of every order at once. Levels of an order are pairs (T, x): x tested right below the set
// T.
struct Lattice {
  static constexpr std::size_t kMostFeatures = 8;

  std::size_t sinks = 1;  // at least
  std::size_t inner = 0;  // tests, at least, in the best order
  std::size_t depth = 0;
  std::vector<std::size_t> through;  // set T * depth + x: least tests of an order that has x right below T

  std::size_t size() const { return inner + sinks; }
};
Lattice make_lattice(const TruthTable& table);

}  // namespace beadwork
