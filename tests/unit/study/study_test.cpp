#include <gtest/gtest.h>

#include <beadwork/study.hpp>
#include <cmath>

#include "support/datasets.hpp"

namespace beadwork {
namespace {

using namespace testing_support;

Options depth(std::int64_t h) {
  Options o;
  o.depth = h;
  return o;
}

TEST(Study, LearnersAreEnginesWithOptions) {
  const auto l = parse_learner("search:features-from=cart:min-split=5:depth=2", depth(3));
  ASSERT_TRUE(l) << l.error().to_string();
  EXPECT_EQ(l->name, "search:features-from=cart:min-split=5:depth=2");
  EXPECT_EQ(l->options.engine, "search");
  EXPECT_EQ(l->options.features_from, "cart");
  EXPECT_EQ(l->options.min_split, 5);
  EXPECT_EQ(l->options.depth, 2);
  EXPECT_TRUE(parse_learner("search:faithful", depth(3))->options.faithful);
  EXPECT_EQ(parse_learner("nobody", depth(3)).error().where, "--engine");
  EXPECT_EQ(parse_learner("cart:faithful", depth(3)).error().where, "--faithful");
  EXPECT_FALSE(parse_learner("cart:no-such=1", depth(3)));
  EXPECT_FALSE(parse_learner("cart:depth=x", depth(3)));
}

Dataset sample(std::size_t rows) {
  Rng rng(5);
  return dataset_of(random_rows(rng, rows, 6, 2, true), 6);
}

// Every number of a run, computed again from the split.
TEST(Study, RunsAreWhatTheySay) {
  const Dataset d = sample(43);
  const std::vector<Learner> learners = {*parse_learner("search", depth(2)),
                                         *parse_learner("cart", depth(2))};
  const auto runs = cross_validate(d, learners, {.folds = 4, .seeds = 3});
  ASSERT_TRUE(runs) << runs.error().to_string();
  ASSERT_EQ(runs->size(), 4U * 3U * 2U);
  std::vector<Feature> kept;
  const auto zero = all_zero_features(d);
  for (std::size_t f = 0; f < d.num_features(); ++f)
    if (std::find(zero.begin(), zero.end(), Feature{f}) == zero.end()) kept.emplace_back(f);
  for (const FoldRun& r : *runs) {
    const Split split = (*k_folds(d.num_rows(), 4, r.seed))[r.fold];
    const Dataset train = d.select(kept).subset(split.train);
    const Dataset test = d.select(kept).subset(split.test);
    const auto outcome = learn(train, learners[r.learner].options);
    ASSERT_TRUE(outcome);
    const auto share = [&](const Dataset& rows) {
      double right = 0;
      double total = 0;
      for (std::size_t i = 0; i < rows.num_rows(); ++i) {
        const auto w = static_cast<double>(rows.weight(Row{i}));
        total += w;
        if (outcome->diagram->classify([&](Feature f) { return rows.value(f, Row{i}); }) ==
            rows.label(Row{i}))
          right += w;
      }
      return total == 0 ? 1 : right / total;
    };
    EXPECT_DOUBLE_EQ(r.train_accuracy, share(train));
    EXPECT_DOUBLE_EQ(r.test_accuracy, share(test));
    EXPECT_EQ(r.size, outcome->diagram->size());
    EXPECT_EQ(r.used_features, outcome->diagram->used_features().size());
    EXPECT_EQ(r.status, outcome->status);
  }
}

TEST(Study, SummariesAreMeans) {
  const std::vector<Learner> learners = {{"a", {}}, {"b", {}}};
  std::vector<FoldRun> runs(4);
  runs[0].answered = runs[1].answered = true;
  runs[0].train_accuracy = 0.5;
  runs[1].train_accuracy = 0.9;
  runs[0].size = 3;
  runs[1].size = 5;
  runs[0].status = SolveStatus::optimal;
  runs[2].status = SolveStatus::unknown;  // says nothing: counted, not averaged
  runs[3].learner = 1;
  runs[3].answered = true;
  const auto s = summarise(learners, runs);
  ASSERT_EQ(s.size(), 2U);
  EXPECT_EQ(s[0].runs, 3U);
  EXPECT_EQ(s[0].answered, 2U);
  EXPECT_EQ(s[0].optimal, 1U);
  EXPECT_DOUBLE_EQ(s[0].train_accuracy.mean, 0.7);
  EXPECT_DOUBLE_EQ(s[0].train_accuracy.deviation, std::sqrt(0.08));
  EXPECT_DOUBLE_EQ(s[0].size.mean, 4);
  EXPECT_EQ(s[1].train_accuracy.deviation, 0);
}

TEST(Study, RefusesWhatCannotBeSplit) {
  EXPECT_FALSE(cross_validate(sample(3), {*parse_learner("cart", depth(1))}, {.folds = 4}));
}

TEST(Study, InterruptedKeepsWhatIsFinished) {
  const std::atomic<bool> flag = true;
  Control control;
  control.interrupt = &flag;
  const auto runs = cross_validate(sample(30), {*parse_learner("cart", depth(1))}, {}, control);
  ASSERT_TRUE(runs);
  EXPECT_TRUE(runs->empty());
}

}  // namespace
}  // namespace beadwork
