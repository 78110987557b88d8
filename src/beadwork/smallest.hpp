#pragma once
// smallest: the diagram with fewest nodes, and errors against nodes.
//
//   SmallestOutcome s = smallest_diagram(*TruthTable::parse("u0u1011u", {f1, f2, f3}));
//   s.diagram.size(), s.lower_bound, s.proven           // 5, 5, true
//   s.table                                             // decided, in the order of features that was chosen
//
// An optimal set of features leaves the order, the empty cells and the tied cells free. smallest_diagram uses all of
// that freedom: over all orders and all fills of the table's free cells the reduced diagram with fewest nodes, sinks
// counted. Several tables (co-optimal sets of features) compete for the smallest of all. Deciding this is NP-complete
// for one order already (Takenaga & Yajima 1993), but a table of depth H has 2^H cells, whatever the number of rows.
//
//   upper bound   merge_compatible in every order (beyond depth 7: in orders found by moving one feature at a time)
//   lower bound   for a feature x below the set T of features: subtables of T whose x-halves do not match need a node
//                 that tests x, and those that do not match each other need different ones: a clique of them is
//                 counted. The shortest path through the lattice of sets (up to depth 8) bounds all orders at once;
//                 one sink more for every class that some cell insists on.
//   the gap       SAT, one node less each time (formula.hpp): free order, without the places (T, x) that the lattice
//                 has shown to be on no path short enough.
//
// Errors against nodes. err(S) bounds the errors of every diagram on S from below, whatever its size, so:
//
//   SearchOptions o;
//   o.depth = 5;
//   auto a = least_errors_within(dataset, o, 8);     // least errors with at most 8 nodes and 5 features
//   auto b = least_penalised(dataset, o, {5, 2});    // least errors + 5/2 x nodes
//   auto front = error_front(dataset, o);            // all (features, nodes, errors) that nothing beats in all three
//
// For h = 0, 1, ... features the sets S are listed in order of err(S) (layer search) as long as that is below what is
// still of interest, and the diagrams on each set are searched on its cells (cell_search.hpp). A diagram of n nodes has
// at most n - 2 tests, so what uses h features has h + 2 nodes or more, and smaller sizes are settled by the stages
// before: that keeps the lists short. Sets equal up to complement of features have the same diagrams. Of equal and
// opposite features one is looked at: a diagram that tests a feature and further down its copy is not among those
// compared (docs/search.md, copies under a node limit).
//
// Over every cut point of sorted columns (RankedData) there is no list: boxes of cuts are searched, and what a box
// leaves of the rows bounds the diagrams of all its sets, size by size (docs/ordered.md, judged sets;
// ranked_stages.hpp). The best set for each h (layer ordered) comes first, so there is a good answer and a bound for
// every size early. The boxes are searched by one thread. Where the best sets are the first ones, seeds and threads do
// not change a proven answer.
//
// Limits: a deadline or an interrupt leaves the best so far and a lower bound that holds. Formulas of more than 4
// million clauses are not written (they would not be solved either): the answer is then not proven.

#include <beadwork/dataset.hpp>
#include <beadwork/diagram.hpp>
#include <beadwork/ordered.hpp>
#include <beadwork/search.hpp>
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

// A diagram and what is proven of its errors. Errors (costs, with SearchOptions::costs) in the units of the dataset.
struct SizedOutcome {
  TruthTable table;  // decided
  Diagram diagram;   // of it
  std::int64_t errors = 0;
  // Of every diagram with at most so many features and nodes; for least_penalised: with as many nodes as this one at
  // most.
  std::int64_t lower_bound = 0;
  bool proven = false;
  // Over ranks: features that may be tested, equal and opposite ones counted once; 0: not counted.
  std::size_t num_distinct = 0;
  bool memory_limit_hit = false;
  bool canonical = true;  // false: of several best diagrams another run may give another
};
// SearchOptions read: depth, forbid, costs, threads, seed, kernel, bounds; `require` must be empty. At least one node.
Result<SizedOutcome> least_errors_within(const Dataset& dataset, const SearchOptions& options, std::size_t max_nodes,
                                         const Control& control = {});
// errors + numerator / denominator x nodes; both positive.
struct NodePenalty {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;
};
Result<SizedOutcome> least_penalised(const Dataset& dataset, const SearchOptions& options, const NodePenalty& penalty,
                                     const Control& control = {});

// A point: nothing found has at most so many features and nodes, and fewer errors; `proven`: nothing has.
struct FrontPoint {
  std::size_t features = 0;  // that the diagram uses
  std::size_t nodes = 0;
  std::int64_t errors = 0;
  std::int64_t lower_bound = 0;
  bool proven = false;
  TruthTable table;
};
struct Front {
  std::vector<FrontPoint> points;  // by features, then nodes; none beaten by another in all three
  bool proven = false;             // complete, and every point proven
  bool memory_limit_hit = false;   // over ranks
  std::size_t num_distinct = 0;    // over ranks, as in SizedOutcome
};
Result<Front> error_front(const Dataset& dataset, const SearchOptions& options, const Control& control = {});
// By local search alone, in about a second: diagrams of some sizes up to 40 nodes, of which nothing is proven. For many
// features (kManyFeatures or more), where proofs take too long to choose a size by. Empty if stopped before the start.
Front climbed_front(const Dataset& dataset, SearchOptions options, const Control& control = {});
inline constexpr std::size_t kManyFeatures = 7;

// The same over every cut point of sorted columns, without a feature for each. Features of the answers are numbered as
// in the data (RankedData::cut_of). OrderedOptions read: depth, forbid, candidates, costs, threads, seed, bounds;
// nothing may be required. `known`: what search_ordered says to the same options, or nullptr.
Result<SizedOutcome> least_errors_within(const RankedData& data, OrderedOptions options, std::size_t max_nodes,
                                         const Control& control = {});
Result<SizedOutcome> least_penalised(const RankedData& data, const OrderedOptions& options, const NodePenalty& penalty,
                                     const Control& control = {});
Result<Front> error_front(const RankedData& data, const OrderedOptions& options, const OrderedOutcome* known,
                          const Control& control = {});

}  // namespace beadwork
