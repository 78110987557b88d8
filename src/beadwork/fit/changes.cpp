#include <beadwork/fit.hpp>

// What a host makes of an answer that it cannot leave as it is. The claim follows.

namespace beadwork {

Status fall_back(Outcome& outcome, const Dataset& dataset, const Request& request) {
  for (std::size_t k = 0; k < dataset.num_classes(); ++k) {
    Diagram constant = *Diagram::make({DiagramNode::leaf(Class{k})});
    TRY(const auto cost, training_cost(dataset, constant, request));
    if (outcome.diagram && cost >= *outcome.claim.upper_bound) continue;
    outcome.diagram = std::move(constant);
    outcome.claim.upper_bound = cost;
  }
  if (outcome.claim.scope.exactly) outcome.claim.scope.exactly = false, outcome.claim.lower_bound = 0;
  outcome.features.clear();
  return Done{};
}

Status leave_out_light(Outcome& outcome, const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                       std::int64_t least) {
  if (!outcome.diagram) return Done{};
  PathCounts counts(outcome.diagram->num_paths(), dataset.num_classes());
  for (std::size_t r = 0; r < dataset.num_rows(); ++r)
    counts.add(outcome.diagram->path_of([&](Feature f) { return dataset.value(f, Row{r}); }), dataset.label(Row{r}),
               dataset.weight(Row{r}));
  Diagram lighter = without_light_branches(*outcome.diagram, counts, least);
  if (lighter == *outcome.diagram) return Done{};
  outcome.diagram = std::move(lighter);
  outcome.table.reset();  // they were about the diagram before
  outcome.size.reset();
  TRY(const auto cost, training_cost(dataset, *outcome.diagram, request));
  outcome.claim.upper_bound = cost;
  weigh_columns(outcome, binarizer, dataset);
  if (!is_proven(outcome.claim) || *outcome.claim.upper_bound == outcome.claim.lower_bound) return Done{};
  outcome.claim.status = SolveStatus::feasible;
  outcome.claim.light_left_out = true;
  return Done{};
}

}  // namespace beadwork
