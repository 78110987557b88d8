#include <beadwork/search/best.hpp>

namespace beadwork {

using namespace detail;

Result<SearchFront> search_front(const SearchProblem& problem, const SearchOptions& options, const Control& control) {
  SearchFront out;
  SearchOptions at = options;
  at.resume = nullptr;
  for (std::size_t depth = std::max<std::size_t>(std::min<std::size_t>(1, options.depth), options.require.size());
       depth <= options.depth; ++depth) {
    at.depth = depth;
    auto outcome = search(problem, at, control);
    if (!outcome) return outcome.error();
    at.start = options.start;
    at.start.push_back(outcome->features);
    out.depths.push_back(depth);
    out.by_depth.push_back(std::move(*outcome));
    if (out.by_depth.back().status != SolveStatus::optimal) break;
  }
  return out;
}

Result<SearchFront> search_front(const Condensed& data, const SearchOptions& options, const Control& control) {
  const auto problem = prepare(data, options, control);
  if (!problem) return problem.error();
  return search_front(*problem, options, control);
}

namespace {

// Is there a set of error 0? A search that wants nothing else is far quicker than one for the optimum. Nothing if it
// did not come to its end.
struct Zero {
  bool found = false;
  Candidates set;
};
std::optional<Zero> look_for_zero(const Problem& p, const SearchOptions& options, const Control& control) {
  Phase phase = phase_for(p, options, control);
  if (phase.choose == 0) return Zero{evaluate(p, {}) == 0, {}};
  FirstFound zero(1);
  const bool finished = run_phase(p, zero, phase).finished;
  if (zero.set().empty() && !finished) return {};
  return Zero{!zero.set().empty(), zero.set()};
}

}  // namespace

Result<LeastDepth> least_depth(const SearchProblem& problem, const SearchOptions& options, const Control& control) {
  LeastDepth out;
  SearchOptions at = options;
  at.resume = nullptr;
  at.depth = options.require.size();
  if (auto ok = check_options(problem, options); !ok) return ok.error();
  out.outcome = not_prepared(problem);
  if (!problem.complete()) return out;
  const Problem& p = *problem.problem();
  out.outcome.lower_bound = p.base;
  out.depth = at.depth;
  out.status = SolveStatus::infeasible;
  if (p.base > 0) return out;
  for (;; ++at.depth) {
    out.depth = at.depth;
    const auto zero = look_for_zero(p, at, control);
    if (!zero) {
      out.status = SolveStatus::unknown;
      return out;
    }
    if (!zero->found && at.depth < options.depth && p.choose(at.depth) < p.candidates.size()) continue;
    auto outcome = run_search(p, at, control);
    if (!outcome) return outcome.error();
    out.outcome = std::move(*outcome);
    if (!zero->found) return out;
    out.status = SolveStatus::optimal;
    if (out.outcome.status == SolveStatus::optimal) return out;
    out.outcome.features = to_features(p, zero->set);  // the limit came now; the set is there all the same
    out.outcome.error = out.outcome.lower_bound = 0;
    out.outcome.status = SolveStatus::optimal;
    return out;
  }
}

Result<LeastDepth> least_depth(const Condensed& data, const SearchOptions& options, const Control& control) {
  const auto problem = prepare(data, options, control);
  if (!problem) return problem.error();
  return least_depth(*problem, options, control);
}

}  // namespace beadwork
