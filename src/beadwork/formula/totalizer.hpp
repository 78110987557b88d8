#pragma once
#include <beadwork/formula/sink.hpp>

#include <vector>

namespace beadwork {

// Counts true literals in unary (Bailleux & Boufkhad 2003), one direction: k true inputs force outputs 1..k.
// Outputs are made lazily and only as far as asked (Martins et al. 2014), so a totalizer over thousands of
// inputs with a small bound stays small and grows as the bound does.
//
//   Totalizer t(xs);
//   t.extend(sink, 3);                // outputs 1..3 now exist
//   solver.solve({{~t.at_least(3)}}); // assume: at most 2 of xs
//
// An input is a block: a run of literals that is already unary (each implies the ones before it), such as the
// outputs of another totalizer; a single literal is a block of one.
class Totalizer {
 public:
  Totalizer() = default;
  explicit Totalizer(Clause xs);
  explicit Totalizer(std::vector<std::vector<Lit>> blocks);

  std::size_t num_inputs() const { return nodes_.empty() ? 0 : nodes_.back().capacity; }
  // Outputs that exist already: at_least(1) .. at_least(bound()).
  std::size_t bound() const { return nodes_.empty() ? 0 : nodes_.back().outputs.size(); }
  void extend(ClauseSinkRef sink, std::size_t k);
  // Forced true when at least k inputs are. Contract: 1 <= k <= bound().
  Lit at_least(std::size_t k) const;

 private:
  struct Node {
    std::size_t capacity = 0;
    std::size_t left = 0, right = 0;  // equal: a leaf
    std::vector<Lit> outputs;
  };
  std::size_t build(std::size_t first, std::size_t last);
  void extend_node(ClauseSinkRef sink, std::size_t node, std::size_t k);
  void connect(ClauseSinkRef sink, const Node& n, std::size_t old) const;

  std::vector<std::vector<Lit>> blocks_;
  std::vector<Node> nodes_;  // children before parents, the root last
};

}  // namespace beadwork
