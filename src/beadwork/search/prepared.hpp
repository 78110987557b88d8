#pragma once
#include <beadwork/search/options.hpp>

#include <memory>

namespace beadwork {

namespace detail {
struct Problem;
}

// Data made ready to be searched, for all searches with the same costs, required and forbidden features: depth, start,
// limits and the rest may differ. Cheap to copy.
class SearchProblem {
 public:
  SearchProblem() = default;
  SearchProblem(std::shared_ptr<const detail::Problem> problem, bool memory_limit_hit)
      : problem_(std::move(problem)), memory_limit_hit_(memory_limit_hit) {}

  // False: the control ended the preparation. Every search of such a problem is `unknown`, with lower bound 0.
  bool complete() const { return problem_ != nullptr; }
  // It was the memory limit that ended the preparation.
  bool memory_limit_hit() const { return memory_limit_hit_; }
  // The condensed data; only if complete.
  const Condensed& data() const;
  // For the search layer; null unless complete.
  const detail::Problem* problem() const { return problem_.get(); }

 private:
  std::shared_ptr<const detail::Problem> problem_;
  bool memory_limit_hit_ = false;
};

// Of the options only costs, require and forbid matter here.
Result<SearchProblem> prepare(const Dataset& dataset, const SearchOptions& options, const Control& control);
Result<SearchProblem> prepare(std::shared_ptr<const Condensed> data, const SearchOptions& options,
                              const Control& control);
// For a search or two: the data must outlive the problem.
Result<SearchProblem> prepare(const Condensed& data, const SearchOptions& options, const Control& control);

}  // namespace beadwork
