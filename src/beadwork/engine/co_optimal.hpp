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

// For each row the share of the other rows of its cell, by weight, that have another class; 1 - 1/classes for a row
// alone. Summed by weight: the less, the purer the cells.
double impurity(const Dataset& dataset, const std::vector<Feature>& features);

// Of the first 1,000 sets that err as little as the answer the one with the purest cells; the first of several.
Result<std::vector<Feature>> purest_set(const Dataset& dataset, const SearchProblem& problem,
                                        const SearchOptions& options, const std::vector<Feature>& answer,
                                        std::int64_t error, const Control& control);

}  // namespace beadwork
