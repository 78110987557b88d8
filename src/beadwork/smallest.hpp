#pragma once
// smallest: the diagram with fewest nodes, and errors against nodes.
//
//   SmallestOutcome s = smallest_diagram(*TruthTable::parse("u0u1011u", {f1, f2, f3}));
//   s.diagram.size(), s.lower_bound, s.proven           // 6, 6, true
//   s.table                                             // decided, in the order of features that was chosen
//
// An optimal set of features leaves the order, the empty cells and the tied cells free. smallest_diagram uses all of that
// freedom: over all orders and all fills of the table's free cells the reduced diagram with fewest nodes, sinks counted.
// Several tables (co-optimal sets of features) compete for the smallest of all. Deciding this is NP-complete for one order
// already (Takenaga & Yajima 1993), but a table of depth H has 2^H cells, whatever the number of rows.
//
//   upper bound   merge_compatible in every order (beyond depth 7: in orders found by moving one feature at a time)
//   lower bound   for a feature x below the set T of features: subtables of T whose x-halves do not match need a node that
//                 tests x, and those that do not match each other need different ones: a clique of them is counted.
//                 The shortest path through the lattice of sets (up to depth 10) bounds all orders at once; one sink more
//                 for every class that some cell insists on.
//   the gap       SAT, one node less each time (formula.hpp): free order, without the places (T, x) that the lattice has
//                 shown to be on no path short enough.
//
// Limits: a deadline or an interrupt leaves the best so far and a lower bound that holds. Formulas of more than 20 million
// clauses are not written (they would not be solved either): the answer is then not proven.

#include <beadwork/diagram.hpp>
#include <beadwork/truth.hpp>
#include <span>

namespace beadwork {

struct SmallestOutcome {
  TruthTable table;             // decided, within what the given one allows
  Diagram diagram;              // of it
  std::size_t which = 0;        // number of the table it comes from
  std::size_t lower_bound = 1;  // no order and no fill (of no table) has fewer nodes
  bool proven = false;          // lower_bound == diagram.size()
};

// Deterministic. At least one table.
SmallestOutcome smallest_diagram(std::span<const TruthTable> tables, const Control& control = {});
SmallestOutcome smallest_diagram(const TruthTable& table, const Control& control = {});

// What the lattice of sets proves for all orders and fills of a table; size with sinks.
std::size_t size_lower_bound(const TruthTable& table);

}  // namespace beadwork
