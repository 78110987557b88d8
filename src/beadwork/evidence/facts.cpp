#include <fmt/format.h>

#include <beadwork/evidence.hpp>

namespace beadwork {

Status add_cart(const Binarizer& binarizer, const Dataset& dataset, std::int64_t depth, ReportFacts& facts,
                const Control& control) {
  const Engine* cart = find_engine("cart");
  if (cart == nullptr) return Done{};
  Options options;
  options.engine = cart->name;
  options.depth = depth;
  auto outcome = learn(dataset, options, control);
  if (!outcome) return outcome.error();
  if (!outcome->diagram) return Done{};
  auto tree =
      make_model(binarizer, dataset, outcome->diagram->used_features(), *outcome->diagram, Training{});
  if (!tree) return tree.error();
  ReportFacts::Rival rival{
      "CART",
      fmt::format("a greedy tree of depth {} from the same table, with {} nodes and {} features", depth,
                  outcome->diagram->size(), tree->num_features()),
      {}};
  for (const ReportRows& rows : facts.rows) {
    auto predictions = predict(*tree, rows.table);
    if (!predictions) return predictions.error();
    auto labels = binarizer.labels(rows.table);
    if (!labels) return labels.error();
    const auto weight = rows.table.weight();
    rival.on.push_back(evaluate(
        *labels, predictions->classes,
        weight ? std::span<const double>(rows.table.column(*weight).numbers) : std::span<const double>(),
        binarizer.class_names().size()));
  }
  facts.rivals.push_back(std::move(rival));
  return Done{};
}

Result<ReportFacts> facts_of(const Model& model, std::vector<ReportRows> rows,
                             const std::optional<LearntFrom>& learnt, const Control& control) {
  require(!learnt || !rows.empty(), "facts_of: the rows that were learnt from");
  ReportFacts facts;
  facts.rows = std::move(rows);
  const Training& t = model.training();
  if (const Engine* engine = find_engine(t.engine); engine != nullptr && engine->of_trees) {
    facts.all_sets = false;
    if (t.status == to_string(SolveStatus::optimal))
      facts.claim = fmt::format(
          "Proven optimal: no decision tree of depth {} on these {} features makes fewer errors on the "
          "training rows.",
          t.depth, t.num_features);
  }
  if (!learnt) return facts;
  facts.rows.front().role = ReportRows::Role::training;
  facts.binarizer = learnt->binarizer;
  if (t.engine != "cart")
    if (auto ok = add_cart(learnt->binarizer, learnt->dataset, t.depth, facts, control); !ok)
      return ok.error();
  return facts;
}

}  // namespace beadwork
