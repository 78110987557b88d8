#include <beadwork/engine/bias.hpp>
#include <beadwork/engine/busy_sets.hpp>
#include <beadwork/engine/choose.hpp>
#include <beadwork/engine/committee.hpp>
#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/cut_names.hpp>
#include <beadwork/engine/held_cells.hpp>
#include <beadwork/engine/ranked.hpp>
#include <beadwork/engine/registry.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

Error broken_claim(const Task& task, std::string_view claim) {
  return {ErrorCode::internal, fmt::format("engine {}: {}", engine_of(task.request).name, claim), {}};
}

bool holds(const SetAnswer& a, std::int64_t counted) {
  return counted == a.cost && a.lower_bound <= a.cost && (a.status != SolveStatus::optimal || a.lower_bound == a.cost);
}

// A point of the front, followed by hand.
bool point_holds(const Task& task, const SetAnswer& p) {
  const Diagram diagram = diagram_of(*p.table);
  return diagram.size() == p.nodes && diagram.used_features().size() == p.depth &&
         training_cost(task.dataset, diagram, task.cost.costs) == p.cost && p.lower_bound <= p.cost &&
         (p.status == SolveStatus::optimal) == (p.lower_bound == p.cost);
}

// The sets beside the answer, counted again. That may take half a second longer than the limit; what cannot be counted
// by then is left out.
Status check_lists(const Task& task, const Control& control, Outcome& outcome) {
  const Deadline end = Deadline::in(0.5);
  const auto all = [&](std::vector<SetAnswer>& sets, const auto& holds) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (end.passed() && control.stopping())
        sets.resize(i);
      else if (!holds(sets[i]))
        return false;
    }
    return true;
  };
  const auto all_in = [&](std::optional<SetList>& list, const auto& holds) {
    if (!list) return true;
    const std::size_t before = list->sets.size();
    if (!all(list->sets, holds)) return false;
    list->complete = list->complete && list->sets.size() == before;
    return true;
  };
  const auto shallow = [&](const SetAnswer& a) {
    return a.features.size() <= a.depth && holds(a, set_cost(task.dataset, a.features, task.cost.costs));
  };
  Control patient = control;
  if (end.remaining() > control.deadline.remaining()) patient.deadline = end;
  BusySets busy(task, patient);
  if (!all(outcome.by_depth, shallow) ||
      !all_in(outcome.near, [&](const SetAnswer& a) { return holds(a, busy.visit(a.features)); }))
    return broken_claim(task, "a set does not have the errors it claims");
  if (outcome.near && !busy.stopped()) outcome.near->busy = busy.take();
  if (!all_in(outcome.front, [&](const SetAnswer& p) { return point_holds(task, p); }))
    return broken_claim(task, "a point of the front is not what it claims to be");
  return Done{};
}

// Does the diagram answer in every cell what the table allows there?
bool fills(const Diagram& diagram, const TruthTable& table) {
  const auto used = diagram.used_features();
  for (const Feature f : used)
    if (std::find(table.order().begin(), table.order().end(), f) == table.order().end()) return false;
  const TruthTable answers = truth_of(diagram, table.order(), table.num_classes());
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell)
    if (!answers.decided(cell) || !table.allows(cell, answers.first_allowed(cell))) return false;
  return true;
}

// Features, table and diagram of the outcome; the table is shaped by the bias where the engine left that open.
Status take_answer(const Task& task, EngineAnswer& found, const Control& control, Outcome& outcome) {
  if (found.table && !found.diagram) {
    TRY(auto shaped, shape(task, found, control));
    outcome.features = shaped.table.order();
    outcome.table = std::move(shaped.table);
    outcome.diagram = std::move(shaped.diagram);
    outcome.size = shaped.size;
    outcome.claim.canonical = outcome.claim.canonical && shaped.settled;
  } else if (found.table) {
    if (!fills(*found.diagram, *found.table)) return broken_claim(task, "its diagram and its table disagree");
    outcome.features = found.table->order();
    outcome.table = std::move(found.table);
    outcome.diagram = std::move(found.diagram);
  } else {
    outcome.diagram = std::move(found.diagram);
    if (outcome.diagram) outcome.features = outcome.diagram->used_features();
  }
  std::vector<Feature> features = outcome.features;
  std::sort(features.begin(), features.end());
  if (outcome.table && is_proven(outcome.claim) && !task.has_required(features))
    return broken_claim(task, "what is required is not in its answer");
  return Done{};
}

