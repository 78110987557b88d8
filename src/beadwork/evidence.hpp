#pragma once
// evidence: what is known of a model beyond its diagram: how it was learnt, from which rows, and what to set beside it.
//
//   auto outcome = learn(dataset, options);
//   auto model = make_model(binarizer, dataset, outcome->features, *outcome->diagram,
//                           training_of(dataset, options, *outcome, rule));
//   auto facts = facts_of(*model, {{ReportRows::Role::other, "loans.csv", table}}, learnt_from(*model, table));
//   auto page = html_report(*model, *facts);
//
// The command line and the Python package go through here, so that the same data and options give the same model file and the
// same page.

#include <beadwork/engine.hpp>
#include <beadwork/model.hpp>
#include <beadwork/report.hpp>
#include <optional>
#include <string>
#include <vector>

namespace beadwork {

// What a model file says of an outcome that has a diagram. A limit that came before any answer counts as feasible; where
// costs or nodes were optimized, or not all features allowed, nothing is proven of the errors of all diagrams, and the bound
// is 0.
Training training_of(const Dataset& dataset, const Options& options, const Outcome& outcome,
                     const ThresholdRule& thresholds);

// The table as it was learnt from, if this is it: the model holds the hash of its 0/1 matrix.
struct LearntFrom {
  Binarizer binarizer;  // all features, not the selected ones alone
  Dataset dataset;
};
std::optional<LearntFrom> learnt_from(const Model& model, const Table& table);

// Adds a CART tree of that depth from the same features, judged on all rows of the facts.
Status add_cart(const Binarizer& binarizer, const Dataset& dataset, std::int64_t depth, ReportFacts& facts,
                const Control& control = {});

// What a page says of a model that is there already. Where it is known what it was learnt from, that is the first of the
// rows: their role becomes training, and CART is set beside the model.
Result<ReportFacts> facts_of(const Model& model, std::vector<ReportRows> rows,
                             const std::optional<LearntFrom>& learnt = {}, const Control& control = {});

}  // namespace beadwork
