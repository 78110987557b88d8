#include <beadwork/evidence.hpp>

namespace beadwork {

Training training_of(const Dataset& dataset, const Options& options, const Outcome& outcome,
                     const ThresholdRule& thresholds) {
  require(outcome.diagram.has_value(), "training_of: an outcome with a diagram");
  Training t;
  t.engine = options.engine;
  t.status = to_string(outcome.status == SolveStatus::unknown ? SolveStatus::feasible : outcome.status);
  t.depth = options.depth;
  t.rows = static_cast<std::int64_t>(dataset.num_rows());
  t.total_weight = dataset.total_weight();
  t.weight_scale = dataset.weight_scale();
  t.errors = training_errors(dataset, *outcome.diagram);
  t.lower_bound = outcome.lower_bound;
  const bool some_features = !options.require.empty() || !options.forbid.empty() ||
                             !options.candidate.empty() || !options.features_from.empty();
  if (!options.costs.empty() || options.max_nodes > 0 || !options.node_penalty.empty() || some_features) {
    t.status = to_string(SolveStatus::feasible);
    t.lower_bound = 0;
  }
  t.faithful = options.faithful;
  t.seed = options.seed;
  t.thresholds = to_string(thresholds);
  t.data_sha256 = sha256(dataset);
  t.num_features = static_cast<std::int64_t>(dataset.num_features());
  return t;
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
