#include <beadwork/search/best.hpp>

namespace beadwork {

using namespace detail;

namespace {

// Is there a set of at most this error? A search that wants nothing else is far quicker than one for the optimum.
// Nothing if it did not come to its end.
struct Look {
  bool found = false;
  Candidates set;
};
std::optional<Look> look_for(const Problem& p, const SearchOptions& options, std::int64_t error,
                             const Control& control) {
  Phase phase = phase_for(p, options, control);
  if (phase.choose == 0) return Look{evaluate(p, {}) <= error, {}};
  FirstFound first(error + 1);
  const bool finished = run_phase(p, first, phase).finished;
  if (first.set().empty() && !finished) return {};
  return Look{!first.set().empty(), first.set()};
}

}  // namespace

Result<SolveStatus> reaches(const SearchProblem& problem, const SearchOptions& options, std::int64_t error,
                            const Control& control) {
  TRY_DONE(check_options(problem, options));
  if (!problem.complete()) return SolveStatus::unknown;
  const auto look = look_for(*problem.problem(), options, error, control);
  if (!look) return SolveStatus::unknown;
  return look->found ? SolveStatus::optimal : SolveStatus::infeasible;
}

Result<LeastDepth> least_depth(const SearchProblem& problem, const SearchOptions& options, const Control& control) {
  LeastDepth out;
  SearchOptions at = options;
  at.resume = nullptr;
  at.depth = num_required(options);
  TRY_DONE(check_options(problem, options));
  out.outcome = not_prepared(problem);
  if (!problem.complete()) return out;
  const Problem& p = *problem.problem();
  out.outcome.lower_bound = p.base;
  for (;; ++at.depth) {
    out.depth = at.depth;
    const auto look = look_for(p, at, p.base, control);
    if (!look) return out;
    if (!look->found && at.depth < options.depth && p.choose(at.depth) < p.candidates.size()) continue;
    out.status = look->found ? SolveStatus::optimal : SolveStatus::infeasible;
    if (!look->found) return out;
    TRY(auto outcome, run_search(p, at, control));
    out.outcome = std::move(outcome);
    if (out.outcome.status == SolveStatus::optimal) return out;
    out.outcome.features = to_features(p, look->set);  // the limit came now; the set is there all the same
    out.outcome.error = out.outcome.lower_bound = p.base;
    out.outcome.status = SolveStatus::optimal;
    return out;
  }
}

}  // namespace beadwork
