#include <beadwork/engine/cut_names.hpp>
#include <beadwork/engine/held_cells.hpp>
#include <beadwork/engine/ranked.hpp>
#include <beadwork/engine/sized.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace beadwork {
namespace {

constexpr std::size_t kMostLevels = 64;

// Where sorted columns are no slower than features, one by one: on quantiles of raisin, rice, breast and magic they are
// quicker at depth 2 whatever the number of thresholds, at depths 3 and 4 from 850 to 1500 of them on. A table of a few
// rows takes no time either way.
bool many_thresholds(const RankedData& data, std::size_t depth) {
  const std::size_t columns = data.columns.size(), features = data.num_features();
  const bool easy = depth <= 2 || data.num_rows() * columns <= 500;
  return features > (easy ? 4 * columns : std::max<std::size_t>(1000, 16 * columns));
}

std::vector<Cut> cuts_of(const RankedData& data, const std::vector<Feature>& numbers) {
  std::vector<Cut> out;
  for (const Feature f : numbers) out.push_back(data.cut_of(f()));
  std::sort(out.begin(), out.end());
  return out;
}

// The search at the depth asked for, or at each depth of a range, starting from the answer of the one before.
struct Answers {
  std::vector<std::pair<std::size_t, OrderedOutcome>> by_depth;
  OrderedOutcome last;
  std::optional<NearCuts> near = {};
  std::optional<SizedOutcome> sized = {};  // then there is no other answer
  std::optional<Front> front = {};
};

Result<Answers> search_depths(const RankedData& data, OrderedOptions at, std::size_t from, const Control& control) {
  Answers out;
  const std::size_t most = at.depth;
  for (at.depth = std::min(most, std::max(from, num_required(at)));; ++at.depth) {
    TRY(auto outcome, search_ordered(data, at, control));
    out.last = std::move(outcome);
    out.by_depth.emplace_back(at.depth, out.last);
    at.start = {out.last.cuts};
    if (at.depth == most) return out;
    if (out.last.status == OrderedStatus::optimal) continue;
    out.last.lower_bound = 0;  // what was proven is of a smaller depth
    return out;
  }
}

Result<Answers> search_as_asked(const RankedData& data, const OrderedOptions& options, const Request& request,
                                const Control& control) {
  if (request.run.depth.from) return search_depths(data, options, *request.run.depth.from, control);
  const bool exact = engine_of(request).exact();
  TRY(auto outcome, exact ? search_ordered(data, options, control) : local_ordered(data, options, control));
  return Answers{{}, std::move(outcome)};
}

// With a limit on nodes or a price for them.
Result<Answers> search_sizes(const RankedData& data, const OrderedOptions& options, const ForSearch& asked,
                             const Prices& cost, const Control& control) {
  const auto search = [&]() -> Result<SizedOutcome> {
    if (asked.max_nodes) return least_errors_within(data, options, static_cast<std::size_t>(*asked.max_nodes), control);
    TRY(const auto penalty, penalty_of(*asked.node_penalty, cost));
    return least_penalised(data, options, penalty, control);
  };
  TRY(auto sized, search());
  Answers out;
  out.sized = std::move(sized);
  return out;
}

// The best set first, in part of the time, then the front, which may improve it.
Result<Answers> search_front_too(const RankedData& data, const OrderedOptions& options, const Request& request,
                                 const Control& control) {
  Control brief = control;
  brief.deadline = control.deadline.part(shares::kBeforeFront);
  auto answers = search_as_asked(data, options, request, brief);
  if (!answers) return answers;
  TRY(auto front, error_front(data, options, &answers->last, control));
  OrderedOutcome& last = answers->last;
  for (const FrontPoint& p : front.points) {
    if (p.errors >= last.error) continue;
    last.cuts = cuts_of(data, p.table.order());
    TRY(auto error, cuts_error(data, options, last.cuts));
    last.error = error;
  }
  if (front.proven) {
    last.status = OrderedStatus::optimal;
    last.lower_bound = last.error;
  }
  answers->front = std::move(front);
  return answers;
}

// Sets near the best one, as many as can be shown: their tests become features.
Result<NearCuts> list_near(const RankedData& data, const OrderedOptions& options, const NearOptions& near,
                           const OrderedOutcome& best, const Control& control) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 31;
  auto list = near_ordered(data, options, {.best = near.best, .within = near.within, .most = near.most}, best, control);
  if (!list) return list;
  if (list->idle) control.warn("fewer tests do as well, and with any tests more they make too many sets to list");
  std::set<Cut> cuts;
  for (std::size_t i = 0; i < list->sets.size(); ++i) {
    cuts.insert(list->sets[i].cuts.begin(), list->sets[i].cuts.end());
    const std::size_t bytes = cuts.size() * (data.num_rows() / 8 + 200);
    if (bytes <= kMostBytes && !control.no_room_for(bytes)) continue;
    list->sets.resize(i);
    list->complete = false;
    list->memory_limit_hit = true;
  }
  return list;
}

