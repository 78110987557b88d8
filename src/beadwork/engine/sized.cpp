#include <beadwork/engine/sized.hpp>

// Engine search with a limit on nodes or a price for them.

namespace beadwork {
namespace {

Result<SizedOutcome> run(const Task& task, const Control& control) {
  const auto& asked = task.request.only_of<ForSearch>();
  const SearchOptions o = search_options(task);
  if (asked.max_nodes) return least_errors_within(task.dataset, o, static_cast<std::size_t>(*asked.max_nodes), control);
  const Dataset& d = task.dataset;
  const auto penalty = penalty_of(*asked.node_penalty, d.total_weight(), d.weight_scale(), task.cost.scale);
  if (!penalty) return penalty.error();
  return least_penalised(task.dataset, o, *penalty, control);
}

}  // namespace

Result<NodePenalty> penalty_of(double price, std::int64_t total_weight, std::int64_t weight_scale,
                               std::int64_t cost_scale) {
  const auto scaled = scale_weights(std::vector{price});
  if (!scaled) return option_error("too many decimals", "node_penalty");
  constexpr double kMost = 1e18;
  const std::int64_t units = weight_scale * cost_scale;
  const double largest =
      static_cast<double>(total_weight) * static_cast<double>(cost_scale) * static_cast<double>(scaled->scale) +
      static_cast<double>(scaled->weights[0]) * static_cast<double>(units) * 0x1p21;
  if (largest > kMost) return option_error("too many decimals for weights as large as these", "node_penalty");
  return NodePenalty{scaled->weights[0] * units, scaled->scale};
}

SetList list_of(const Front& front) {
  SetList list{{}, front.proven, front.points.size(), front.points.size()};
  for (const FrontPoint& p : front.points)
    list.sets.push_back({.features = p.table.order(),
                         .cost = p.errors,
                         .lower_bound = p.lower_bound,
                         .status = p.proven ? SolveStatus::optimal : SolveStatus::feasible,
                         .depth = p.features,
                         .nodes = p.nodes,
                         .table = p.table});
  return list;
}

Result<Found> learn_by_size(const Task& task, const Control& control) {
  const auto sized = run(task, control);
  if (!sized) return sized.error();
  Found found;
  found.status = sized->proven ? SolveStatus::optimal : SolveStatus::feasible;
  found.lower_bound = sized->lower_bound;
  found.upper_bound = sized->errors;
  found.table = sized->table;
  if (sized->proven) found.num_distinct = condense(task.dataset.select(task.allowed)).features.size();
  return found;
}

}  // namespace beadwork
