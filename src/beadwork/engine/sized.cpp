#include <beadwork/engine/registry.hpp>
#include <beadwork/smallest.hpp>

// Engine search with a limit on nodes or a price for them.

namespace beadwork {
namespace {

// Errors per node in the user's units, as a fraction of the dataset's.
Result<NodePenalty> penalty_of(const Task& task) {
  const double price = *task.request.only_of<ForSearch>().node_penalty;
  const auto scaled = scale_weights(std::vector{price});
  if (!scaled) return option_error("too many decimals", "node_penalty");
  constexpr double kMost = 1e18;
  const std::int64_t units = task.dataset.weight_scale() * task.cost.scale;
  const double largest = static_cast<double>(task.dataset.total_weight()) * static_cast<double>(task.cost.scale) *
                             static_cast<double>(scaled->scale) +
                         static_cast<double>(scaled->weights[0]) * static_cast<double>(units) * 0x1p21;
  if (largest > kMost) return option_error("too many decimals for weights as large as these", "node_penalty");
  return NodePenalty{scaled->weights[0] * units, scaled->scale};
}

Result<SizedOutcome> run(const Task& task, const Control& control) {
  const auto& asked = task.request.only_of<ForSearch>();
  const SearchOptions o = search_options(task);
  if (asked.max_nodes) return least_errors_within(task.dataset, o, static_cast<std::size_t>(*asked.max_nodes), control);
  const auto penalty = penalty_of(task);
  if (!penalty) return penalty.error();
  return least_penalised(task.dataset, o, *penalty, control);
}

}  // namespace

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
