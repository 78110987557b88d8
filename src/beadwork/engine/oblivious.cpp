#include <beadwork/engine/registry.hpp>

// Oblivious trees and graphs as engines. Beside its own diagram each hands back the truth table of its features, with the
// cells free that no row decides, unless lossy merging has decided otherwise.

namespace beadwork {
namespace {

Found found_from(const Dataset& dataset, const ObliviousGraph& graph, bool lossy) {
  std::vector<Feature> order;
  for (const std::size_t f : graph.order) order.emplace_back(f);
  Found found;
  found.status = SolveStatus::feasible;
  found.diagram = diagram_of(graph);
  found.upper_bound = training_errors(dataset, *found.diagram);
  found.table = lossy ? truth_of(*found.diagram, std::move(order), dataset.num_classes())
                      : TruthTable::from_counts(order, dataset.num_classes(), count_cells(dataset, order));
  return found;
}

ObliviousGraph grown(const ValueTable& values, const Options& options, const Control& control) {
  const OdtOptions how{static_cast<std::size_t>(options.depth), static_cast<std::uint64_t>(options.seed)};
  return grow_odt(values, how, control);
}

}  // namespace

Result<Found> learn_by_odt(const Dataset& dataset, const Options& options, const Control& control) {
  return found_from(dataset, label_by_parent(grown(values_of(dataset), options, control)), false);
}

Result<Found> learn_by_oodg(const Dataset& dataset, const Options& options, const Control& control) {
  ObliviousGraph tree = grown(values_of(dataset), options, control);
  return found_from(dataset, merge_subtrees(std::move(tree), options.merge_z, control), options.merge_z > 0);
}

Result<Found> learn_by_hoodg(const Dataset& dataset, const Options& options, const Control& control) {
  const ValueTable values = values_of(dataset);
  const ObliviousGraph tree = grown(values, options, control);
  return found_from(dataset, hoodg(values, tree.order, control), false);
}

}  // namespace beadwork
