#pragma once
// study: grids of runs, the same splits for every learner, results side by side.
//
//   Options base;
//   base.depth = 3;
//   std::vector<Learner> learners = {*parse_learner("cart", base), *parse_learner("search:features-from=cart", base)};
//   auto runs = cross_validate(dataset, learners, {.folds = 5, .seeds = 5});
//   for (const Summary& s : summarise(learners, *runs)) ...      // means over folds and seeds
//
// The paper's protocol: folds drawn at random, not by class; one draw a seed; columns that are zero in the whole file are
// dropped before, none after. What is learnt from a training fold is evaluated on it and on the rows held out. Features
// are those of the dataset: whoever made them from the classes of all rows has looked at the rows held out.
//
// A whole experiment is a file:
//
//   auto plan = read_plan("studies/table4.json", "../shared");
//   auto summary = run_study(*plan, {.record = "table4.jsonl", .jobs = 2});   // killed and called again, it goes on
//   auto record = read_record("table4.jsonl");
//   FilledTable t = fill(*plan, plan->tables[0], *read_published(plan->tables[0].published), record->entries);
//   write_file("table4.md", to_markdown(t));
//
//   study/plan.hpp      the file, the grid of runs that it stands for, tables and figures to be made
//   study/record.hpp    what a run left: a JSON line; records are joined and compared
//   study/runner.hpp    runs, a process each, appended to the record as they end
//   study/tables.hpp    means beside published values, as Markdown, CSV and LaTeX; figures as SVG

#include <beadwork/dataset.hpp>
#include <beadwork/engine.hpp>
#include <beadwork/study/plan.hpp>
#include <beadwork/study/record.hpp>
#include <beadwork/study/runner.hpp>
#include <beadwork/study/tables.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// An engine with its options, under a name.
struct Learner {
  std::string name;
  Options options;
};
// "engine" or "engine:option=value:...", options as on the command line; a flag needs no value. Checked as `learn` does.
Result<Learner> parse_learner(std::string_view text, const Options& base);

// What one learner made of one split.
struct FoldRun {
  std::size_t learner = 0;
  std::uint64_t seed = 0;
  std::size_t fold = 0;
  SolveStatus status = SolveStatus::unknown;
  bool answered = false;  // the rest means something only then
  std::int64_t errors = 0;
  std::int64_t lower_bound = 0;
  double train_accuracy = 0;  // shares of weight
  double test_accuracy = 0;
  std::size_t size = 0;
  std::size_t inner_nodes = 0;
  std::size_t used_features = 0;
  double seconds = 0;
};
Result<FoldRun> run_split(const Dataset& train, const Dataset& test, const Options& options,
                          const Control& control = {});

struct Protocol {
  std::size_t folds = 5;
  std::size_t seeds = 5;
  std::uint64_t first_seed = 1;
  bool stratified = false;
};
// Ordered by seed, fold and learner. Interrupted, the runs that were finished; their number tells.
Result<std::vector<FoldRun>> cross_validate(const Dataset& dataset, const std::vector<Learner>& learners,
                                            const Protocol& protocol, const Control& control = {});

struct Moments {
  double mean = 0;
  double deviation = 0;  // of the sample; 0 for one run
};
struct Summary {
  std::string name;
  std::size_t runs = 0;
  std::size_t answered = 0;
  std::size_t optimal = 0;
  Moments train_accuracy, test_accuracy, size, used_features, seconds;  // of those that answered
};
std::vector<Summary> summarise(const std::vector<Learner>& learners, const std::vector<FoldRun>& runs);

}  // namespace beadwork
