#include <beadwork/search.hpp>
#include <beadwork/search/kernel/choose.hpp>
#include <beadwork/search/solve.hpp>

#include <fmt/format.h>

namespace beadwork {

using namespace detail;

namespace {

std::vector<Feature> to_features(const Problem& p, const Candidates& set) {
  std::vector<Feature> out = p.required;
  for (const std::uint32_t i : set) out.push_back(p.candidates[i].feature);
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Feature> positions(const Problem& p, const std::vector<std::uint32_t>& order) {
  std::vector<Feature> out;
  for (const std::uint32_t i : order) out.push_back(p.candidates[i].feature);
  return out;
}

// The candidates among these features, at most as many as are chosen.
Candidates to_candidates(const Problem& p, const std::vector<Feature>& features) {
  Candidates out;
  for (std::uint32_t i = 0; i < p.candidates.size() && out.size() < p.choose; ++i)
    if (std::find(features.begin(), features.end(), p.candidates[i].feature) != features.end())
      out.push_back(i);
  return out;
}

Phase phase_for(const SearchOptions& options, const Control& control) {
  Phase phase;
  phase.threads = options.threads;
  phase.kernel = options.kernel;
  phase.bounds = options.bounds;
  phase.control = &control;
  phase.seed = options.seed;
  phase.restarts = options.restarts;
  return phase;
}

// The problem with some candidates fixed and only those from `first` on left to choose from.
Problem restricted(const Problem& p, const Candidates& fixed, std::uint32_t first) {
  Problem q;
  q.num_channels = p.num_channels;
  q.num_rows = p.num_rows;
  q.cell = p.cell;
  q.costs = p.costs;
  q.base = p.base;
  q.total = p.total;
  q.choose = p.choose - fixed.size();
  q.candidates.assign(p.candidates.begin() + first, p.candidates.end());
  q.columns.assign(p.columns.begin() + first, p.columns.end());
  for (const std::uint32_t f : fixed) {
    std::vector<std::uint32_t> number(2 * q.num_rows + 2, UINT32_MAX);
    std::uint32_t next = 0;
    for (std::size_t r = 0; r < q.num_rows; ++r) {
      std::uint32_t& n = number[2 * q.cell[r] + bit(p.columns[f], r)];
      if (n == UINT32_MAX) n = next++;
      q.cell[r] = n;
    }
  }
  return q;
}

// The lexicographically least set of the error of `witness`, which is optimal. Member by member: is there
// such a set with a smaller one here? Needed only where ties are too many to be seen in passing.
Candidates least_set(const Problem& p, Candidates witness, std::int64_t error, Phase phase) {
  phase.restarts = 0;
  Candidates fixed;
  for (std::size_t i = 0; i < p.choose; ++i) {
    for (std::uint32_t f = fixed.empty() ? 0 : fixed.back() + 1; f < witness[i]; ++f) {
      if (phase.control->stopping()) return witness;
      Candidates with = fixed;
      with.push_back(f);
      const Problem q = restricted(p, with, f + 1);
      if (q.candidates.size() < q.choose) break;
      FirstFound first(error + 1);
      if (q.choose == 0) {
        if (evaluate(q, {}) == error) first.offer({0}, error);
      } else {
        run_phase(q, first, phase);
      }
      if (first.set().empty()) continue;
      witness = with;
      if (q.choose > 0)
        for (const std::uint32_t g : first.set()) witness.push_back(g + f + 1);
      break;
    }
    fixed.push_back(witness[i]);
  }
  return witness;
}

// The candidate of each position of the state; nothing if these are not the candidates.
std::optional<std::vector<std::uint32_t>> order_of(const Problem& p, const SearchState& state) {
  std::vector<std::uint32_t> out;
  for (const Feature f : state.order) {
    const auto at = std::lower_bound(p.candidates.begin(), p.candidates.end(), f,
                                     [](const Candidate& c, Feature g) { return c.feature < g; });
    if (at == p.candidates.end() || at->feature != f) return {};
    out.push_back(static_cast<std::uint32_t>(at - p.candidates.begin()));
  }
  auto sorted = out;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return {};
  if (out.size() != p.candidates.size()) return {};
  return out;
}

Status check_state(const Problem& p, const SearchState& state) {
  if (state.problem != p.hash)
    return usage_error("the state belongs to other data or other options", "resume");
  if (!order_of(p, state)) return usage_error("the state has another feature order", "resume");
  return Done{};
}

Result<SearchOutcome> run_search(const Problem& p, const SearchOptions& options, const Control& control) {
  const Stopwatch clock;
  SearchOutcome out;
  Incumbent best(options.max_ties);
  Phase phase = phase_for(options, control);
  for (const auto& set : options.start) phase.start.push_back(to_candidates(p, set));
  phase.upper_bound = [&] { return best.error(); };

  const auto state_of = [&](const std::vector<SearchRange>& done, std::int64_t bound,
                            const std::vector<std::uint32_t>& order) {
    SearchState s;
    s.problem = p.hash;
    s.order = positions(p, order);
    if (best.known()) {
      s.error = best.error();
      s.incumbent = to_features(p, best.set());
    }
    s.ties_complete = best.ties_complete();
    // Nothing to choose has no units, and no bound below them.
    const bool nothing_seen = !best.known() && bound == INT64_MAX;
    s.lower_bound = nothing_seen ? p.base : std::max(p.base, std::min(bound, best.error()));
    s.done = done;
    return s;
  };
  if (options.resume != nullptr) {
    if (auto ok = check_state(p, *options.resume); !ok) return ok.error();
    phase.resume = &options.resume->done;
    phase.resume_order = *order_of(p, *options.resume);
    if (options.resume->error) {
      const Candidates set = to_candidates(p, options.resume->incumbent);
      if (set.size() != p.choose || evaluate(p, set) != *options.resume->error)
        return usage_error("the incumbent of the state does not have the error it claims", "resume");
      best.offer(set, *options.resume->error);
    }
    if (!options.resume->ties_complete) best.give_up_ties();
    phase.restarts = 0;
  }
  if (options.checkpoint) {
    phase.checkpoint_seconds = options.checkpoint_seconds;
    phase.checkpoint = [&](const std::vector<SearchRange>& done, std::int64_t bound,
                           const std::vector<std::uint32_t>& order) {
      options.checkpoint(state_of(done, bound, order));
    };
  }
  const PhaseResult r = run_phase(p, best, phase);
  if (best.known()) {
    Candidates set = best.set();
    out.error = best.error();
    if (r.finished && !best.ties_complete()) set = least_set(p, set, out.error, phase);
    out.features = to_features(p, set);
    out.status = r.finished ? SearchStatus::optimal : SearchStatus::feasible;
    if (evaluate(p, set) != out.error)
      return Error{ErrorCode::internal, "search: an error was counted wrong"};
  }
  out.state = state_of(r.done, r.lower_bound, r.order);
  out.lower_bound = r.finished ? out.error : out.state.lower_bound;
  if (best.known() && out.lower_bound == out.error) out.status = SearchStatus::optimal;
  out.memory_limit_hit = r.out_of_memory;
  out.stats = {r.stats.nodes, r.stats.steps, r.stats.evaluated, clock.seconds()};
  return out;
}

Result<Problem> checked_problem(const Condensed& data, const SearchOptions& options) {
  if (auto ok = check_kernel(options.kernel); !ok) return ok.error();
  return make_problem(data, options);
}

}  // namespace

Result<SearchOutcome> search(const Condensed& data, const SearchOptions& options, const Control& control) {
  const auto p = checked_problem(data, options);
  if (!p) return p.error();
  return run_search(*p, options, control);
}

Result<SearchOutcome> local_search(const Condensed& data, const SearchOptions& options,
                                   const Control& control) {
  const Stopwatch clock;
  const auto p = checked_problem(data, options);
  if (!p) return p.error();
  Incumbent best(options.max_ties);
  Phase phase = phase_for(options, control);
  phase.restarts = std::max<std::size_t>(1, phase.restarts);
  phase.tree = p->choose == 0;
  for (const auto& set : options.start) phase.start.push_back(to_candidates(*p, set));
  const PhaseResult r = run_phase(*p, best, phase);
  SearchOutcome out;
  out.lower_bound = p->base;
  out.memory_limit_hit = r.out_of_memory;
  out.stats.seconds = clock.seconds();
  if (!best.known()) return out;
  out.error = best.error();
  out.features = to_features(*p, best.set());
  out.status = out.error == p->base ? SearchStatus::optimal : SearchStatus::feasible;
  return out;
}

Result<SearchFront> search_front(const Condensed& data, const SearchOptions& options,
                                 const Control& control) {
  SearchFront out;
  SearchOptions at = options;
  at.resume = nullptr;
  for (std::size_t depth =
           std::max<std::size_t>(std::min<std::size_t>(1, options.depth), options.require.size());
       depth <= options.depth; ++depth) {
    at.depth = depth;
    auto outcome = search(data, at, control);
    if (!outcome) return outcome.error();
    at.start = options.start;
    at.start.push_back(outcome->features);
    out.depths.push_back(depth);
    out.by_depth.push_back(std::move(*outcome));
    if (out.by_depth.back().status != SearchStatus::optimal) break;
  }
  return out;
}

Result<LeastDepth> least_depth(const Condensed& data, const SearchOptions& options, const Control& control) {
  LeastDepth out;
  SearchOptions at = options;
  at.resume = nullptr;
  for (std::size_t depth = options.require.size(); depth <= options.depth; ++depth) {
    at.depth = depth;
    const auto p = checked_problem(data, at);
    if (!p) return p.error();
    out.depth = depth;
    out.outcome.lower_bound = p->base;
    if (p->base > 0) {
      out.status = SearchStatus::infeasible;
      return out;
    }
    // Is there a set of error 0? A search that wants nothing else is far quicker than one for the optimum.
    FirstFound zero(1);
    bool found = false, finished = true;
    if (p->choose == 0) {
      found = evaluate(*p, {}) == 0;
    } else {
      const PhaseResult r = run_phase(*p, zero, phase_for(at, control));
      found = !zero.set().empty();
      finished = r.finished;
    }
    if (found) {
      auto outcome = search(data, at, control);
      if (!outcome) return outcome.error();
      out.outcome = std::move(*outcome);
      if (out.outcome.status != SearchStatus::optimal) {  // the limit came now; the set is there all the same
        out.outcome.features = to_features(*p, p->choose == 0 ? Candidates{} : zero.set());
        out.outcome.error = out.outcome.lower_bound = 0;
        out.outcome.status = SearchStatus::optimal;
      }
      out.status = SearchStatus::optimal;
      return out;
    }
    if (!finished) return out;
    if (depth == options.depth || p->choose == p->candidates.size()) {
      auto outcome = search(data, at, control);
      if (!outcome) return outcome.error();
      out.outcome = std::move(*outcome);
      break;
    }
  }
  out.status = SearchStatus::infeasible;
  return out;
}

Result<NearOutcome> search_near(const Condensed& data, const SearchOptions& options, const NearOptions& near,
                                const Control& control) {
  require((near.best > 0) != near.within.has_value(), "search_near: give either `best` or `within`");
  const auto p = checked_problem(data, options);
  if (!p) return p.error();
  SearchOptions plain = options;
  plain.resume = nullptr;
  plain.checkpoint = nullptr;
  const auto optimum = run_search(*p, plain, control);
  if (!optimum) return optimum.error();
  NearOutcome out;
  out.optimum = optimum->error;
  if (optimum->status != SearchStatus::optimal) return out;
  const std::int64_t limit =
      near.within ? (*near.within > INT64_MAX - 1 - out.optimum ? INT64_MAX : out.optimum + *near.within + 1)
                  : INT64_MAX;
  Collector all(*p, limit, near.within ? near.most : near.best, near.best > 0);
  Phase phase = phase_for(options, control);
  if (near.within) phase.restarts = 0;
  const PhaseResult r = run_phase(*p, all, phase);
  for (const FoundSet& f : all.found()) {
    out.sets.push_back({to_features(*p, f.set), f.error, copies(*p, f.set)});
    if (near.best > 0) out.num_copies = saturating_add(out.num_copies, out.sets.back().copies);
  }
  out.num_sets = near.best > 0 ? out.sets.size() : all.num_sets();
  if (near.within) out.num_copies = all.num_copies();
  out.status = r.finished ? SearchStatus::optimal : SearchStatus::feasible;
  return out;
}

Result<std::int64_t> set_error(const Condensed& data, const SearchOptions& options,
                               const std::vector<Feature>& features) {
  SearchOptions fixed = options;
  fixed.require = features;
  fixed.forbid.clear();
  fixed.depth = std::max<std::size_t>(features.size(), 1);
  const auto p = make_problem(data, fixed);
  if (!p) return p.error();
  return evaluate(*p, {});
}

Status check_state(const Condensed& data, const SearchOptions& options, const SearchState& state) {
  const auto p = make_problem(data, options);
  if (!p) return p.error();
  return check_state(*p, state);
}

}  // namespace beadwork
