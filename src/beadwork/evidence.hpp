#pragma once
// evidence: what the command line, the page and Python say about a fit.
//
//   auto outcome = learn(dataset, request);
//   auto model = model_of(binarizer, dataset, request, *outcome);
//   auto committee = committee_of(binarizer, dataset, request, *outcome, *model);   // where one was asked for
//   outcome_json(dataset, request, *outcome)                // what --json prints, Python reads and the page embeds
//   auto facts = facts_of(*model, {{ReportRows::Role::other, "loans.csv", table}}, learnt_from(*model, table));
//   auto page = html_report(*model, *facts);

#include <beadwork/engine.hpp>
#include <beadwork/model.hpp>
#include <beadwork/report.hpp>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace beadwork {

// What the tests of these features have to do with one another (diagram.hpp).
TestRegions regions_of(const Binarizer& binarizer, const std::vector<Feature>& features);
// Takes questions out of a diagram, or the outcome's, whose answer is known from the tests before them, and lets cells
// in which no row can be answer whatever makes it smaller (`order`: that of its features, empty for trees), except
// where the request is for the paper's own diagrams. Every row of a table gets the answer that it had.
Diagram without_implied_tests(const Diagram& diagram, const std::vector<Feature>& order, const Binarizer& binarizer,
                              const Request& request);
void remove_implied_tests(Outcome& outcome, const Binarizer& binarizer, const Request& request);

// Fills in outcome.columns: which rows each column turns. For features of a 0/1 matrix a column is a feature. Once more
// after the diagram has changed: prices that are known stay. Where control says stop before the rows of a large diagram
// are through, no column is told of.
void weigh_columns(Outcome& outcome, const Binarizer& binarizer, const Dataset& dataset, const Control& control = {});
// And their prices, where the request asks for them: one fit without each column, all within what is left of the time
// limit. A limit leaves wider bounds.
Status price_columns(Outcome& outcome, const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                     const Control& control);

// What a model keeps of a request: the options that decide the answer. A limit decides nothing where the claim is
// proven and canonical.
AskedFor asked_for(const Request& request, const Outcome& outcome);
// The request of a model, as text for the door (set_option) and for people; costs are not among them.
std::vector<std::pair<std::string, std::vector<std::string>>> option_texts(const AskedFor& asked);

// The model of an outcome that has a diagram. `thresholds` is the rule that the binarizer was fitted with. The hash of
// the rows takes a while for large tables: who has it hands it in, and a model that is neither saved nor shown on a
// page may go with another text.
Result<Model> model_of(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                       const Outcome& outcome, const std::string& thresholds, const DataHashes& hashes = {},
                       const ReadOptions& reading = {});

// The committee of an outcome that has one. `optimum` is the outcome's model_of.
Result<Committee> committee_of(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                               const Outcome& outcome, const Model& optimum);

// The models that one may choose in place of the outcome's (alternatives_to), and what is proven of those near the
// optimum as a list. No more than a person can look through, and a page can hold.
struct OtherModels {
  std::vector<ReportFacts::Alternative> list;
  std::optional<CommitteeClaim> near;
};
Result<OtherModels> other_models(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                                 const Outcome& outcome, const Model& model, const Control& control = {});
// Puts them on a page, once it has its rows. Models that there is no time to judge, or for which the rows lack columns,
// are left out; the page says so.
void add_alternatives(OtherModels others, const Model& model, ReportFacts& facts, const Control& control = {});

// What the request requires, as its claim names it, and no answer of the outcome's diagram depends on: the best set has
// it, and the other features do as well alone.
std::vector<std::string> idle_requirements(const Dataset& dataset, const Outcome& outcome);

// An outcome as one JSON object, in the user's units; docs/formats.md.
std::string outcome_json(const Dataset& dataset, const Request& request, const Outcome& outcome);

// Keeps the bounds that a computation reports, where they change; at most about a thousand of them.
class BoundsRecorder {
 public:
  explicit BoundsRecorder(double scale) : scale_(scale) {}
  Control listen(Control control);  // the recorder must outlive what it listens to
  std::vector<ReportFacts::Moment> moments() const { return moments_; }

 private:
  void add(const Progress& progress);
  double scale_;
  std::mutex mutex_;
  std::vector<ReportFacts::Moment> moments_;
};
// What a page says of the fit itself: its lists, and how the bounds moved.
void add_outcome(const Dataset& dataset, const Request& request, const Outcome& outcome,
                 std::vector<ReportFacts::Moment> bounds, ReportFacts& facts);

// The points of a front for tables and plots.
std::vector<PlotPoint> plot_points(const Outcome& outcome);

// The table as it was learnt from, if this is it: the model holds the hash of its 0/1 matrix, or of its ranks.
struct LearntFrom {
  Binarizer binarizer;  // all features, not the selected ones alone, unless all thresholds are too many
  Dataset dataset;
};
// All features of sorted columns, unless they are too many for a page: then the tests are those of the model. Other
// data as they are.
LearntFrom whole_of(const Model& model, const Binarizer& binarizer, const Dataset& dataset);
// By the hash of the rows; of models of before version 4 by the weaker one that they have.
bool same_rows(const Training& training, const Dataset& dataset);
std::optional<LearntFrom> learnt_from(const Model& model, const Table& table);

// Adds a CART tree of that depth from the same features, judged on all rows of the facts by the model's costs, if it
// has some; none where the dataset lacks features.
Status add_cart(const Model& model, const Binarizer& binarizer, const Dataset& dataset, std::size_t depth,
                ReportFacts& facts, const Control& control = {});

// Five folds of the training rows, each answered by a model that was learnt from the others as the request asks, all in
// at most this many seconds. Nothing where that is too short: a fold counts if its diagram is proven optimal, or makes
// no more errors in the rows that it was learnt from than the fit's own diagram does there.
std::optional<ReportFacts::Validation> cross_validate(const Model& model, const Binarizer& binarizer,
                                                      const Dataset& dataset, const Table& table,
                                                      const Request& request, double seconds, Control control);

// What a page says about an existing model. If the training table is known, it is the first of the rows: its role
// becomes training, and CART is compared with the model.
Result<ReportFacts> facts_of(const Model& model, std::vector<ReportRows> rows,
                             const std::optional<LearntFrom>& learnt = {}, const Control& control = {});

}  // namespace beadwork
