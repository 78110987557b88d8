#include <beadwork/evidence.hpp>

namespace beadwork {

Result<Model> model_of(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                       const Outcome& outcome, const std::string& thresholds, const std::string& data_sha256) {
  require(outcome.diagram.has_value(), "model_of: an outcome with a diagram");
  Claim claim = outcome.claim;
  if (claim.status ==
      SolveStatus::unknown) {  // a limit came before any answer, and the caller has put the constant in its place
    claim.status = SolveStatus::feasible;
    claim.upper_bound = training_errors(dataset, *outcome.diagram);
  }
  Training training{std::string(engine_of(request).name), request.run.seed, thresholds};
  training.data_sha256 = data_sha256;
  return make_model(binarizer, dataset, outcome.features, *outcome.diagram, std::move(training), std::move(claim));
}

std::optional<LearntFrom> learnt_from(const Model& model, const Table& table) {
  auto rule = parse_threshold_rule(model.training().thresholds);
  if (!rule) return std::nullopt;
  auto binarizer = Binarizer::fit(table, {*rule});
  if (!binarizer) return std::nullopt;
  auto dataset = binarizer->apply(table);
  if (!dataset || sha256(*dataset) != model.training().data_sha256) return std::nullopt;
  return LearntFrom{*std::move(binarizer), *std::move(dataset)};
}

}  // namespace beadwork
