#include <beadwork/smallest/diagram_sizes.hpp>
#include <beadwork/smallest/ranked_stages.hpp>

#include <algorithm>
#include <tuple>

namespace beadwork {
namespace {

// Least errors of at most `most` nodes.
struct WithinNodes final : SizeGoal {
  explicit WithinNodes(std::size_t n) : most(n) {}
  std::int64_t limit(std::size_t size) const override {
    if (size > most) return -1;
    return best ? best->errors - 1 : kAnyErrors;
  }
  void offer(std::size_t, const Best& found) override { best = found; }
  std::unique_ptr<SizeGoal> copy() const override { return std::make_unique<WithinNodes>(*this); }

  std::size_t most;
  std::optional<Best> best;
};

// Least errors * denominator + nodes * numerator, in 128 bits: errors stay below 2^57, nodes below 2^22.
struct Penalised final : SizeGoal {
  __extension__ using Wide = __int128;  // pedantic warnings
  explicit Penalised(const NodePenalty& p) : penalty(p) {}
  std::int64_t limit(std::size_t size) const override {
    if (!best) return kAnyErrors;
    const Wide rest = objective - 1 - Wide{static_cast<std::int64_t>(size)} * penalty.numerator;
    return rest < 0 ? -1 : static_cast<std::int64_t>(std::min<Wide>(rest / penalty.denominator, kAnyErrors));
  }
  void offer(std::size_t size, const Best& found) override {
    best = found;
    objective = Wide{found.errors} * penalty.denominator + Wide{static_cast<std::int64_t>(size)} * penalty.numerator;
  }
  std::unique_ptr<SizeGoal> copy() const override { return std::make_unique<Penalised>(*this); }