SolveStatus status_of(const OrderedOutcome& o) {
  return o.status == OrderedStatus::optimal      ? SolveStatus::optimal
         : o.status == OrderedStatus::infeasible ? SolveStatus::infeasible
                                                 : SolveStatus::feasible;
}

// In the order of the cuts.
std::vector<Feature> features_of(const RankedData& data, const std::vector<Cut>& cuts) {
  std::vector<Feature> out;
  for (const Cut& cut : cuts) out.emplace_back(data.feature_number(cut));
  return out;
}

// All features of the answers, increasing.
std::vector<Feature> used_features(const RankedData& data, const Answers& answers) {
  std::set<Feature> out;
  const auto add = [&](const std::vector<Feature>& features) { out.insert(features.begin(), features.end()); };
  add(features_of(data, answers.last.cuts));
  if (answers.sized) add(answers.sized->table.order());
  if (answers.front)
    for (const FrontPoint& p : answers.front->points) add(p.table.order());
  for (const auto& [_, a] : answers.by_depth) add(features_of(data, a.cuts));
  if (answers.near)
    for (const NearCuts::Set& s : answers.near->sets) add(features_of(data, s.cuts));
  return {out.begin(), out.end()};
}

EngineAnswer found_by_size(const SizedOutcome& sized) {
  EngineAnswer found;
  found.status = sized.proven ? SolveStatus::optimal : SolveStatus::feasible;
  found.lower_bound = sized.lower_bound;
  found.upper_bound = sized.errors;
  found.canonical = sized.canonical;
  found.num_distinct = sized.num_distinct;
  found.out_of_memory = sized.memory_limit_hit;
  found.table = sized.table;
  return found;
}

EngineAnswer found_by_ranks(const Task& task, const RankedData& data, const Answers& answers, const Control& control) {
  if (answers.sized) return found_by_size(*answers.sized);
  const OrderedOutcome& o = answers.last;
  const auto features = features_of(data, o.cuts);
  EngineAnswer found = best_function(task, features, o.lower_bound, control);
  if (is_of(found, features)) {
    found.status = status_of(o);
    found.upper_bound = o.error;
    found.canonical = o.first;
  }
  found.out_of_memory = o.memory_limit_hit;
  found.cut_short = o.cut_short && !engine_of(task.request).exact();
  for (const auto& [depth, a] : answers.by_depth)
    found.by_depth.push_back({.features = features_of(data, a.cuts),
                              .cost = a.error,
                              .lower_bound = a.lower_bound,
                              .status = status_of(a),
                              .depth = depth,
                              .table = {},
                              .seconds = a.stats.seconds});
  if (answers.front) {
    found.front = list_of(*answers.front);
    found.front->num_distinct = answers.front->num_distinct;
    found.out_of_memory = found.out_of_memory || answers.front->memory_limit_hit;
  }
  if (!answers.near) return found;
  found.near = SetList{{}, answers.near->complete, answers.near->num_sets, answers.near->num_copies};
  found.out_of_memory = found.out_of_memory || answers.near->memory_limit_hit;
  for (const NearCuts::Set& s : answers.near->sets)
    found.near->sets.push_back({.features = features_of(data, s.cuts),
                                .cost = s.error,
                                .lower_bound = s.error,
                                .status = SolveStatus::feasible,
                                .copies = s.copies,
                                .table = {}});
  return found;
}

// What of the exchange concerns the search; its errors about the state name the file.
Status exchange_states(const Exchange& exchange, const ForSearch& asked, bool complete, OrderedOptions& options) {
  options.checkpoint = exchange.checkpoint;
  options.checkpoint_seconds = asked.checkpoint_every;
  if (!exchange.resume || !complete) return Done{};
  options.resume = std::get_if<OrderedState>(&*exchange.resume);
  if (options.resume != nullptr) return Done{};
  return usage_error("the state is that of a search over features, and this one is over sorted columns",
                     asked.resume.path);
}

// A limit may have come before the search had a set as good as the parts': what they found in these very data, and
// proved of them, holds. Which of several best sets is the first is left open.
Status take_what_parts_found(const Exchange& exchange, const RankedData& data, const OrderedOptions& options,
                             bool certified, OrderedOutcome& last) {
  if (exchange.parts == 0 || options.resume == nullptr || last.status != OrderedStatus::feasible) return Done{};
  const OrderedState& state = *options.resume;
  const auto exists = [&](const Cut& c) {
    return c.column < data.columns.size() && c.rank < data.columns[c.column].num_features();
  };
  if (state.incumbent.size() > options.depth || !std::all_of(state.incumbent.begin(), state.incumbent.end(), exists))
    return Done{};
  TRY(const auto error, cuts_error(data, options, state.incumbent));
  if (error != state.error) return Done{};
  if (state.error < last.error) {
    last.cuts = state.incumbent;
    last.error = state.error;
  }
  last.first = false;
  last.lower_bound = std::max(last.lower_bound, std::min(state.lower_bound, last.error));
  // A certificate would have to tell what is done.
  if (last.lower_bound == last.error && !certified) last.status = OrderedStatus::optimal;
  return Done{};
}

}  // namespace

