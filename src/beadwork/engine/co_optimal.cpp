#include <beadwork/engine/co_optimal.hpp>

namespace beadwork {

Result<CoOptimal> co_optimal_sets(const SearchProblem& problem, SearchOptions options,
                                  const std::vector<Feature>& answer, std::int64_t error, std::size_t most,
                                  const Control& control) {
  options.start = {answer};
  NearOptions near;
  near.within = 0;
  near.most = most;
  near.optimum = error;
  TRY(const auto listed, search_near(problem, options, near, control));
  CoOptimal out;
  out.sets.push_back(answer);
  for (const NearSet& s : listed.sets)
    if (s.error == error && s.features != answer) out.sets.push_back(s.features);
  out.complete = listed.status == SolveStatus::optimal && listed.num_sets == listed.sets.size();
  return out;
}

}  // namespace beadwork