Scope scope_of(const Task& task, const EngineAnswer& found) {
  const Request& request = task.request;
  const auto& search = request.only_of<ForSearch>();
  Scope s;
  s.family = engine_of(request).family;
  s.depth = task.depth();
  s.exactly = found.exactly;
  if (search.max_nodes) s.max_nodes = static_cast<std::size_t>(*search.max_nodes);
  s.num_features = task.dataset.num_features();
  s.num_allowed = task.num_allowed;
  if (s.exactly && !request.reading.keep_all_zero) {
    s.num_zero = all_zero_features(task.dataset.select(task.allowed)).size();
    s.num_allowed -= s.num_zero;
  }
  s.num_distinct = found.num_distinct;
  s.choice = request.choice.features_from.cart   ? Scope::Choice::cart
             : !request.choice.candidate.empty() ? Scope::Choice::candidates
                                                 : Scope::Choice::all;
  s.required = task.asked.features;
  s.required_columns = task.asked.columns;
  s.thresholds = task.dataset.thresholds();
  return s;
}

// With a time limit of 0 nothing is claimed as proven, however small the problem.
void withdraw_proofs(Outcome& outcome) {
  const auto withdraw = [](SolveStatus& status) {
    if (status == SolveStatus::optimal) status = SolveStatus::feasible;
  };
  withdraw(outcome.claim.status);
  if (outcome.size) withdraw(outcome.size->status);
  for (SetAnswer& a : outcome.by_depth) withdraw(a.status);
  if (outcome.front)
    for (SetAnswer& p : outcome.front->sets) withdraw(p.status);
  for (std::optional<SetList>* list : {&outcome.near, &outcome.front})
    if (*list) (*list)->complete = false;
  if (outcome.committee) outcome.committee->claim.extent = CommitteeClaim::Extent::stopped;
}

// The claim of what was found: this is where one is made.
Claim claim_of(const Task& task, const EngineAnswer& found) {
  const Request& request = task.request;
  const auto& search = request.only_of<ForSearch>();
  Claim c;
  c.objective = {!task.cost.costs.empty(), search.node_penalty.value_or(0), false};
  c.scope = scope_of(task, found);
  c.status = found.status;
  c.lower_bound = found.lower_bound;
  c.upper_bound = found.upper_bound;
  c.scale = task.cost.units;
  c.rounding = task.cost.rounding;
  c.prover.kind = engine_of(request).prover;
  if (found.solver) c.prover = {.kind = Prover::Kind::solver, .solver = *found.solver};
  c.prover.resumed = task.exchange.resume.has_value() && task.exchange.parts == 0;
  c.prover.parts = std::max<std::size_t>(1, task.exchange.parts);
  c.prover.shards = found.shards;
  c.certifiable = c.prover.kind == Prover::Kind::search && !c.objective.costs && !search.node_penalty &&
                  !search.max_nodes && !c.scope.exactly && c.scope.required_columns.empty();
  c.canonical = found.canonical;
  // Heuristics never claim optimality.
  if (c.prover.kind == Prover::Kind::nobody && c.status == SolveStatus::optimal) c.status = SolveStatus::feasible;
  return c;
}

}  // namespace

Result<Outcome> believe_nothing(const Task& task, EngineAnswer found, const Control& control) {
  Outcome outcome;
  outcome.claim = claim_of(task, found);
  outcome.out_of_memory = found.out_of_memory;
  outcome.cut_short = found.cut_short;
  TRY_DONE(take_answer(task, found, control, outcome));
  const Claim& c = outcome.claim;
  const bool has_answer = c.status == SolveStatus::optimal || c.status == SolveStatus::feasible;
  if (has_answer != outcome.diagram.has_value()) return broken_claim(task, "its status and its answer disagree");
  if (!outcome.diagram) return outcome;
  const std::int64_t errors = training_cost(task.dataset, *outcome.diagram, task.cost.costs);
  if (c.upper_bound != errors)
    return broken_claim(task,
                        fmt::format("it claims {} errors, the diagram makes {}", c.upper_bound.value_or(-1), errors));
  if (c.lower_bound > errors) return broken_claim(task, "its lower bound is above its answer");
  if (c.status == SolveStatus::optimal && c.lower_bound != errors)
    return broken_claim(task, "it calls optimal what its bounds do not prove");
  outcome.by_depth = std::move(found.by_depth);
  outcome.near = std::move(found.near);
  outcome.front = std::move(found.front);
  TRY_DONE(check_lists(task, control, outcome));
  if (found.voters) TRY_DONE(seat_committee(task, *found.voters, control, outcome));
  outcome.certificate = std::move(found.certificate);
  outcome.proof = std::move(found.proof);
  return outcome;
}

