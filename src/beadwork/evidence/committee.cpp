#include <beadwork/evidence.hpp>

#include <algorithm>

namespace beadwork {
namespace {

// The diagram with its features numbered by their places in the list.
Result<Diagram> renumbered(const Diagram& diagram, const std::vector<Feature>& list) {
  std::vector<DiagramNode> nodes = diagram.nodes();
  for (DiagramNode& node : nodes)
    if (!node.sink)
      node.feature =
          Feature{static_cast<std::size_t>(std::find(list.begin(), list.end(), node.feature) - list.begin())};
  return Diagram::make(std::move(nodes));
}

}  // namespace

Result<Committee> committee_of(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                               const Outcome& outcome, const Model& optimum) {
  require(outcome.committee.has_value(), "committee_of: an outcome with a committee");
  std::vector<Feature> features = outcome.features;
  std::vector<Diagram> diagrams;
  for (const CommitteeAnswer::Member& m : outcome.committee->members) {
    diagrams.push_back(diagrams.empty() ? *outcome.diagram
                                        : without_implied_tests(m.diagram, m.features, binarizer, request));
    for (const Feature f : diagrams.back().used_features())
      if (std::find(features.begin(), features.end(), f) == features.end()) features.push_back(f);
  }
  TRY(auto model, make_model(binarizer, dataset, features, *outcome.diagram, optimum.training(), optimum.claim(),
                             optimum.reading()));
  std::vector<Committee::Member> members;
  for (std::size_t i = 0; i < diagrams.size(); ++i) {
    TRY(auto diagram, renumbered(diagrams[i], features));
    members.push_back({std::move(diagram), outcome.committee->members[i].cost});
  }
  return Committee::make(std::move(model), std::move(members), outcome.committee->claim);
}

}  // namespace beadwork
