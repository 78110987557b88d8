#include <beadwork/engine/held_cells.hpp>
#include <beadwork/engine/registry.hpp>

// Oblivious trees and graphs as engines. Beside its own diagram each hands back the truth table of its features, with
// the cells free that no row decides, unless lossy merging has decided otherwise.

namespace beadwork {
namespace {

EngineAnswer found_from(const Task& task, const ObliviousGraph& graph, bool lossy, const Control& control) {
  const Dataset& dataset = task.dataset;
  std::vector<Feature> order;
  for (const std::size_t f : graph.order) order.emplace_back(f);
  EngineAnswer found;
  found.status = SolveStatus::feasible;
  found.cut_short = !graph.complete;
  found.out_of_memory = found.cut_short && task.request.run.memory_limit && !control.stopping();
  found.diagram = diagram_of(graph);
  found.upper_bound = training_errors(dataset, *found.diagram);
  found.table =
      lossy ? truth_of(*found.diagram, std::move(order), dataset.num_classes()) : open_table(dataset, order, {});
  return found;
}

// A table of values takes a byte for each.
bool no_room(const Task& task, const Control& control) {
  return control.no_room_for(task.dataset.num_rows() * (task.dataset.num_features() + 32));
}

ObliviousGraph grown(const ValueTable& values, const Task& task, const Control& control) {
  return grow_odt(values, {task.depth(), task.request.seed()}, control);
}

}  // namespace

Result<EngineAnswer> learn_by_odt(const Task& task, const Control& control) {
  if (no_room(task, control)) return constant_answer(task, control);
  return found_from(task, label_by_parent(grown(values_of(task.dataset), task, control)), false, control);
}

Result<EngineAnswer> learn_by_oodg(const Task& task, const Control& control) {
  if (no_room(task, control)) return constant_answer(task, control);
  const double z = task.request.only_of<ForOodg>().merge_z;
  ObliviousGraph tree = grown(values_of(task.dataset), task, control);
  return found_from(task, merge_subtrees(std::move(tree), z, control), z > 0, control);
}

Result<EngineAnswer> learn_by_hoodg(const Task& task, const Control& control) {
  if (no_room(task, control)) return constant_answer(task, control);
  const ValueTable values = values_of(task.dataset);
  const ObliviousGraph tree = grown(values, task, control);
  ObliviousGraph graph = hoodg(values, tree.order, control);
  graph.complete = graph.complete && tree.complete;
  return found_from(task, graph, false, control);
}

}  // namespace beadwork
