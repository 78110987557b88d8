#pragma once
#include <beadwork/formula/sink.hpp>

#include <vector>

namespace beadwork {

struct Term {
  Lit lit;
  Weight weight = 1;
};

// A bound on a weighted sum of literals, tightened step by step:
//
//   WeightedBound sum(sink, terms, 40);   // ready for any bound up to 40
//   sum.at_most(sink, 37);                // from now on at most 37 ...
//   sum.at_most(sink, 30);                // ... and now at most 30
//
// Generalized totalizer (Joshi, Martins, Manquinho 2015: one output per reachable sum, sums above the largest
// bound kept as one) while it stays below `clause_guard` clauses; beyond that a binary adder with a
// comparator, whose size is linear in terms * bits but which propagates less. Contract: weights are at least
// 1 and add up to at most kMaxWeight.
class WeightedBound {
 public:
  enum class Kind { automatic, totalizer, adder };
  WeightedBound(ClauseSinkRef sink, const std::vector<Term>& terms, Weight largest_bound, Kind kind = Kind::automatic,
                std::size_t clause_guard = 8'000'000);

  // Adds the clauses of "sum <= bound". Contract: bound <= largest_bound.
  void at_most(ClauseSinkRef sink, Weight bound);
  bool is_adder() const { return adder_; }

 private:
  Weight largest_bound_;
  bool adder_ = false;
  std::vector<Term> sums_;  // totalizer: the output of each reachable sum, increasing
  std::vector<Lit> bits_;   // adder: the sum in binary, lowest bit first
};

}  // namespace beadwork