EngineAnswer constant_answer(const Task& task, std::int64_t lower_bound) {
  EngineAnswer found;
  found.status = SolveStatus::feasible;
  found.lower_bound = lower_bound;
  found.upper_bound = set_cost(task.dataset, {}, task.cost.costs);
  found.table = open_table(task.dataset, {}, task.cost.costs);
  return found;
}

EngineAnswer constant_answer(const Task& task, const Control& control) {
  EngineAnswer found;
  if (task.request.reading.faithful)  // a constant is no diagram of the paper's reading
    found.exactly = true;
  else
    found = constant_answer(task, std::int64_t{0});
  found.out_of_memory = !control.stopping();
  found.cut_short = !engine_of(task.request).exact();
  return found;
}

Result<std::int64_t> training_cost(const Dataset& dataset, const Diagram& diagram, const Request& request) {
  TRY(const auto cost, prices_of(class_totals(dataset), request.cost.costs));
  return training_cost(dataset, diagram, cost.costs);
}

namespace {

// What shaping an answer takes. A table has a bit for each class in each of its 2^depth cells. It is made from what
// speaks for the classes in cells that hold rows, and becomes a diagram by way of several others; the diagram then
// counts the classes on its paths.
std::size_t room_for_cells(const Task& task) {
  const std::size_t classes = task.dataset.num_classes(), rows = task.dataset.num_rows();
  const std::size_t cells = std::size_t{1} << std::min(task.depth(), task.dataset.num_features());
  const std::size_t table = cells * ((classes + 63) / 64) * sizeof(std::uint64_t);
  const std::size_t merits = std::min(rows, cells * classes) * 3 * sizeof(Merit);
  const std::size_t paths = std::min(rows, cells) * classes * 2 * sizeof(std::int64_t);
  return 24 * cells + std::max(2 * table + merits, 5 * table) + paths;
}

Result<Outcome> learn_by_engine(const Dataset& dataset, const Request& request, const Control& control,
                                const Exchange& exchange) {
  TRY(const auto task, make_task(dataset, request, exchange, control));
  const std::string_view engine = engine_of(request).name;
  if ((engine == "search" || engine == "local") && control.no_room_for(room_for_cells(task)))
    return believe_nothing(task, constant_answer(task, control), control);
  TRY(auto found, engine_of(request).learn(task, control));
  return believe_nothing(task, std::move(found), control);
}

// As if the features had been made before.
Result<Outcome> learn_from_features(const Dataset& sorted, const Request& request, const Control& control,
                                    const Exchange& exchange) {
  const RankedData& data = *sorted.ranks();
  const std::string option =
      data.complete && CutNames(data).requires_in_vain(request) ? "require" : not_taken(request, Use::ranks);
  if (!option.empty() && option != "engine")
    control.note(
        fmt::format("with option '{}' all {} thresholds become features, one by one", option, data.num_features()));
  constexpr double kGrace = 1;  // seconds: what takes no longer does not count as learning
  Control patient = control;
  patient.deadline = Deadline::in(within(control, request.run.time_limit).deadline.remaining() + kGrace);
  TRY(const auto whole, with_bits(sorted, patient));
  return learn(whole, request, control, exchange);
}

// The lists that were asked for, with nothing but the constant in them.
void add_lists(const Task& task, EngineAnswer& found) {
  const auto& asked = task.request.only_of<ForSearch>();
  if (near_options(asked, task.cost.units)) found.near = SetList{};
  if (asked.committee) {
    found.voters = Voters{};
    found.voters->claim.within = committee_margin(task);
  }
  if (!asked.front) return;
  TruthTable table = *found.table;
  table.decide(0, table.first_allowed(0));
  const bool least = *found.upper_bound == 0;
  found.front = SetList{};
  found.front->sets.push_back({.features = {},
                               .cost = *found.upper_bound,
                               .lower_bound = 0,
                               .status = least ? SolveStatus::optimal : SolveStatus::feasible,
                               .nodes = 1,
                               .table = std::move(table)});
}

// Features that never were cannot be named.
Result<Outcome> learn_without_features(const Dataset& dataset, const Request& request, const Control& control,
                                       const Exchange& exchange) {
  if (!constant_will_do(request) || exchange.resume)
    return Error{ErrorCode::limit, "stopped before the features were made", {}};
  Request plain = request;
  plain.pin = {};
  plain.choice = {};
  plain.without_inputs = {};
  TRY(const auto task, make_task(dataset, plain, exchange, control));
  EngineAnswer found = constant_answer(task, control);
  add_lists(task, found);
  auto outcome = believe_nothing(task, std::move(found), control);
  if (!outcome) return outcome;
  outcome->without_features = true;
  control.warn(fmt::format("{}: the answer is one class for all rows, and nothing is proven of it",
                           outcome->out_of_memory ? "the memory limit leaves no room for the features"
                                                  : "the time limit came before the features were made"));
  if (request.run.depth.chosen || request.only_of<ForSearch>().size != SizeRule::as_asked)
    outcome->choice = SizeChoice{{}, 0, 0, false};
  return outcome;
}

// Thresholds that were chosen with the classes of all rows have seen those of the held-out ones.
Status check_held_out(const Dataset& dataset, std::string_view option) {
  if (dataset.thresholds() != "mdlp") return Done{};
  return option_error("mdlp has chosen the thresholds with the classes of the held-out rows; use quantiles or all",
                      std::string(option));
}

}  // namespace

