#include <beadwork/search/best.hpp>

namespace beadwork {

using namespace detail;

namespace {

NearOutcome listed(const Problem& p, const Collector& all, const NearOptions& near, std::int64_t optimum,
                   bool finished) {
  NearOutcome out;
  out.optimum = optimum;
  for (const FoundSet& f : all.found()) {
    out.sets.push_back({to_features(p, f.set), f.error, copies(p, f.set)});
    if (near.best > 0) out.num_copies = saturating_add(out.num_copies, out.sets.back().copies);
  }
  out.num_sets = near.best > 0 ? out.sets.size() : all.num_sets();
  if (near.best == 0) out.num_copies = all.num_copies();
  out.status = finished ? SolveStatus::optimal : SolveStatus::feasible;
  return out;
}

}  // namespace

Result<NearOutcome> search_near(const SearchProblem& problem, const SearchOptions& options, const NearOptions& near,
                                const Control& control) {
  require(near.best > 0 || near.within, "search_near: give `best` or `within`");
  TRY_DONE(check_options(problem, options));
  if (!problem.complete()) return NearOutcome{};
  const Problem& p = *problem.problem();
  std::optional<std::int64_t> optimum = near.optimum;
  if (!optimum) {
    SearchOptions plain = options;
    plain.resume = nullptr;
    plain.checkpoint = nullptr;
    plain.effort.max_ties = plain.effort.tie_work = 0;  // which of the best sets does not matter here
    TRY(const auto best, run_search(p, plain, control));
    NearOutcome unknown;
    unknown.optimum = best.error;
    if (best.status != SolveStatus::optimal) return unknown;
    optimum = best.error;
  }
  const bool everything = !near.within || *near.within > INT64_MAX - 1 - *optimum;
  Collector all(p, everything ? INT64_MAX : *optimum + *near.within + 1, near.best > 0 ? near.best : near.most,
                near.best > 0);
  if (near.found)
    all.listen([&](const Candidates& set) {
      const std::int64_t most = near.found(to_features(p, set));
      return most == INT64_MAX ? most : most + 1;
    });
  Phase phase = phase_for(p, options, control);
  if (near.best == 0) {  // what is found on the way would be counted twice
    phase.restarts = 0;
    phase.start.clear();
  }
  const PhaseResult r = run_phase(p, all, phase);
  NearOutcome out = listed(p, all, near, *optimum, r.finished);
  out.lower_bound = std::max(*optimum, r.lower_bound);
  return out;
}

Result<NearOutcome> search_near(const Condensed& data, const SearchOptions& options, const NearOptions& near,
                                const Control& control) {
  require(near.best > 0 || near.within, "search_near: give `best` or `within`");
  TRY(const auto problem, prepare(data, options, control));
  return search_near(problem, options, near, control);
}

}  // namespace beadwork
