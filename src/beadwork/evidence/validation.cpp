#include <beadwork/evidence.hpp>

#include <algorithm>

namespace beadwork {
namespace {

constexpr std::size_t kFolds = 5;
constexpr double kLeast = 0.05;  // seconds; below that it would be chance whether the folds are done in time

// Of the size that was chosen, where one was.
Request of_its_size(const Request& request, const Claim& claim) {
  Request out = answer_alone(request);
  out.run.depth = {claim.scope.depth, {}};
  if (std::holds_alternative<ForSearch>(out.only)) out.ask<ForSearch>().max_nodes = claim.scope.max_nodes;
  return out;
}

Class constant_for(const std::vector<Row>& rows, const std::vector<Class>& truth, std::span<const double> weights,
                   std::size_t num_classes, std::span<const double> costs) {
  std::vector<double> sums(num_classes);
  for (const Row r : rows) sums[truth[r()]()] += weights.empty() ? 1 : weights[r()];
  return best_constant(sums, costs);
}

Table with_rows(const Table& table, const std::vector<Row>& rows) {
  std::vector<Column> columns;
  for (const Column& from : table.columns()) {
    Column to{from.name, from.type, {}, {}, from.levels, from.reading};
    for (const Row r : rows)
      if (from.type == ColumnType::numeric)
        to.numbers.push_back(from.numbers[r()]);
      else
        to.codes.push_back(from.codes[r()]);
    columns.push_back(std::move(to));
  }
  return *Table::make(std::move(columns), table.target(), table.weight());
}

class Folds {
 public:
  Folds(const Model& model, const Binarizer& binarizer, const Dataset& dataset, const Table& table,
        const Request& request)
      : model_(model),
        binarizer_(binarizer),
        dataset_(dataset),
        table_(table),
        request_(of_its_size(request, model.claim())) {
    if (const auto weight = table.weight()) weights_ = table.column(*weight).numbers;
  }

  std::optional<ReportFacts::Validation> run(double seconds, Control control) {
    const auto truth = binarizer_.labels(table_);
    const auto own = predict(model_, table_);
    if (!truth || !own || truth->size() != dataset_.num_rows()) return {};
    const auto splits = stratified_k_folds(*truth, kFolds, request_.seed());
    if (!splits) return {};
    const Stopwatch clock;
    const double most = std::min(seconds, control.deadline.remaining());
    if (most < kLeast) return {};
    const Deadline until = Deadline::in(shares::kValidation * most);
    truth_ = *truth;
    answers_.assign(truth_.size(), Class{0});
    baseline_.assign(truth_.size(), Class{0});
    for (std::size_t i = 0; i < splits->size(); ++i) {
      control.deadline = Deadline::in(until.remaining() / static_cast<double>(splits->size() - i));
      if (!answer((*splits)[i], own->classes, control) || clock.seconds() > most) return {};
    }
    return judged(clock.seconds());
  }

 private:
  // What a fold learns from. Thresholds that depend on classes are made anew, from those of its own rows.
  std::optional<LearntFrom> of_fold(const std::vector<Row>& rows, const Control& control) const {
    const auto rule = parse_threshold_rule(dataset_.thresholds());
    if (!rule || rule->kind != ThresholdRule::Kind::mdlp) {
      auto some = dataset_.subset(rows, control);
      return some ? std::optional(LearntFrom{binarizer_, *std::move(some)}) : std::nullopt;
    }
    const Table table = with_rows(table_, rows);
    const auto fitted = Binarizer::fit(table, {*rule}, control);
    if (!fitted) return std::nullopt;
    auto binarizer = Binarizer::make({fitted->inputs(), fitted->tests(), binarizer_.target(), binarizer_.class_names(),
                                      dataset_.thresholds(), binarizer_.target_cuts()});
    if (!binarizer) return std::nullopt;
    auto some = binarizer->apply(table, control);
    return some ? std::optional(LearntFrom{*std::move(binarizer), *std::move(some)}) : std::nullopt;
  }

  bool answer(const Split& split, const std::vector<Class>& own, const Control& control) {
    const auto from = of_fold(split.train, control);
    if (!from) return false;
    const auto outcome = learn(from->dataset, request_, control);
    if (!outcome || !outcome->diagram) return false;
    const auto model =
        model_of(from->binarizer, from->dataset, request_, *outcome, model_.training().thresholds, {"not hashed", {}});
    if (!model) return false;
    const auto found = predict(*model, table_);
    if (!found) return false;
    const bool errors_only = !outcome->claim.objective.costs && outcome->claim.objective.node_penalty == 0;
    const bool as_good = errors_only && errors_in(split.train, found->classes) <= errors_in(split.train, own);
    if (engine_of(request_).exact() && !is_proven(outcome->claim) && !as_good) return false;
    const Class most = constant_for(split.train, truth_, weights_, binarizer_.class_names().size(), model_.costs());
    for (const Row r : split.test) answers_[r()] = found->classes[r()], baseline_[r()] = most;
    return true;
  }

  double errors_in(const std::vector<Row>& rows, const std::vector<Class>& answers) const {
    double sum = 0;
    for (const Row r : rows)
      if (truth_[r()] != answers[r()]) sum += weights_.empty() ? 1 : weights_[r()];
    return sum;
  }

  ReportFacts::Validation judged(double seconds) const {
    const std::size_t classes = binarizer_.class_names().size();
    const auto costs = model_.costs();
    const Evaluation own = evaluate(truth_, answers_, weights_, classes, costs);
    const Evaluation same = evaluate(truth_, baseline_, weights_, classes, costs);
    ReportFacts::Validation out{
        kFolds, own.accuracy, same.accuracy,
        lift_over(truth_, answers_, baseline_, weights_, effective_rows(weights_, truth_.size()), costs), seconds};
    if (own.cost) out.cost = *own.cost / own.total;
    if (same.cost) out.baseline_cost = *same.cost / same.total;
    return out;
  }

  const Model& model_;
  const Binarizer& binarizer_;
  const Dataset& dataset_;
  const Table& table_;
  Request request_;
  std::span<const double> weights_;
  std::vector<Class> truth_, answers_, baseline_;
};

}  // namespace

std::optional<ReportFacts::Validation> cross_validate(const Model& model, const Binarizer& binarizer,
                                                      const Dataset& dataset, const Table& table,
                                                      const Request& request, double seconds, Control control) {
  control.progress = {};
  control.log = {};
  return Folds(model, binarizer, dataset, table, request).run(seconds, std::move(control));
}

}  // namespace beadwork
