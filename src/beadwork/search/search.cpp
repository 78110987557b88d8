#include <beadwork/search/best.hpp>
#include <beadwork/search/kernel/choose.hpp>

#include <fmt/format.h>

namespace beadwork {
namespace detail {

Status check_options(const SearchProblem& problem, const SearchOptions& options) {
  TRY_DONE(check_kernel(options.kernel));
  if (options.depth > 20) return option_error(fmt::format("depth {} is above 20", options.depth), "depth");
  if (!problem.complete()) return Done{};
  const Problem& p = *problem.problem();
  const auto same = [](const std::vector<Feature>& list, const std::vector<Feature>& increasing) {
    return std::all_of(list.begin(), list.end(),
                       [&](Feature f) { return std::binary_search(increasing.begin(), increasing.end(), f); }) &&
           std::all_of(increasing.begin(), increasing.end(),
                       [&](Feature f) { return std::find(list.begin(), list.end(), f) != list.end(); });
  };
  require(same(options.require, p.asked) && same(options.forbid, p.forbidden) && options.costs == p.cost_matrix &&
              increasing_groups(options.require_any) == p.asked_any,
          "search: the problem was prepared with these costs, required and forbidden features");
  const std::size_t least = p.required.size() + p.num_groups();
  if (least > options.depth)
    return option_error(fmt::format("{} features are required at depth {}", least, options.depth), "require");
  return Done{};
}

SearchOutcome not_prepared(const SearchProblem& problem) {
  SearchOutcome out;
  out.memory_limit_hit = problem.memory_limit_hit();
  out.cut_short = true;
  return out;
}

namespace {

// The candidate of each position of the state; nothing if these are not the candidates.
std::optional<std::vector<std::uint32_t>> order_of(const Problem& p, const SearchState& state) {
  if (state.order.size() != p.candidates.size()) return {};
  std::vector<std::uint32_t> out;
  std::vector<bool> seen(p.candidates.size(), false);
  for (const Feature f : state.order) {
    const auto at = std::lower_bound(p.candidates.begin(), p.candidates.end(), f,
                                     [](const Candidate& c, Feature g) { return c.feature < g; });
    if (at == p.candidates.end() || at->feature != f) return {};
    out.push_back(static_cast<std::uint32_t>(at - p.candidates.begin()));
    if (seen[out.back()]) return {};
    seen[out.back()] = true;
  }
  return out;
}

// One search: its incumbent, its states, its two phases.
class BestSearch {
 public:
  BestSearch(const Problem& problem, const SearchOptions& options, const Control& control)
      : problem_(problem),
        options_(options),
        control_(control),
        phase_(phase_for(problem, options, control)),
        best_(options.effort.max_ties) {
    if (options.checkpoint || options.resume != nullptr || options.keep_state)
      hash_ = fingerprint(problem, options.depth);
    phase_.upper_bound = [this] { return best_.error(); };
    phase_.tie_work = options.effort.tie_work;
    phase_.exchange_seconds = options.exchange_seconds;
    if (options.exchange) phase_.exchange = [this] { return exchange(); };
    if (!options.checkpoint) return;
    phase_.checkpoints = {options.checkpoint_seconds, [this](const auto& done, auto bound, const auto& order) {
                            options_.checkpoint(state(done, bound, order));
                          }};
  }

  Status resume(const SearchState& from);
  // From here on the search is for the sets of this range alone: what `from` calls done must hold all others.
  void keep_to(const SearchRange& part) {
    part_ = part;
    phase_.part = true;
  }
  Result<SearchOutcome> run();

 private:
  std::optional<std::pair<Candidates, std::int64_t>> exchange();
  SearchState state(const std::vector<SearchRange>& done, std::int64_t bound,
                    const std::vector<std::uint32_t>& order) const;
  void break_ties(PhaseResult& result);

