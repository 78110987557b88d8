#include <beadwork/evidence.hpp>

#include <algorithm>

namespace beadwork {

Result<Model> model_of(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                       const Outcome& outcome, const std::string& thresholds, const std::string& data_sha256,
                       const ReadOptions& reading) {
  require(outcome.diagram.has_value(), "model_of: an outcome with a diagram");
  Claim claim = outcome.claim;
  if (claim.status ==
      SolveStatus::unknown) {  // a limit came before any answer, and the caller has put the constant in its place
    claim.status = SolveStatus::feasible;
    claim.upper_bound = training_errors(told_of(outcome, dataset), *outcome.diagram);
  }
  Training training{std::string(engine_of(request).name), request.run.seed, thresholds};
  training.data_sha256 = data_sha256;
  return make_model(told_of(outcome, binarizer), told_of(outcome, dataset), outcome.features, *outcome.diagram,
                    std::move(training), std::move(claim), reading);
}

LearntFrom whole_of(const Binarizer& binarizer, const Dataset& dataset) {
  constexpr std::size_t kMostCells = std::size_t{1} << 28;  // 32 MiB of bits
  if (dataset.num_features() < dataset.num_features_in_all() &&
      dataset.num_features_in_all() < kMostCells / std::max<std::size_t>(dataset.num_rows(), 1))
    if (auto all = all_features_of(dataset.ranks())) return {std::move(all->binarizer), std::move(all->dataset)};
  return {binarizer, dataset};
}

std::optional<LearntFrom> learnt_from(const Model& model, const Table& table) {
  auto rule = parse_threshold_rule(model.training().thresholds);
  if (!rule) return std::nullopt;
  if (rule->kind == ThresholdRule::Kind::all) {
    auto ranked = rank(table);
    if (!ranked) return std::nullopt;
    const auto data = std::make_shared<const RankedData>(*std::move(ranked));
    if (sha256(*data) == model.training().data_sha256) return whole_of(model.binarizer(), ranked_dataset(data));
    if (static_cast<std::int64_t>(data->num_features()) != model.training().num_features) return std::nullopt;
  }
  auto binarizer = Binarizer::fit(table, {*rule});
  if (!binarizer) return std::nullopt;
  auto dataset = binarizer->apply(table);
  if (!dataset) return std::nullopt;
  const std::string& hash = model.training().data_sha256;
  if (data_sha256(*dataset) != hash && sha256(*dataset) != hash) return std::nullopt;  // older models have the latter
  return LearntFrom{*std::move(binarizer), *std::move(dataset)};
}

}  // namespace beadwork
