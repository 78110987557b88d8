#include <beadwork/engine/sized.hpp>

// Engine search with a limit on nodes or a price for them.

namespace beadwork {
namespace {

Result<SizedOutcome> run(const Task& task, const Control& control) {
  const auto& asked = task.request.only_of<ForSearch>();
  const SearchOptions o = search_options(task);
  if (asked.max_nodes) return least_errors_within(task.dataset, o, static_cast<std::size_t>(*asked.max_nodes), control);
  TRY(const auto penalty, penalty_of(*asked.node_penalty, task.cost));
  return least_penalised(task.dataset, o, penalty, control);
}

}  // namespace

Result<NodePenalty> penalty_of(double price, const Prices& cost) {
  const auto exact = exact_price(price, cost.units);
  if (!exact) return option_error("too many decimals for weights and costs with so many digits", "node_penalty");
  return NodePenalty{exact->numerator, exact->denominator};
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

Result<EngineAnswer> learn_by_size(const Task& task, const Control& control) {
  TRY(const auto sized, run(task, control));
  EngineAnswer found;
  found.status = sized.proven ? SolveStatus::optimal : SolveStatus::feasible;
  found.lower_bound = sized.lower_bound;
  found.upper_bound = sized.errors;
  found.table = sized.table;
  if (sized.proven) found.num_distinct = condense(task.dataset.select(task.allowed)).features.size();
  return found;
}

}  // namespace beadwork
