#include <beadwork/engine/choose.hpp>
#include <beadwork/engine/committee.hpp>
#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/faithful.hpp>
#include <beadwork/engine/folds.hpp>
#include <beadwork/engine/held_cells.hpp>
#include <beadwork/engine/sized.hpp>

#include <algorithm>

// Engines search and local.

namespace beadwork {
namespace {

// What the searches of one fit share.
struct Fit {
  const Task& task;
  const ForSearch& asked;
  SearchProblem problem;
  SearchOptions options;
  const Control& control;
  mutable bool out_of_memory = false;  // of any of the searches
};

Result<SearchOutcome> search(const Fit& fit, const SearchOptions& at) {
  auto outcome = search(fit.problem, at, fit.control);
  if (outcome && outcome->memory_limit_hit) fit.out_of_memory = true;
  return outcome;
}

// The best function of the outcome's features. A limit may come before any set was seen; the required features are
// there in any case.
EngineAnswer found_by_search(const Task& task, const SearchOutcome& outcome, const Control& control) {
  const bool unknown = outcome.status == SolveStatus::unknown;
  const std::vector<Feature> features = unknown ? task.least_answer() : outcome.features;
  EngineAnswer found = best_function(task, features, outcome.lower_bound, control);
  found.out_of_memory = outcome.memory_limit_hit;
  if (unknown || !is_of(found, features)) return found;
  found.status = outcome.status;
  found.upper_bound = outcome.error;
  found.canonical = outcome.tie_canonical;
  return found;
}

// Exactly `depth` columns that are not all-zero, the given ones among them; nothing if there are too few.
std::optional<std::vector<Feature>> complete(std::vector<Feature> features, const Task& task) {
  const auto dropped = task.request.reading.keep_all_zero ? std::vector<Feature>{} : all_zero_features(task.dataset);
  for (std::size_t f = 0; f < task.dataset.num_features() && features.size() < task.depth(); ++f)
    if (!std::binary_search(dropped.begin(), dropped.end(), Feature{f}) &&
        std::find(features.begin(), features.end(), Feature{f}) == features.end())
      features.emplace_back(f);
  if (features.size() < task.depth()) return std::nullopt;
  std::sort(features.begin(), features.end());
  return features;
}

// Of a search that a limit stopped, under the paper's reading.
EngineAnswer best_so_far(const Task& task, const SearchOutcome& outcome, const std::vector<Feature>& features) {
  const std::size_t classes = task.dataset.num_classes();
  const TruthTable table = bead_table(task.dataset, features);
  const auto counts = count_cells(task.dataset, table.order());
  EngineAnswer found;
  found.status = SolveStatus::feasible;
  found.lower_bound = outcome.lower_bound;
  found.upper_bound = task.dataset.total_weight();
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell)
    *found.upper_bound -= counts[cell * classes + table.first_allowed(cell)()];
  found.out_of_memory = outcome.memory_limit_hit;
  answer_faithfully(found, task.dataset, table);
  return found;
}

// The paper's reading costs nothing more where the best set can have a root that is a bead; where it would, enumeration
// looks at every set. A search that a limit stopped gives its best set so far.
Result<EngineAnswer> search_faithfully(const Task& task, const Control& control) {
  const SearchOptions o = search_options(task);
  TRY(const auto problem, prepare(task.dataset, o, control));
  TRY(const auto outcome, search(problem, o, control));
  const auto features = complete(outcome.features, task);
  if (!features || task.depth() == 0 || task.dataset.num_classes() < 2) return learn_by_enumeration(task, control);
  if (outcome.status != SolveStatus::optimal) return best_so_far(task, outcome, *features);
  if (bead_cost(count_cells(task.dataset, *features), task.dataset.num_classes()) != 0)
    return learn_by_enumeration(task, control);
  EngineAnswer found = found_by_search(task, outcome, control);
  answer_faithfully(found, task.dataset, bead_table(task.dataset, *features));
  return found;
}

// Errors that no set can avoid.
std::int64_t unavoidable(const Fit& fit) {
  return fit.problem.complete() && fit.options.costs.empty() ? fit.problem.data().unavoidable_errors : 0;
}

// The search at one depth of several. Which of equal sets is first matters only where the error is the one that is
// wanted.
Result<SearchOutcome> search_for(const Fit& fit, SearchOptions at, std::int64_t wanted) {
  at.effort.tie_work = 0;
  auto outcome = search(fit, at);
  if (!outcome || outcome->status != SolveStatus::optimal || outcome->error != wanted || outcome->tie_canonical)
    return outcome;
  at.effort.tie_work = fit.options.effort.tie_work;
  at.start = {outcome->features};
  return search(fit, at);
}

// One search for each depth, each starting from the answer of the one before. Stopped early, the last answer stands for
// the depth asked for, with nothing proven but what holds for all depths.
Result<SearchOutcome> search_depths(const Fit& fit, std::vector<SetAnswer>& answers) {
  SearchOptions at = fit.options;
  at.depth = std::min(at.depth, std::max(*fit.task.request.run.depth.from, num_required(at)));
  for (;; ++at.depth) {
    auto outcome = search(fit, at);
    if (!outcome) return outcome;
    if (outcome->status != SolveStatus::unknown) {
      answers.push_back({.features = outcome->features,
                         .cost = outcome->error,
                         .lower_bound = outcome->lower_bound,
                         .status = outcome->status,
                         .depth = at.depth,
                         .table = {},
                         .seconds = outcome->stats.seconds});
      at.start = {outcome->features};
    }
    if (at.depth >= fit.options.depth) return outcome;
    if (outcome->status == SolveStatus::optimal) continue;
    if (!answers.empty()) {
      outcome->features = answers.back().features;
      outcome->error = answers.back().cost;
      outcome->status = SolveStatus::feasible;
    }
    outcome->lower_bound = unavoidable(fit);
    outcome->state = {};
    return outcome;
  }
}

// A proven answer at the depth from which no feature can be spared.
struct Settled {
  SearchOutcome outcome;
  std::size_t depth = 0;
};

// Where some set is known to make the fewest errors that the features allow: from few features to many, as the wide
// searches would have too many such sets to choose from. Nothing if time runs out.
Result<std::optional<Settled>> settle(const Fit& fit, std::int64_t fewest) {
  SearchOptions at = fit.options;
  for (at.depth = num_required(at); at.depth <= fit.options.depth; ++at.depth) {
    TRY(auto outcome, search_for(fit, at, fewest));
    if (outcome.status != SolveStatus::optimal) break;
    if (outcome.error == fewest) return std::optional(Settled{std::move(outcome), at.depth});
  }
  return std::optional<Settled>{};
}

// The proven answer with as few features as its error takes; proof and state stay those of the depth asked for.
Status spare_features(const Fit& fit, Settled& answer) {
  SearchOptions at = fit.options;
  at.resume = nullptr;
  at.checkpoint = nullptr;
  if (answer.outcome.status != SolveStatus::optimal) return Done{};
  while (answer.depth > num_required(at)) {
    at.depth = answer.depth - 1;
    TRY(const auto enough, reaches(fit.problem, at, answer.outcome.error, fit.control));
    if (enough == SolveStatus::infeasible) break;  // known sooner than the least error of fewer features
    TRY(auto fewer, search_for(fit, at, answer.outcome.error));
    if (fewer.status != SolveStatus::optimal) answer.outcome.tie_canonical = false;  // a limit: there may be fewer
    if (fewer.status != SolveStatus::optimal || fewer.error != answer.outcome.error) break;
    answer.outcome.features = std::move(fewer.features);
    answer.outcome.tie_canonical = fewer.tie_canonical;
    answer.depth = at.depth;
  }
  return Done{};
}

// The search at the depth asked for; where a quick look finds a set without avoidable errors it is spared, unless its
// proof or its state is wanted.
Result<Settled> search_once(const Fit& fit) {
  const bool whole = fit.asked.certificate || fit.asked.checkpoint || fit.task.exchange.resume;
  SearchOptions at = fit.options;
  at.local_until = fit.control.deadline.part(shares::kLocal);
  if (!whole && at.costs.empty()) {
    TRY(auto quick, local_search(fit.problem, at, fit.control));
    if (quick.memory_limit_hit) fit.out_of_memory = true;
    if (quick.status == SolveStatus::optimal) {
      TRY(auto settled, settle(fit, quick.error));
      return settled ? *std::move(settled) : Settled{std::move(quick), fit.options.depth};
    }
    at.start.push_back(quick.features);
    at.effort.restarts = 0;
  }
  TRY(auto outcome, search(fit, at));
  Settled answer{std::move(outcome), fit.options.depth};
  TRY_DONE(spare_features(fit, answer));
  return answer;
}

Result<Settled> search_as_asked(const Fit& fit, std::vector<SetAnswer>& by_depth) {
  if (!fit.task.request.run.depth.from) return search_once(fit);
  TRY(auto last, search_depths(fit, by_depth));
  Settled answer{std::move(last), fit.options.depth};
  TRY_DONE(spare_features(fit, answer));
  return answer;
}

// The front goes from few features to many: before a search that may take all the time, which starts from its best.
Result<SetList> list_front(Fit& fit) {
  TRY(const auto found, error_front(fit.task.dataset, fit.options, fit.control));
  const FrontPoint* best = nullptr;
  for (const FrontPoint& p : found.points)
    if (best == nullptr || p.errors < best->errors) best = &p;
  if (best != nullptr) fit.options.start = {best->table.order()};
  SetList out = list_of(found);
  out.num_distinct = condense(fit.task.dataset.select(fit.task.allowed)).features.size();
  return out;
}

Result<std::optional<SetList>> list_near(const Fit& fit, const SearchOutcome& outcome) {
  auto near = near_options(fit.asked, fit.task.cost.units);
  if (!near) return std::optional<SetList>{};
  if (outcome.status == SolveStatus::optimal) near->optimum = outcome.error;
  SearchOptions again = fit.options;
  again.start = {outcome.features};
  TRY(const auto sets, search_near(fit.problem, again, *near, fit.control));
  SetList list{{}, sets.status == SolveStatus::optimal, sets.num_sets, sets.num_copies};
  for (const NearSet& s : sets.sets)
    list.sets.push_back({.features = s.features,
                         .cost = s.error,
                         .lower_bound = s.error,
                         .status = SolveStatus::feasible,
                         .copies = s.copies,
                         .table = {}});
  return std::optional(std::move(list));
}

// The sets of a committee; none but the answer itself where it is not proven.
Result<std::optional<Voters>> list_voters(const Fit& fit, const SearchOutcome& outcome) {
  if (!fit.asked.committee) return std::optional<Voters>{};
  NearOptions near;
  near.within = committee_margin(fit.task);
  Voters none;
  none.claim.within = *near.within;
  if (outcome.status != SolveStatus::optimal) return std::optional(std::move(none));
  near.optimum = outcome.error;
  SearchOptions again = fit.options;
  again.start = {outcome.features};
  TRY(const auto sets, search_near(fit.problem, again, near, fit.control));
  return std::optional(voters_among(fit.task, sets, *near.within, fit.control));
}

// A limit came before the search had a set: that of the front, or of the state to go on from. Parts of a plan are known
// to be of these data, so their bound holds as well; which of several best sets is the first is left open.
void take_what_is_known(const Fit& fit, SearchOutcome& outcome) {
  const auto& resume = fit.task.exchange.resume;
  const auto* state = resume ? std::get_if<SearchState>(&*resume) : nullptr;
  const bool goes_on = state != nullptr && state->error && fit.task.may_answer(state->incumbent);
  if (!goes_on && fit.options.start.empty()) return;
  outcome.features = goes_on ? state->incumbent : fit.options.start[0];
  outcome.error = set_cost(fit.task.dataset, outcome.features, fit.options.costs);
  outcome.status = SolveStatus::feasible;
  outcome.tie_canonical = false;
  if (!goes_on || fit.task.exchange.parts == 0 || *state->error != outcome.error) return;
  outcome.lower_bound = std::max(outcome.lower_bound, state->lower_bound);
  // A certificate would have to tell what is done.
  if (outcome.lower_bound == outcome.error && !fit.asked.certificate) outcome.status = SolveStatus::optimal;
}

Result<EngineAnswer> learn_sets(Fit fit) {
  std::optional<SetList> front;
  if (fit.asked.front) {
    TRY(auto listed, list_front(fit));
    front = std::move(listed);
  }
  std::vector<SetAnswer> by_depth;
  TRY(auto answer, search_as_asked(fit, by_depth));
  SearchOutcome& outcome = answer.outcome;
  if (outcome.status == SolveStatus::unknown) take_what_is_known(fit, outcome);
  EngineAnswer found = found_by_search(fit.task, outcome, fit.control);
  found.out_of_memory = fit.out_of_memory;
  found.by_depth = std::move(by_depth);
  found.front = std::move(front);
  if (fit.asked.certificate) {
    // With a time limit of 0 nothing is claimed as proven.
    if (fit.task.request.run.time_limit == 0.0) outcome.status = SolveStatus::feasible;
    TRY(auto text, certificate(fit.task.dataset, fit.options, outcome));
    found.certificate = std::move(text);
  }
  TRY(auto near, list_near(fit, outcome));
  found.near = std::move(near);
  TRY(auto voters, list_voters(fit, outcome));
  found.voters = std::move(voters);
  return found;
}

}  // namespace

