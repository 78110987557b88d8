#include "runner.hpp"
#include <beadwork/encoding.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

std::vector<Class> labels_of(const Dataset& d) {
  std::vector<Class> labels;
  for (std::size_t r = 0; r < d.num_rows(); ++r) labels.push_back(d.label(Row{r}));
  return labels;
}

Result<std::vector<Split>> folds_of(const StudyPlan& plan, std::uint64_t seed, const Dataset& whole) {
  return plan.stratified ? stratified_k_folds(labels_of(whole), plan.folds, seed)
                         : k_folds(whole.num_rows(), plan.folds, seed);
}

// The rows to train on and those held out; a study of whole sets tests on the same rows.
Result<Split> split_of(const StudyPlan& plan, const StudyRun& run, const Dataset& whole) {
  if (plan.folds > 0) {
    TRY(auto folds, folds_of(plan, run.seed, whole));
    return folds[run.place];
  }
  constexpr std::string_view kShare = "share ";
  if (run.part.starts_with(kShare)) {
    const double share = *parse_number(std::string_view(run.part).substr(kShare.size()));
    return plan.stratified ? stratified_hold_out(labels_of(whole), share, run.seed)
                           : hold_out(whole.num_rows(), share, run.seed);
  }
  Split all;
  for (std::size_t r = 0; r < whole.num_rows(); ++r) all.train.emplace_back(r);
  all.test = all.train;
  return all;
}

// Of so many errors.
double percent(const Dataset& d, std::int64_t errors) {
  const auto total = static_cast<double>(d.total_weight());
  return total == 0 ? 100 : 100 - 100 * static_cast<double>(errors) / total;
}

// Errors are counted for up to half a second after a limit; what takes longer has no answer. `of` ends the names.
void measure(StudyEntry& e, const Diagram& diagram, const Dataset& train, const Dataset& test, Control control,
             const std::string& of = "") {
  constexpr double kMoment = 0.5;
  if (control.deadline.remaining() < kMoment) control.deadline = Deadline::in(kMoment);
  const auto errors = training_errors(train, diagram, control);
  const auto held_out = errors ? training_errors(test, diagram, control) : std::nullopt;
  if (!held_out) {
    e.status = to_string(SolveStatus::unknown);
    return;
  }
  e.measures["errors" + of] = static_cast<double>(*errors);
  e.measures["train" + of] = percent(train, *errors);
  e.measures["test" + of] = percent(test, *held_out);
  e.measures["size" + of] = static_cast<double>(diagram.size());
  e.measures["inner_nodes" + of] = static_cast<double>(diagram.inner_nodes());
  e.measures["features" + of] = static_cast<double>(diagram.used_features().size());
}

// The diagram of a solution whose free cells a bias fills. As `fit` does: where P would make the root of the paper's
// reading no bead, the solver's values stay.
Diagram filled(const Outcome& solution, std::string_view bias, const Dataset& train) {
  if (bias == "S") return *solution.diagram;
  if (bias == "C") return diagram_of(merge_compatible(*solution.table));
  const TruthTable by_branch = fill_by_branch(*solution.table, count_cells(train, solution.table->order()));
  const bool lost = solution.claim.scope.exactly && !is_bead(by_branch, {0, 0, by_branch.num_cells()});
  return lost ? *solution.diagram : diagram_of(by_branch);
}

std::size_t written_for_trees(const Examples& examples, std::size_t depth) {
  CountingSink sink;
  lift_dt(examples, depth, unnamed(sink), [&](Clause soft, Weight) { sink.size.literals += soft.size(); });
  return sink.size.literals;
}

// As `encode` writes the formula: every row by itself. Engine maxsat-dt solves a smaller one, of merged rows.
void count_for_trees(StudyEntry& e, const Dataset& train, std::size_t depth) {
  const auto every = faithful_examples(train, true);
  if (!every) return;  // more than two classes
  e.measures["literals"] = static_cast<double>(written_for_trees(*every, depth));
  e.measures["literals_solved"] = static_cast<double>(written_for_trees(merged_examples(train), depth));
}

void count_literals(StudyEntry& e, const StudyLearner& learner, const Dataset& train, std::size_t features,
                    std::size_t depth) {
  if (learner.literals.empty()) return;
  if (learner.literals == "dt") return count_for_trees(e, train, depth);
  const auto closed_form = learner.literals == "bdd1" ? bdd1_literals : bdd2_literals;
  e.measures["literals"] = static_cast<double>(closed_form(train.num_rows(), features, depth));
}

// One class for all rows is what engine maxsat-dt answers where its solver has no tree: that is no answer of a solver.
bool falls_back(const StudyEntry& e, const Outcome& outcome) {
  return e.engine == "maxsat-dt" && !e.proven() && outcome.diagram && outcome.diagram->size() == 1;
}

Status learn_one(StudyEntry& e, const StudyLearner& learner, const Dataset& train, const Dataset& test,
                 const Control& control) {
  const std::size_t depth = e.depth.value_or(depth_of(learner));
  const Stopwatch clock;
  TRY(auto outcome, learn_with(learner, depth, train, control));
  e.measures["seconds"] = clock.seconds();
  e.status = to_string(outcome.status());
  e.measures["lower_bound"] = static_cast<double>(outcome.claim.lower_bound);
  if (e.proven() && !outcome.claim.canonical) e.note = "others may tie with it";
  if (falls_back(e, outcome)) {
    e.status = to_string(SolveStatus::unknown);
    e.note = "no tree in time";
    return Done{};
  }
  if (outcome.diagram) measure(e, *outcome.diagram, train, test, control);
  if (outcome.table)
    for (const std::string& bias : learner.biases) {
      measure(e, filled(outcome, bias, train), train, test, control, "_" + bias);
      if (e.measures.contains("errors_" + bias) && e.measures["errors_" + bias] != e.measures["errors"])
        return Error{ErrorCode::internal, fmt::format("bias {} makes other errors", bias), {}};
    }
  if (learner.literals.empty()) return Done{};
  const std::size_t features = formula_features(learner, depth, train, control);
  count_literals(e, learner, train, features, depth);
  return Done{};
}

