#include <beadwork/evidence.hpp>

#include <algorithm>

namespace beadwork {

Result<Model> model_of(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                       const Outcome& outcome, const std::string& thresholds, const DataHashes& hashes,
                       const ReadOptions& reading) {
  require(outcome.diagram.has_value(), "model_of: an outcome with a diagram");
  Claim claim = outcome.claim;
  if (claim.status ==
      SolveStatus::unknown) {  // a limit came before any answer, and the caller has put the constant in its place
    claim.status = SolveStatus::feasible;
    TRY(const auto cost, training_cost(dataset, *outcome.diagram, request));
    claim.upper_bound = cost;
  }
  Training training{std::string(engine_of(request).name), request.run.seed, thresholds};
  training.hashes = hashes;
  training.asked = asked_for(request, outcome);
  return make_model(binarizer, dataset, outcome.features, *outcome.diagram, std::move(training), std::move(claim),
                    reading);
}

bool same_rows(const Training& training, const Dataset& dataset) {
  if (!training.hashes.rows.empty()) return rows_sha256(dataset) == training.hashes.rows;
  const std::string& old = training.data_sha256;  // of either kind that there was
  return !old.empty() && (data_sha256(dataset) == old || (!dataset.ranks() && sha256(dataset) == old));
}

LearntFrom whole_of(const Model& model, const Binarizer& binarizer, const Dataset& dataset) {
  constexpr std::size_t kMostCells = std::size_t{1} << 28;  // 32 MiB of bits
  if (!dataset.is_sorted()) return {binarizer, dataset};
  if (dataset.num_features() < kMostCells / std::max<std::size_t>(dataset.num_rows(), 1))
    if (auto all = with_bits(dataset)) return {binarizer.listed(), *std::move(all)};
  return {model.binarizer(), dataset};
}

std::optional<LearntFrom> learnt_from(const Model& model, const Table& table) {
  auto rule = parse_threshold_rule(model.training().thresholds);
  if (!rule) return std::nullopt;
  if (rule->kind == ThresholdRule::Kind::all) {
    auto ranked = rank(table);
    if (!ranked) return std::nullopt;
    const auto data = std::make_shared<const RankedData>(*std::move(ranked));
    Dataset ranked_rows = ranked_dataset(data);
    if (same_rows(model.training(), ranked_rows)) return whole_of(model, Binarizer::of(data), ranked_rows);
    if (static_cast<std::int64_t>(data->num_features()) != model.training().num_features) return std::nullopt;
  }
  if (model.training().num_features == 0) {  // a limit came before they were made, or there are none
    auto classes = classes_alone(table, *rule);
    if (classes && same_rows(model.training(), classes->dataset))
      return LearntFrom{std::move(classes->binarizer), std::move(classes->dataset)};
  }
  auto binarizer = Binarizer::fit(table, {*rule});
  if (!binarizer) return std::nullopt;
  auto dataset = binarizer->apply(table);
  if (!dataset) return std::nullopt;
  if (!same_rows(model.training(), *dataset)) return std::nullopt;
  return LearntFrom{*std::move(binarizer), *std::move(dataset)};
}

}  // namespace beadwork