Result<EngineAnswer> learn_by_search(const Task& task, const Control& control) {
  const auto& asked = task.request.only_of<ForSearch>();
  if (asked.max_nodes || asked.node_penalty) return learn_by_size(task, control);
  if (task.request.reading.faithful)
    return task.restricted() ? learn_among_allowed(task, control, learn_by_search) : search_faithfully(task, control);
  SearchOptions o = search_options(task);
  TRY(auto problem, prepare(task.dataset, o, control));
  Fit fit{task, asked, std::move(problem), std::move(o), control};
  if (task.exchange.resume && fit.problem.complete()) {
    const auto* state = std::get_if<SearchState>(&*task.exchange.resume);
    if (state == nullptr)
      return usage_error("the state is that of a search over sorted columns, and this one is over features",
                         asked.resume.path);
    if (auto ok = check_state(fit.problem, fit.options, *state); !ok)
      return usage_error(ok.error().message, asked.resume.path);
    fit.options.resume = state;
  }
  fit.options.checkpoint = task.exchange.checkpoint;
  fit.options.checkpoint_seconds = asked.checkpoint_every;
  return learn_sets(std::move(fit));
}

Result<EngineAnswer> learn_by_local_search(const Task& task, const Control& control) {
  const SearchOptions o = search_options(task);
  TRY(const auto problem, prepare(task.dataset, o, control));
  TRY(const auto outcome, local_search(problem, o, control));
  EngineAnswer found = found_by_search(task, outcome, control);
  found.cut_short = outcome.cut_short || !is_of(found, outcome.features);
  return found;
}

