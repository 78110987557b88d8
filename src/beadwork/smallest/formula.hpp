#pragma once
#include <beadwork/diagram.hpp>
#include <beadwork/formula.hpp>

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace beadwork {

// "There is an ordered diagram of at most `nodes` tests on these features, in any order, that sends the cells where it
// should", as clauses. Nodes are numbered in the order of their features, so children have larger numbers; sinks come
// after the nodes, one a class. Nodes may stay out of reach, hence "at most".
//
//   feature[i][x]       node i tests feature x                (exactly one x)
//   before(x, y)        x comes before y in the order         (total and transitive)
//   child[i][b][m]      edge b of node i leads to m > i       (exactly one m)
//   reach of a cell     the nodes on its path, closed under the edges; the sinks that it may not reach are forbidden
class DiagramFormula {
 public:
  DiagramFormula(ClauseSinkRef sink, std::vector<Feature> features, std::size_t nodes, std::vector<Class> classes);

  // At most so many of the classes have a sink that an edge leads to.
  void limit_sinks(std::size_t most);
  // `x` does not come right after exactly the features of `above` (a bit each, as x is a place in the list of
  // features).
  void forbid_place(std::uint64_t above, std::size_t x);
  // Cell numbers as in a TruthTable of the features as listed. The literal of each class is implied by the cell ending
  // in its sink; an absent one forbids that.
  void add_cell(std::size_t cell, const std::vector<std::optional<Lit>>& ends);
  // How many clauses add_cell makes.
  static std::size_t clauses_per_cell(std::size_t features, std::size_t nodes, std::size_t classes);

  // The function of a model, in the model's order of features.
  TruthTable decode(const std::function<bool(Lit)>& value, std::size_t num_classes) const;

 private:
  Lit before(std::size_t x, std::size_t y) const;
  Lit child(std::size_t i, bool high, std::size_t m) const { return children_[i][high ? 1 : 0][m - i - 1]; }
  bool bit_of(std::size_t cell, std::size_t x) const { return cell >> (features_.size() - 1 - x) & 1; }
  void add_order();
  void add_node(std::size_t i);
  void add_sorting(std::size_t i);

  ClauseSinkRef sink_;
  std::vector<Feature> features_;
  std::vector<Class> classes_;
  std::size_t nodes_;
  std::vector<std::vector<Lit>> before_;                   // x < y
  std::vector<std::vector<Lit>> tests_;                    // node, feature
  std::vector<std::array<std::vector<Lit>, 2>> children_;  // node, edge, target from the next node on
};

}  // namespace beadwork