  NodePenalty penalty;
  std::optional<Best> best;
  Wide objective = 0;
};

// The same function of the features that it depends on.
TruthTable without_idle_features(const TruthTable& table) {
  const Diagram diagram = diagram_of(table);
  return truth_of(diagram, diagram.used_features(), table.num_classes());
}

// All stages; the least that may have been missed, if anything.
Result<std::optional<std::int64_t>> run_all(Stages& stages, SizeGoal& goal) {
  std::optional<std::int64_t> open;
  for (std::size_t h = 0; h <= stages.depth(); ++h) {
    TRY(const auto missed, stages.run(h, goal));
    if (missed) open = std::min(open.value_or(*missed), *missed);
    if (!missed || !stages.over()) continue;
    if (h < stages.depth()) open = std::min(*open, stages.floor());
    break;
  }
  return open;
}

template <class Wanted>
Result<SizedOutcome> best_of(Stages& stages, Wanted goal) {
  TRY(const auto open, run_all(stages, goal));
  SizedOutcome out;
  out.table = without_idle_features(goal.best->table);
  out.diagram = diagram_of(out.table);
  out.errors = goal.best->errors;
  out.lower_bound = std::min(out.errors, open.value_or(out.errors));
  out.proven = !open.has_value();
  return out;
}

Result<SizedOutcome> within_nodes(Stages& stages, std::size_t max_nodes) {
  require(max_nodes >= 1, "least_errors_within: at least one node");
  auto out = best_of(stages, WithinNodes(max_nodes));
  if (out) out->proven = out->lower_bound == out->errors;
  return out;
}

Result<SizedOutcome> penalised(Stages& stages, const NodePenalty& penalty) {
  require(penalty.numerator > 0 && penalty.denominator > 0, "least_penalised: a positive penalty");
  return best_of(stages, Penalised(penalty));
}

// What a stage has added: of sizes from `open_from` + 2 on, diagrams of `open` errors may have been missed.
void add_points(std::vector<FrontPoint>& points, const EverySize& goal, std::optional<std::int64_t> open,
                std::size_t open_from) {
  for (const auto& entry : goal.best) {
    const std::size_t size = entry.first;
    const std::int64_t errors = entry.second.errors;
    if (std::any_of(points.begin(), points.end(),
                    [&](const FrontPoint& p) { return p.nodes <= size && p.errors <= errors; }))
      continue;  // fewer features do
    FrontPoint p{0, size, errors, errors, true, without_idle_features(entry.second.table)};
    p.features = p.table.depth();
    if (open && size >= open_from + 2) p.lower_bound = std::min(errors, *open);
    p.proven = p.lower_bound == errors;
    points.push_back(std::move(p));
  }
}

// A stage that missed something may leave a point that a later one beats.
void drop_beaten(std::vector<FrontPoint>& points) {
  const auto key = [](const FrontPoint& p) { return std::tuple(p.features, p.nodes, p.errors); };
  std::sort(points.begin(), points.end(), [&](const FrontPoint& a, const FrontPoint& b) { return key(a) < key(b); });
  std::vector<FrontPoint> kept;
  for (FrontPoint& p : points)
    if (std::none_of(kept.begin(), kept.end(), [&](const FrontPoint& q) {
          return q.features <= p.features && q.nodes <= p.nodes && q.errors <= p.errors;
        }))
      kept.push_back(std::move(p));
  points = std::move(kept);
}

Result<SizedOutcome> told(Result<SizedOutcome> out, const RankedStages& stages) {
  if (out) out->num_distinct = stages.num_distinct();
  if (out) out->memory_limit_hit = stages.memory_limit_hit();
  if (out) out->canonical = stages.canonical();
  return out;
}

Result<Front> front_of(Stages& stages) {
  EverySize goal;
  Front front;
  std::optional<std::int64_t> open;
  std::size_t open_from = 0;
  std::size_t h = 0;
  for (; h <= stages.depth(); ++h) {
    if (h > 0 && stages.over()) break;
    TRY(const auto missed, stages.run(h, goal));
    if (missed) {
      if (!open) open_from = h;
      open = std::min(open.value_or(*missed), *missed);
    }
    add_points(front.points, goal, open, open_from);
  }
  front.proven = h > stages.depth() && !open;
  drop_beaten(front.points);
  return front;
}

}  // namespace

Result<SizedOutcome> least_errors_within(const Dataset& dataset, const SearchOptions& options, std::size_t max_nodes,
                                         const Control& control) {
  FeatureStages stages(dataset, options, control);
  return within_nodes(stages, max_nodes);
}

Result<SizedOutcome> least_penalised(const Dataset& dataset, const SearchOptions& options, const NodePenalty& penalty,
                                     const Control& control) {
  FeatureStages stages(dataset, options, control);
  return penalised(stages, penalty);
}

Result<Front> error_front(const Dataset& dataset, const SearchOptions& options, const Control& control) {
  FeatureStages stages(dataset, options, control);
  return front_of(stages);
}

Front climbed_front(const Dataset& dataset, SearchOptions options, const Control& control) {
  Front front;
  const auto data = condense(dataset, control);
  if (!data) return front;
  options.depth = std::min(options.depth, data->features.size());
  const EverySize found = climb_sizes(*data, options, kMostClimbedNodes, control);
  add_points(front.points, found, 0, 0);
  drop_beaten(front.points);
  return front;
}

Result<SizedOutcome> least_errors_within(const RankedData& data, OrderedOptions options, std::size_t max_nodes,
                                         const Control& control) {
  options.depth = std::min(options.depth, std::max<std::size_t>(max_nodes, 2) - 2);  // more are not tested
  RankedStages stages(data, options, nullptr, control);
  return told(within_nodes(stages, max_nodes), stages);
}

Result<SizedOutcome> least_penalised(const RankedData& data, const OrderedOptions& options, const NodePenalty& penalty,
                                     const Control& control) {
  RankedStages stages(data, options, nullptr, control);
  return told(penalised(stages, penalty), stages);
}

Result<Front> error_front(const RankedData& data, const OrderedOptions& options, const OrderedOutcome* known,
                          const Control& control) {
  RankedStages stages(data, options, known, control);
  auto front = front_of(stages);
  if (front) front->memory_limit_hit = stages.memory_limit_hit();
  if (front) front->num_distinct = stages.num_distinct();
  return front;
}

}  // namespace beadwork