Status least_depth_of(StudyEntry& e, const StudyLearner& learner, const Dataset& train, const Dataset& test,
                      const Control& control) {
  const Stopwatch clock;
  TRY(auto least, least_depth_with(learner, train, control));
  e.measures["seconds"] = clock.seconds();
  e.status = to_string(least.status);
  if (!e.proven()) return Done{};
  e.measures["least_depth"] = static_cast<double>(*least.depth);
  if (const auto& table = least.table)
    measure(e, diagram_of(table->all_decided() ? *table : fill_by_branch(*table, count_cells(train, table->order()))),
            train, test, control);
  count_literals(e, learner, train, train.num_features(), *least.depth);
  return Done{};
}

Status describe_one(StudyEntry& e, const Dataset& d) {
  const Condensed c = condense(d);
  std::int64_t positive = 0;
  for (std::size_t r = 0; r < d.num_rows(); ++r)
    if (d.label(Row{r})() == 1) positive += d.weight(Row{r});
  e.status = to_string(SolveStatus::optimal);
  e.measures["rows"] = static_cast<double>(d.num_rows());
  e.measures["features"] = static_cast<double>(d.num_features());
  e.measures["distinct_rows"] = static_cast<double>(c.num_rows);
  e.measures["distinct_features"] = static_cast<double>(c.features.size());
  e.measures["unavoidable_errors"] = static_cast<double>(c.unavoidable_errors);
  e.measures["positive"] = static_cast<double>(positive) / static_cast<double>(d.total_weight());
  return Done{};
}

Status run_on(StudyEntry& e, const StudyLearner& learner, const Dataset& train, const Dataset& test,
              const Control& control) {
  using Task = StudyLearner::Task;
  return learner.task == Task::learn       ? learn_one(e, learner, train, test, control)
         : learner.task == Task::min_depth ? least_depth_of(e, learner, train, test, control)
                                           : describe_one(e, train);
}

}  // namespace

Result<Dataset> without_zero_columns(const Dataset& dataset, const Control& control) {
  const auto zero = all_zero_features(dataset);
  std::vector<Feature> kept;
  for (std::size_t f = 0; f < dataset.num_features(); ++f)
    if (!std::binary_search(zero.begin(), zero.end(), Feature{f})) kept.emplace_back(f);
  return dataset.select(kept, control);
}

StudyEntry run_one(const StudyPlan& plan, const StudyRun& run, const Dataset& whole, const Control& control) {
  StudyEntry e = entry_of(plan, run);
  const auto split = split_of(plan, run, whole);
  const Status ok =
      !split ? split.error()
             : run_on(e, plan.learners[run.learner], whole.subset(split->train), whole.subset(split->test), control);
  if (!ok) {
    e.status = "failed";
    e.note = ok.error().to_string();
  }
  return e;
}

namespace {

// The rows of one place, for all learners, and since when.
struct Parted {
  Dataset train, test;
  bool there = false;  // false: a limit came first
  double seconds = 0;  // that it took
};

// The longest that a run may take; its limits are those of the parting as well.
double longest(const StudyPlan& plan) {
  double out = 0;
  for (const StudyLearner& learner : plan.learners) out = std::max(out, seconds_of(learner));
  return out;
}

Parted part(const Dataset& whole, const Split& split, double seconds, Control control) {
  const Stopwatch clock;
  control.deadline = control.deadline.within(seconds);
  auto train = whole.subset(split.train, control);
  auto test = train ? whole.subset(split.test, control) : Result<Dataset>(train.error());
  if (!test && !control.stopping()) control.warn(test.error().message);
  if (!test) return {{}, {}, false, clock.seconds()};
  return {*std::move(train), *std::move(test), true, clock.seconds()};
}

}  // namespace

Result<std::vector<StudyEntry>> cross_validate(const StudyPlan& plan, const Dataset& dataset, const Control& control) {
  require(plan.sets.size() == 1 && plan.folds > 0, "cross_validate: one set, folds");
  const bool zero = !all_zero_features(dataset).empty();
  const auto some = zero ? without_zero_columns(dataset, control) : Result<Dataset>(Dataset());
  std::vector<StudyEntry> done;
  if (!some && control.stopping()) return done;
  if (!some) return some.error();
  const Dataset& whole = zero ? *some : dataset;
  std::vector<Split> folds;
  Parted rows;
  std::optional<std::uint64_t> seed;
  std::optional<std::size_t> place;
  for (const StudyRun& run : runs_of(plan)) {
    if (seed != run.seed) {
      TRY(auto drawn, folds_of(plan, run.seed, whole));
      folds = std::move(drawn);
    }
    if (seed != run.seed || place != run.place) {
      rows = {};  // two of them would take twice the memory
      rows = part(whole, folds[run.place], longest(plan), control);
    }
    seed = run.seed;
    place = run.place;
    StudyEntry entry = entry_of(plan, run);
    Control own = control;
    own.deadline = control.deadline.within(seconds_of(plan.learners[run.learner]) - rows.seconds);
    entry.status = to_string(SolveStatus::unknown);
    entry.measures["seconds"] = rows.seconds;
    const Status ok =
        rows.there ? run_on(entry, plan.learners[run.learner], rows.train, rows.test, own) : Status(Done{});
    if (control.stopping()) return done;
    if (!ok) return ok.error();
    done.push_back(std::move(entry));
  }
  return done;
}

}  // namespace beadwork
