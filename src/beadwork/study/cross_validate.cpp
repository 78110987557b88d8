#include <algorithm>
#include <beadwork/study.hpp>
#include <cmath>

namespace beadwork {
namespace {

double accuracy(const Dataset& dataset, const Diagram& diagram) {
  const auto total = static_cast<double>(dataset.total_weight());
  return total == 0 ? 1 : 1 - static_cast<double>(training_errors(dataset, diagram)) / total;
}

Dataset without_zero_columns(const Dataset& dataset) {
  const auto zero = all_zero_features(dataset);
  std::vector<Feature> kept;
  for (std::size_t f = 0; f < dataset.num_features(); ++f)
    if (!std::binary_search(zero.begin(), zero.end(), Feature{f})) kept.emplace_back(f);
  return dataset.select(kept);
}

Result<std::vector<Split>> splits_of(const Dataset& dataset, const Protocol& protocol, std::uint64_t seed) {
  if (!protocol.stratified) return k_folds(dataset.num_rows(), protocol.folds, seed);
  std::vector<Class> labels;
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) labels.push_back(dataset.label(Row{r}));
  return stratified_k_folds(labels, protocol.folds, seed);
}

Moments moments(const std::vector<double>& values) {
  Moments m;
  for (const double v : values) m.mean += v / static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - m.mean) * (v - m.mean);
  if (values.size() > 1) m.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  return m;
}

}  // namespace

Result<FoldRun> run_split(const Dataset& train, const Dataset& test, const Options& options,
                          const Control& control) {
  auto outcome = learn(train, options, control);
  if (!outcome) return outcome.error();
  FoldRun run;
  run.status = outcome->status;
  run.lower_bound = outcome->lower_bound;
  run.seconds = outcome->seconds;
  run.answered = outcome->diagram.has_value();
  if (!run.answered) return run;
  run.errors = training_errors(train, *outcome->diagram);
  run.train_accuracy = accuracy(train, *outcome->diagram);
  run.test_accuracy = accuracy(test, *outcome->diagram);
  run.size = outcome->diagram->size();
  run.inner_nodes = outcome->diagram->inner_nodes();
  run.used_features = outcome->diagram->used_features().size();
  return run;
}

Result<std::vector<FoldRun>> cross_validate(const Dataset& dataset, const std::vector<Learner>& learners,
                                            const Protocol& protocol, const Control& control) {
  const Dataset whole = without_zero_columns(dataset);
  std::vector<FoldRun> runs;
  for (std::uint64_t seed = protocol.first_seed; seed < protocol.first_seed + protocol.seeds; ++seed) {
    const auto splits = splits_of(whole, protocol, seed);
    if (!splits) return splits.error();
    for (std::size_t fold = 0; fold < splits->size(); ++fold) {
      const Dataset train = whole.subset((*splits)[fold].train);
      const Dataset test = whole.subset((*splits)[fold].test);
      for (std::size_t i = 0; i < learners.size(); ++i) {
        Options options = learners[i].options;
        // Zero columns were dropped before the split. bdd2 reads the data as the paper does, asked to or not.
        options.keep_all_zero = options.faithful || options.encoding == "bdd2";
        auto run = run_split(train, test, options, control);
        if (control.stopping()) return runs;
        if (!run) return run.error();
        run->learner = i;
        run->seed = seed;
        run->fold = fold;
        runs.push_back(*run);
      }
    }
  }
  return runs;
}

std::vector<Summary> summarise(const std::vector<Learner>& learners, const std::vector<FoldRun>& runs) {
  std::vector<Summary> out;
  for (std::size_t i = 0; i < learners.size(); ++i) {
    Summary s;
    s.name = learners[i].name;
    std::vector<FoldRun> mine;
    for (const FoldRun& r : runs) {
      if (r.learner != i) continue;
      ++s.runs;
      s.optimal += r.status == SolveStatus::optimal ? 1 : 0;
      if (r.answered) mine.push_back(r);
    }
    s.answered = mine.size();
    const auto over = [&](auto value) {
      std::vector<double> values;
      for (const FoldRun& r : mine) values.push_back(static_cast<double>(value(r)));
      return moments(values);
    };
    s.train_accuracy = over([](const FoldRun& r) { return r.train_accuracy; });
    s.test_accuracy = over([](const FoldRun& r) { return r.test_accuracy; });
    s.size = over([](const FoldRun& r) { return r.size; });
    s.used_features = over([](const FoldRun& r) { return r.used_features; });
    s.seconds = over([](const FoldRun& r) { return r.seconds; });
    out.push_back(std::move(s));
  }
  return out;
}

}  // namespace beadwork
