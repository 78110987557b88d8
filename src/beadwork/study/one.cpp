#include <fmt/format.h>

#include <algorithm>
#include <beadwork/encoding.hpp>
#include <beadwork/study.hpp>

namespace beadwork {
namespace {

std::vector<Class> labels_of(const Dataset& d) {
  std::vector<Class> labels;
  for (std::size_t r = 0; r < d.num_rows(); ++r) labels.push_back(d.label(Row{r}));
  return labels;
}

// The rows to train on and those held out; a study of whole sets tests on the same rows.
Result<Split> split_of(const StudyPlan& plan, const StudyRun& run, const Dataset& whole) {
  if (plan.folds > 0) {
    const std::size_t fold = std::stoul(run.part.substr(std::string_view("fold ").size()));
    auto splits = plan.stratified ? stratified_k_folds(labels_of(whole), plan.folds, run.seed)
                                  : k_folds(whole.num_rows(), plan.folds, run.seed);
    if (!splits) return splits.error();
    return (*splits)[fold];
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

double percent(const Dataset& d, const Diagram& diagram) {
  const auto total = static_cast<double>(d.total_weight());
  return total == 0 ? 100 : 100 - 100 * static_cast<double>(training_errors(d, diagram)) / total;
}

void measure(StudyEntry& e, const Diagram& diagram, const Dataset& train, const Dataset& test) {
  e.measures["errors"] = static_cast<double>(training_errors(train, diagram));
  e.measures["train"] = percent(train, diagram);
  e.measures["test"] = percent(test, diagram);
  e.measures["size"] = static_cast<double>(diagram.size());
  e.measures["inner_nodes"] = static_cast<double>(diagram.inner_nodes());
  e.measures["features"] = static_cast<double>(diagram.used_features().size());
}

void count_literals(StudyEntry& e, const StudyLearner& learner, std::size_t rows, std::size_t features,
                    std::size_t depth) {
  if (learner.literals.empty() || depth < 2 || features < 3) return;
  e.measures["literals"] =
      static_cast<double>(learner.literals == "bdd1"   ? bdd1_literals(rows, features, depth)
                          : learner.literals == "bdd2" ? bdd2_literals(rows, features, depth)
                                                       : dt_literals(rows, features, depth));
}

void fail(StudyEntry& e, const Error& error) {
  e.status = "failed";
  e.note = error.to_string();
}

void learn_one(StudyEntry& e, const StudyLearner& learner, const Dataset& train, const Dataset& test,
               std::size_t depth, const Control& control) {
  Options options = learner.options;
  options.depth = static_cast<std::int64_t>(depth);
  // Zero columns were dropped before the split. bdd2 reads the data as the paper does, asked to or not.
  options.keep_all_zero = options.faithful || options.encoding == "bdd2";
  const Stopwatch clock;
  auto outcome = learn(train, options, control);
  e.measures["seconds"] = clock.seconds();
  if (!outcome) return fail(e, outcome.error());
  e.status = to_string(outcome->status);
  e.measures["lower_bound"] = static_cast<double>(outcome->lower_bound);
  if (outcome->diagram) measure(e, *outcome->diagram, train, test);
  std::size_t features = train.num_features();
  if (options.features_from == "cart") {  // the formula is over CART's features alone
    Options cart;
    cart.engine = "cart";
    cart.depth = options.depth;
    cart.seed = options.seed;
    cart.impurity = options.impurity;
    cart.min_split = options.min_split;
    cart.min_leaf = options.min_leaf;
    if (const auto tree = learn(train, cart, control); tree && tree->diagram)
      features = tree->diagram->used_features().size();
  }
  count_literals(e, learner, train.num_rows(), features, std::min(depth, features));
}

void least_depth_of(StudyEntry& e, const StudyLearner& learner, const Dataset& train, const Dataset& test,
                    const Control& control) {
  Options options = learner.options;
  options.keep_all_zero = true;
  Control limited = control;
  limited.deadline = Deadline::in(options.time_limit);
  const Stopwatch clock;
  auto least = min_depth(train, learner.start, options, limited, learner.floor);
  e.measures["seconds"] = clock.seconds();
  if (!least) return fail(e, least.error());
  e.status = to_string(least->status);
  if (least->status != SolveStatus::optimal) return;
  e.measures["least_depth"] = static_cast<double>(*least->depth);
  if (least->table)
    measure(e,
            diagram_of(least->table->all_decided()
                           ? *least->table
                           : fill_by_branch(*least->table, count_cells(train, least->table->order()))),
            train, test);
  count_literals(e, learner, train.num_rows(), train.num_features(), *least->depth);
}

void describe_one(StudyEntry& e, const Dataset& d) {
  const Condensed c = condense(d);
  std::int64_t positive = 0;
  for (std::size_t r = 0; r < d.num_rows(); ++r)
    if (d.label(Row{r})() == 1) positive += d.weight(Row{r});
  e.status = "optimal";
  e.measures["rows"] = static_cast<double>(d.num_rows());
  e.measures["features"] = static_cast<double>(d.num_features());
  e.measures["distinct_rows"] = static_cast<double>(c.num_rows);
  e.measures["distinct_features"] = static_cast<double>(c.features.size());
  e.measures["unavoidable_errors"] = static_cast<double>(c.unavoidable_errors);
  e.measures["positive"] = static_cast<double>(positive) / static_cast<double>(d.total_weight());
}

}  // namespace

StudyEntry run_one(const StudyPlan& plan, const StudyRun& run, const Dataset& whole, const Control& control) {
  const StudyLearner& learner = plan.learners[run.learner];
  StudyEntry e;
  e.set = plan.sets[run.set].name;
  e.part = run.part;
  e.seed = run.seed;
  e.depth = run.depth;
  e.learner = learner.name;
  e.settings = learner.settings;
  using Task = StudyLearner::Task;
  e.engine = learner.task == Task::learn       ? learner.options.engine
             : learner.task == Task::min_depth ? "sat"
                                               : "";
  const auto split = split_of(plan, run, whole);
  if (!split) {
    fail(e, split.error());
    return e;
  }
  const Dataset train = whole.subset(split->train), test = whole.subset(split->test);
  if (learner.task == Task::learn) learn_one(e, learner, train, test, *run.depth, control);
  if (learner.task == Task::min_depth) least_depth_of(e, learner, train, test, control);
  if (learner.task == Task::describe) describe_one(e, train);
  return e;
}

}  // namespace beadwork
