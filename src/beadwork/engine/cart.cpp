#include <beadwork/engine/candidates.hpp>
#include <beadwork/engine/registry.hpp>

// CART as an engine: a tree without proof.

namespace beadwork {

Result<Found> learn_by_cart(const Dataset& dataset, const Options& options, const Control& control) {
  const auto how = cart_options(options);
  if (!how) return how.error();
  Found found;
  found.status = SolveStatus::feasible;
  found.diagram = cart(dataset, *how, control).diagram;
  found.upper_bound = training_errors(dataset, *found.diagram);
  return found;
}

}  // namespace beadwork
