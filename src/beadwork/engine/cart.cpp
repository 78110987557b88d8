#include <beadwork/engine/registry.hpp>

// CART as an engine: a tree without proof.

namespace beadwork {

Result<EngineAnswer> learn_by_cart(const Task& task, const Control& control) {
  EngineAnswer found;
  found.status = SolveStatus::feasible;
  CartTree tree = cart(task.dataset, cart_options(task.request), control);
  found.cut_short = !tree.complete;
  found.diagram = std::move(tree.diagram);
  found.upper_bound = training_errors(task.dataset, *found.diagram);
  return found;
}

}  // namespace beadwork
