#pragma once
#include <beadwork/encoding.hpp>
#include <beadwork/engine/task.hpp>

namespace beadwork {

// The pair model with its clauses made on demand: solve with those that there are, look which rows of different class
// the selected features do not part, add pairs that make this selection cost what it really costs, and solve again.
// Every optimum on the way is a lower bound; the end is reached when one equals the errors of the best selection seen.
struct LazyPairs {
  SolveStatus status = SolveStatus::unknown;  // optimal or feasible; unknown: nothing was found in time
  std::int64_t lower_bound = 0;               // with the examples' base errors
  std::int64_t errors = 0;
  std::vector<std::size_t> selected;  // features of the examples
  Wcnf wcnf;                          // with the pairs added: a proof of optimality is about this formula
  Weight cost = 0;                    // its least cost, if optimal
  std::size_t rounds = 0, pairs = 0;
};
// `start`: a good selection to begin with, or empty.
Result<LazyPairs> solve_by_lazy_pairs(const Examples& examples, std::size_t depth,
                                      const std::vector<std::size_t>& start, const FormulaOptions& options,
                                      const Control& control);

// Pairs of different class that the whole model would have.
std::size_t count_pairs(const Examples& examples);

}  // namespace beadwork