bool sorts_columns(const Table& table, const ThresholdRule& rule, const Request& request) {
  if (rule.kind != ThresholdRule::Kind::all || !table.target() || !not_taken(request, Use::ranks).empty()) return false;
  std::size_t numeric = 0, levels = 0;  // a level takes as much as a numeric column
  for (std::size_t i = 0; i < table.num_columns(); ++i)
    if (i != table.target() && i != table.weight()) {
      const Column& column = table.column(i);
      (column.type == ColumnType::numeric ? numeric : levels) +=
          column.type == ColumnType::numeric ? 1 : column.levels.size();
    }
  return numeric > 0 && levels <= kMostLevels + numeric;
}

bool goes_by_ranks(const Dataset& dataset, const Request& request) {
  if (!dataset.is_sorted()) return false;
  const RankedData& data = *dataset.ranks();
  if (!data.complete) return true;  // stopped: nothing but the quickest answer will do
  return not_taken(request, Use::ranks).empty() && many_thresholds(data, request.depth()) &&
         !CutNames(data).any_constant(request) && !CutNames(data).requires_in_vain(request);
}

Result<RankedTask> make_ranked_task(const RankedData& data, const Request& request) {
  RankedTask out;
  out.options.depth = request.depth();
  out.options.threads = static_cast<unsigned>(request.run.threads);
  out.options.seed = request.seed();
  const bool named = !request.pin.require.empty() || !request.pin.forbid.empty() || !request.choice.candidate.empty();
  if (!data.complete && (named || request.only_of<ForSearch>().certificate))
    return Error{ErrorCode::limit, "stopped while sorting its columns", {}};
  TRY(auto restricted, CutNames(data).restrict(request, out.options));
  out.num_allowed = restricted.num_allowed;
  out.asked = std::move(restricted.asked);
  TRY(auto cost, prices_of(class_totals(data), request.cost.costs));
  out.cost = std::move(cost);
  out.options.costs = out.cost.costs;
  return out;
}

Task task_over(const Dataset& dataset, const Request& request, const Exchange& exchange, const RankedTask& ranked,
               std::vector<Feature> of_answers) {
  const RankedData& data = *dataset.ranks();
  std::vector<std::vector<Feature>> one_of;
  for (const std::uint32_t column : ranked.options.require_columns) {
    auto& group = one_of.emplace_back();
    for (std::uint32_t k = 0; k < data.columns[column].num_features(); ++k)
      group.emplace_back(data.feature_number({column, k}));
  }
  return {dataset,
          request,
          exchange,
          features_of(data, ranked.options.require),
          std::move(of_answers),
          ranked.cost,
          std::move(one_of),
          ranked.asked,
          ranked.num_allowed};
}

Result<Outcome> learn_by_ranks(const Dataset& dataset, const Request& request, const Exchange& exchange,
                               const Control& control) {
  const RankedData& data = *dataset.ranks();
  const auto& asked = request.only_of<ForSearch>();
  const bool certified = static_cast<bool>(asked.certificate);
  TRY(auto ranked, make_ranked_task(data, request));
  OrderedOptions& options = ranked.options;
  TRY_DONE(exchange_states(exchange, asked, data.complete, options));
  auto answers = asked.max_nodes || asked.node_penalty ? search_sizes(data, options, asked, ranked.cost, control)
                 : asked.front                         ? search_front_too(data, options, request, control)
                                                       : search_as_asked(data, options, request, control);
  if (!answers && answers.error().where == "resume") return usage_error(answers.error().message, asked.resume.path);
  if (!answers) return answers.error();
  TRY_DONE(take_what_parts_found(exchange, data, options, certified, answers->last));
  if (const auto near = near_options(asked, ranked.cost.units)) {
    TRY(auto listed, list_near(data, options, *near, answers->last, control));
    answers->near = std::move(listed);
  }
  const Task task = task_over(dataset, request, exchange, ranked, used_features(data, *answers));
  EngineAnswer found = found_by_ranks(task, data, *answers, control);
  if (certified && found.status != SolveStatus::infeasible) {
    OrderedOutcome proven = answers->last;
    if (request.run.time_limit == 0.0) proven.status = OrderedStatus::feasible;  // who gives no time gets no proof
    TRY(auto text, certificate(data, options, proven));
    found.certificate = std::move(text);
  }
  return believe_nothing(task, std::move(found), control);
}

}  // namespace beadwork
