#pragma once
#include <beadwork/engine/task.hpp>

namespace beadwork {

// Sets of features that err as little as a proven answer.
struct CoOptimal {
  std::vector<std::vector<Feature>> sets;  // the answer first, then by list
  bool complete = false;                   // there are no others
};
// At most `most` sets are kept, the first by list.
Result<CoOptimal> co_optimal_sets(const SearchProblem& problem, SearchOptions options,
                                  const std::vector<Feature>& answer, std::int64_t error, std::size_t most,
                                  const Control& control);

}  // namespace beadwork
