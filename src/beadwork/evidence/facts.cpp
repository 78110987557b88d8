#include <beadwork/evidence.hpp>

#include <fmt/format.h>

namespace beadwork {
namespace {

// The weights of a table's rows; none: all 1.
std::span<const double> weights_of(const Table& table) {
  const auto weight = table.weight();
  return weight ? std::span<const double>(table.column(*weight).numbers) : std::span<const double>();
}

}  // namespace

Status add_cart(const Model& model, const Binarizer& binarizer, const Dataset& dataset, std::size_t depth,
                ReportFacts& facts, const Control& control) {
  if (dataset.is_sorted()) return Done{};  // too many thresholds for its features
  if (dataset.lacks_features()) return Done{};
  Request request;
  request.run.engine.chosen = find_engine("cart");
  request.run.depth.most = depth;
  TRY(auto outcome, learn(dataset, request, control));
  Training training;
  training.hashes.rows = "not hashed";
  TRY(auto tree,
      make_model(binarizer, dataset, outcome.features, *outcome.diagram, std::move(training), outcome.claim));
  ReportFacts::Rival rival{"CART",
                           fmt::format("a greedy tree of depth {} from the same table, with {} nodes and {} features",
                                       depth, outcome.diagram->size(), tree.num_features()),
                           {}};
  for (const ReportRows& rows : facts.rows) {
    auto predictions = predict(tree, rows.table);
    if (!predictions) return Done{};  // the tree tests a column that these rows lack, and the model does not
    TRY(auto labels, binarizer.labels(rows.table));
    rival.on.push_back(
        evaluate(labels, predictions->classes, weights_of(rows.table), binarizer.class_names().size(), model.costs()));
  }
  facts.rivals.push_back(std::move(rival));
  return Done{};
}

Result<ReportFacts> facts_of(const Model& model, std::vector<ReportRows> rows, const std::optional<LearntFrom>& learnt,
                             const Control& control) {
  require(!learnt || !rows.empty(), "facts_of: the rows that were learnt from");
  ReportFacts facts;
  facts.rows = std::move(rows);
  facts.standing = model.standing();
  if (!learnt) return facts;
  facts.rows.front().role = ReportRows::Role::training;
  facts.binarizer = learnt->binarizer;
  if (model.training().engine != "cart")
    TRY_DONE(add_cart(model, learnt->binarizer, learnt->dataset, model.claim().scope.depth, facts, control));
  return facts;
}

}  // namespace beadwork
