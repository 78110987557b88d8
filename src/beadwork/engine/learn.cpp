#include <fmt/format.h>

#include <algorithm>
#include <beadwork/engine/bias.hpp>
#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/registry.hpp>

namespace beadwork {
namespace {

Error broken_claim(const Options& options, std::string_view claim) {
  return {ErrorCode::internal, fmt::format("engine {}: {}", options.engine, claim), {}};
}

// The sets beside the answer, counted again.
bool sets_hold(const Dataset& dataset, const Outcome& outcome, const std::vector<std::int64_t>& costs) {
  for (const DepthAnswer& a : outcome.by_depth)
    if (set_cost(dataset, a.features, costs) != a.errors || a.features.size() > a.depth ||
        a.lower_bound > a.errors || (a.status == SolveStatus::optimal && a.lower_bound != a.errors))
      return false;
  if (!outcome.near) return true;
  return std::all_of(outcome.near->sets.begin(), outcome.near->sets.end(),
                     [&](const NearSet& s) { return set_cost(dataset, s.features, costs) == s.error; });
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

// Every point of the front, followed by hand.
bool front_holds(const Dataset& dataset, const Front& front, const std::vector<std::int64_t>& costs) {
  return std::all_of(front.points.begin(), front.points.end(), [&](const FrontPoint& p) {
    const Diagram diagram = diagram_of(p.table);
    return diagram.size() == p.nodes && diagram.used_features().size() == p.features &&
           training_cost(dataset, diagram, costs) == p.errors && p.lower_bound <= p.errors &&
           p.proven == (p.lower_bound == p.errors);
  });
}

// The claim of an engine, checked on the rows themselves.
Result<Outcome> believe_nothing(const Dataset& dataset, const Options& options, const CostMatrix& costs,
                                Found found, const Control& control) {
  Outcome outcome;
  outcome.cost_scale = costs.scale;
  outcome.status = found.status;
  outcome.lower_bound = found.lower_bound;
  outcome.upper_bound = found.upper_bound;
  if (found.table && !found.diagram) {
    auto shaped = shape(dataset, options, costs.costs, found, control);
    if (!shaped) return shaped.error();
    outcome.features = shaped->table.order();
    outcome.table = std::move(shaped->table);
    outcome.diagram = std::move(shaped->diagram);
    outcome.size = shaped->size;
  } else if (found.table) {
    if (!fills(*found.diagram, *found.table))
      return broken_claim(options, "its diagram and its table disagree");
    outcome.features = found.table->order();
    outcome.table = std::move(found.table);
    outcome.diagram = std::move(found.diagram);
  } else {
    outcome.diagram = std::move(found.diagram);
    if (outcome.diagram) outcome.features = outcome.diagram->used_features();
  }
  const bool has_answer = outcome.status == SolveStatus::optimal || outcome.status == SolveStatus::feasible;
  if (has_answer != outcome.diagram.has_value())
    return broken_claim(options, "its status and its answer disagree");
  if (!outcome.diagram) return outcome;
  const std::int64_t errors = training_cost(dataset, *outcome.diagram, costs.costs);
  if (outcome.upper_bound != errors)
    return broken_claim(options, fmt::format("it claims {} errors, the diagram makes {}",
                                             outcome.upper_bound.value_or(-1), errors));
  if (outcome.lower_bound > errors) return broken_claim(options, "its lower bound is above its answer");
  if (outcome.status == SolveStatus::optimal && outcome.lower_bound != errors)
    return broken_claim(options, "it calls optimal what its bounds do not prove");
  outcome.by_depth = std::move(found.by_depth);
  outcome.near = std::move(found.near);
  if (!sets_hold(dataset, outcome, costs.costs))
    return broken_claim(options, "a set does not have the errors it claims");
  outcome.front = std::move(found.front);
  if (outcome.front && !front_holds(dataset, *outcome.front, costs.costs))
    return broken_claim(options, "a point of the front is not what it claims to be");
  return outcome;
}

}  // namespace

Found constant_answer(const Dataset& dataset, std::int64_t lower_bound) {
  const auto counts = count_cells(dataset, {});
  Found found;
  found.status = SolveStatus::feasible;
  found.lower_bound = lower_bound;
  found.upper_bound = dataset.total_weight() - *std::max_element(counts.begin(), counts.end());
  found.table = TruthTable::from_counts({}, dataset.num_classes(), counts);
  return found;
}

std::string_view to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::optimal:
      return "optimal";
    case SolveStatus::feasible:
      return "feasible";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::unknown:
      break;
  }
  return "unknown";
}

std::optional<SolveStatus> parse_status(std::string_view text) {
  for (const SolveStatus s :
       {SolveStatus::optimal, SolveStatus::feasible, SolveStatus::infeasible, SolveStatus::unknown})
    if (to_string(s) == text) return s;
  return std::nullopt;
}

std::int64_t training_errors(const Dataset& dataset, const Diagram& diagram) {
  std::int64_t errors = 0;
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) {
    const Class answer = diagram.classify([&](Feature f) { return dataset.value(f, Row{r}); });
    if (answer != dataset.label(Row{r})) errors += dataset.weight(Row{r});
  }
  return errors;
}

Result<Outcome> learn(const Dataset& dataset, const Options& options, const Control& control) {
  const Stopwatch clock;
  if (auto ok = check_options(options); !ok) return ok.error();
  const Engine* engine = find_engine(options.engine);
  if (dataset.num_rows() == 0) return input_error("there are no rows to learn from");
  const auto costs = cost_matrix(dataset, options);
  if (!costs) return costs.error();
  Control limited = control;
  if (options.time_limit < control.deadline.remaining()) limited.deadline = Deadline::in(options.time_limit);
  if (options.memory_limit > 0) limited.memory_limit = static_cast<std::size_t>(options.memory_limit) << 20;
  auto found = engine->learn(dataset, options, limited);
  if (!found) return found.error();
  const std::string certificate = std::move(found->certificate);
  auto outcome = believe_nothing(dataset, options, *costs, *std::move(found), limited);
  if (!outcome) return outcome;
  if (!options.certificate.empty())
    if (auto ok = write_file(options.certificate, certificate); !ok) return ok.error();
  outcome->seconds = clock.seconds();
  // Who gives no time gets no proof, however small the problem.
  if (options.time_limit == 0) {
    if (outcome->status == SolveStatus::optimal) outcome->status = SolveStatus::feasible;
    if (outcome->size) outcome->size->status = SolveStatus::feasible;
    if (outcome->front) {
      outcome->front->proven = false;
      for (FrontPoint& p : outcome->front->points) p.proven = false;
    }
    for (DepthAnswer& a : outcome->by_depth) a.status = SolveStatus::feasible;
    if (outcome->near && outcome->near->status == SearchStatus::optimal)
      outcome->near->status = SearchStatus::feasible;
  }
  return outcome;
}

}  // namespace beadwork