bool constant_will_do(const Request& request) {
  const auto& search = request.only_of<ForSearch>();
  const auto& maxsat = request.only_of<ForMaxsat>();
  const bool exactly = request.reading.faithful || maxsat.encoding == EncodingChoice::bdd2;
  return !exactly && request.pin.require.empty() && !search.certificate && !search.resume && !maxsat.proof;
}

Result<Outcome> learn(const Dataset& dataset, const Request& request, const Control& control,
                      const Exchange& exchange) {
  const Stopwatch clock;
  TRY_DONE(check_request(request));
  require(exchange.resume.has_value() == (exchange.parts > 0 || request.only_of<ForSearch>().resume),
          "learn: the state to resume from");
  if (exchange.parts > 0) TRY_DONE(check_divisible(request));
  if (dataset.num_rows() == 0) return input_error("the table has no rows");
  if (dataset.lacks_features()) return learn_without_features(dataset, request, control, exchange);
  if (request.run.depth.chosen) {
    TRY_DONE(check_held_out(dataset, "depth"));
    auto chosen = learn_at_chosen_depth(dataset, request, control, exchange);
    if (chosen) chosen->seconds = clock.seconds();
    return chosen;
  }
  if (dataset.is_sorted() && (request.least_depth || !goes_by_ranks(dataset, request)))
    return learn_from_features(dataset, request, control, exchange);
  if (request.least_depth) {
    auto least = learn_at_least_depth(dataset, request, control);
    if (least) least->seconds = clock.seconds();
    return least;
  }
  if (request.only_of<ForSearch>().size != SizeRule::as_asked) {
    TRY_DONE(check_held_out(dataset, "size"));
    auto chosen = learn_at_chosen_size(dataset, request, control);
    if (chosen) chosen->seconds = clock.seconds();
    return chosen;
  }
  Control limited = limits_of(request, control);
  auto outcome = dataset.is_sorted() ? learn_by_ranks(dataset, request, exchange, limited)
                                     : learn_by_engine(dataset, request, limited, exchange);
  if (!outcome) return outcome;
  outcome->seconds = clock.seconds();
  if (request.run.time_limit == 0.0) withdraw_proofs(*outcome);
  if (outcome->out_of_memory)
    control.warn(request.run.memory_limit ? "the search reached the memory limit and stopped early"
                                          : "the search ran out of memory and stopped early");
  return outcome;
}

}  // namespace beadwork