  const Problem& problem_;
  const SearchOptions& options_;
  const Control& control_;
  Phase phase_;
  Incumbent best_;
  std::string hash_;
  std::optional<SearchRange> part_;
};

std::optional<std::pair<Candidates, std::int64_t>> BestSearch::exchange() {
  const Candidates mine = best_.set();
  const auto theirs = options_.exchange(best_.known() ? to_features(problem_, mine) : std::vector<Feature>{},
                                        best_.known() ? best_.error() : 0);
  if (!theirs) return {};
  Candidates set = to_candidates(problem_, *theirs, phase_.choose);
  if (set.size() != phase_.choose || open_groups(problem_, set) != 0) return {};
  const std::int64_t error = evaluate(problem_, set);
  if (!best_.improves(set, error)) return {};
  return std::pair{std::move(set), error};
}

SearchState BestSearch::state(const std::vector<SearchRange>& done, std::int64_t bound,
                              const std::vector<std::uint32_t>& order) const {
  SearchState s;
  s.problem = hash_;
  for (std::size_t i = 0; i < problem_.candidates.size(); ++i)
    s.order.push_back(problem_.candidates[order.empty() ? i : order[i]].feature);
  if (best_.known()) {
    s.error = best_.error();
    s.incumbent = to_features(problem_, best_.set());
  }
  s.ties_complete = best_.ties_complete();
  // Nothing to choose has no units, and no bound below them.
  const bool nothing_seen = !best_.known() && bound == INT64_MAX;
  s.lower_bound = nothing_seen ? problem_.base : std::max(problem_.base, std::min(bound, best_.error()));
  s.done = part_ ? clipped(done, *part_) : done;
  return s;
}

Status BestSearch::resume(const SearchState& from) {
  if (from.problem != hash_) return option_error("the state belongs to other data or other options", "resume");
  auto order = order_of(problem_, from);
  if (!order) return option_error("the state has another feature order", "resume");
  phase_.resume = &from.done;
  phase_.resume_order = *std::move(order);
  phase_.restarts = 0;
  phase_.proven = from.lower_bound;
  if (from.error) {
    const Candidates set = to_candidates(problem_, from.incumbent, phase_.choose);
    const bool allowed = set.size() == phase_.choose && open_groups(problem_, set) == 0;
    if (!allowed || evaluate(problem_, set) != *from.error)
      return option_error("the incumbent of the state does not have the error it claims", "resume");
    best_.offer(set, *from.error);
  }
  if (from.ties_complete) return Done{};
  best_.give_up_ties();
  phase_.tie_work = 0;
  return Done{};
}

// The error is proven; which of the sets that have it is the first? A search of its own: one thread, no start,
// positions in the order of features, so that what it does depends on the problem alone.
void BestSearch::break_ties(PhaseResult& result) {
  if (control_.stopping()) return;
  FirstOptimum first(best_.error());
  Phase phase;
  phase.choose = phase_.choose;
  phase.kernel = phase_.kernel;
  phase.bounds = phase_.bounds;
  phase.control = phase_.control;
  phase.upper_bound = phase_.upper_bound;
  phase.by_feature = true;
  phase.poll_effort = phase_.poll_effort;
  phase.tie_work = options_.effort.tie_work;
  const PhaseResult r = run_phase(problem_, first, phase);
  result.stats.nodes += r.stats.nodes;
  result.stats.steps += r.stats.steps;
  result.stats.evaluated += r.stats.evaluated;
  result.out_of_memory = r.out_of_memory;
  if (first.set().empty()) return;
  if (r.finished && r.stats.work <= options_.effort.tie_work)
    best_.settle_ties(first.set());
  else
    best_.offer(first.set(), best_.error());
}

Result<SearchOutcome> BestSearch::run() {
  const Stopwatch clock;
  PhaseResult r = run_phase(problem_, best_, phase_);
  const bool proven = best_.known() && (r.finished || r.lower_bound >= best_.error());
  if (proven) {
    const bool ties_seen = r.finished && (best_.ties_complete() || phase_.choose == 0);
    if (ties_seen)
      best_.settle_ties(best_.set());
    else
      best_.give_up_ties();
    // Under the incumbent's error nothing is left to do.
    r.done = {SearchRange{}};
    r.lower_bound = INT64_MAX;
    if (!ties_seen && options_.checkpoint) options_.checkpoint(state(r.done, r.lower_bound, r.order));
    if (!ties_seen && !part_) break_ties(r);
  }
  if (options_.exchange && best_.known()) (void)exchange();
  SearchOutcome out;
  out.state = state(r.done, r.lower_bound, r.order);
  out.lower_bound = out.state.lower_bound;
  out.memory_limit_hit = r.out_of_memory;
  out.stats = {r.stats.nodes, r.stats.steps, r.stats.evaluated, clock.seconds()};
  if (!best_.known()) return out;
  out.error = best_.error();
  out.features = to_features(problem_, best_.set());
  out.status = proven ? SolveStatus::optimal : SolveStatus::feasible;
  out.tie_canonical = proven && best_.ties_complete();
  if (evaluate(problem_, best_.set()) != out.error)
    return Error{ErrorCode::internal, "search: an error was counted wrong"};
  if (open_groups(problem_, best_.set()) != 0)
    return Error{ErrorCode::internal, "search: what is required is not in the set"};
  return out;
}

}  // namespace

Result<SearchOutcome> run_search(const Problem& problem, const SearchOptions& options, const Control& control) {
  BestSearch search(problem, options, control);
  if (options.resume != nullptr) TRY_DONE(search.resume(*options.resume));
  return search.run();
}

Result<SearchOutcome> run_part(const Problem& problem, const SearchOptions& options, const SearchState& from,
                               const SearchRange& part, const Control& control) {
  BestSearch search(problem, options, control);
  search.keep_to(part);
  TRY_DONE(search.resume(from));
  return search.run();
}

Status check_state(const Problem& problem, const SearchOptions& options, const SearchState& state) {
  if (state.problem != fingerprint(problem, options.depth))
    return option_error("the state belongs to other data or other options", "resume");
  if (!order_of(problem, state)) return option_error("the state has another feature order", "resume");
  return Done{};
}

}  // namespace detail

using namespace detail;

std::size_t num_required(const SearchOptions& options) {
  const auto is_open = [&](const std::vector<Feature>& group) {
    return std::none_of(group.begin(), group.end(), [&](Feature f) {
      return std::find(options.require.begin(), options.require.end(), f) != options.require.end();
    });
  };
  const auto groups = increasing_groups(options.require_any);
  return options.require.size() + static_cast<std::size_t>(std::count_if(groups.begin(), groups.end(), is_open));
}

Result<SearchOutcome> search(const SearchProblem& problem, const SearchOptions& options, const Control& control) {
  TRY_DONE(check_options(problem, options));
  if (!problem.complete()) return not_prepared(problem);
  return run_search(*problem.problem(), options, control);
}

Result<SearchOutcome> local_search(const SearchProblem& problem, const SearchOptions& options, const Control& control) {
  const Stopwatch clock;
  TRY_DONE(check_options(problem, options));
  if (!problem.complete()) return not_prepared(problem);
  const Problem& p = *problem.problem();
  Incumbent best(options.effort.max_ties);
  Phase phase = phase_for(p, options, control);
  phase.restarts = std::max<std::size_t>(1, phase.restarts);
  phase.tree = phase.choose == 0;
  const PhaseResult r = run_phase(p, best, phase);
  SearchOutcome out;
  out.lower_bound = p.base;
  out.memory_limit_hit = r.out_of_memory;
  out.cut_short = !r.finished;
  out.stats.seconds = clock.seconds();
  if (!best.known()) return out;
  out.error = best.error();
  out.features = to_features(p, best.set());
  out.status = out.error == p.base ? SolveStatus::optimal : SolveStatus::feasible;
  return out;
}

Status check_state(const SearchProblem& problem, const SearchOptions& options, const SearchState& state) {
  TRY_DONE(check_options(problem, options));
  if (!problem.complete()) return Done{};  // nothing will be searched, so nothing is believed
  return check_state(*problem.problem(), options, state);
}

}  // namespace beadwork