Result<Outcome> learn_at_least_depth(const Dataset& dataset, const Request& request, const Control& control) {
  const Control limited = limits_of(request, control);
  Control looking = limited;
  looking.deadline = limited.deadline.part(shares::kLeastDepth);
  Request last = request;
  last.least_depth = false;
  TRY(const auto task, make_task(dataset, request, {}, looking));
  const SearchOptions o = search_options(task);
  TRY(const auto problem, prepare(dataset, o, looking));
  TRY(const auto least, least_depth(problem, o, looking));
  last.run.depth = {least.depth, {}};
  const Control rest = after_folds(last, control, limited);
  return learn(dataset, last, rest);
}

Result<MinDepth> min_depth_by_search(const Dataset& dataset, const Request& request, const Control& control) {
  TRY(const auto task, make_task(dataset, request, {}, control));
  SearchOptions o = search_options(task);
  o.depth = kMaxDepth;
  TRY(const auto problem, prepare(dataset, o, control));
  MinDepth out;
  if (problem.complete() && problem.data().unavoidable_errors > 0) {
    out.status = SolveStatus::infeasible;
    return out;
  }
  TRY(auto least, least_depth(problem, o, control));
  out.lower_bound = least.status == SolveStatus::infeasible ? kMaxDepth + 1 : least.depth;
  if (least.status != SolveStatus::optimal) return out;
  const std::vector<Feature>& features = least.outcome.features;
  if (features.size() != least.depth || set_cost(dataset, features, {}) != 0)
    return Error{ErrorCode::internal, "the diagram that was found makes errors"};
  const auto counts = count_cells(dataset, features);
  out.table = fill_by_branch(TruthTable::from_counts(features, dataset.num_classes(), counts), counts);
  out.status = SolveStatus::optimal;
  out.depth = least.depth;
  return out;
}

}  // namespace beadwork
