#include "support/datasets.hpp"
#include <beadwork/samples.hpp>
#include <study/study.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace beadwork {
namespace {

using namespace testing_support;

TEST(Study, LearnersAreEnginesWithOptions) {
  const auto l = parse_learner("search:features-from=cart:min-split=5", {{"seed", "7"}});
  ASSERT_TRUE(l) << l.error().to_string();
  EXPECT_EQ(l->name, "search:features-from=cart:min-split=5");
  EXPECT_EQ(engine_of(*l), "search");
  EXPECT_EQ(l->settings, (Settings{{"seed", "7"}, {"features-from", "cart"}, {"min-split", "5"}}));
  EXPECT_EQ(l->request.choice.features_from.cart, true);
  EXPECT_EQ(l->request.cart.min_split, 5);
  EXPECT_EQ(l->request.run.seed, 7);
  EXPECT_TRUE(l->by_depth);
  EXPECT_TRUE(parse_learner("search:faithful", {})->request.reading.faithful);
  EXPECT_EQ(program_of(*parse_learner("maxsat:solver=x -q", {})), "x -q");
  EXPECT_EQ(parse_learner("nobody", {}).error().where, "engine");
  EXPECT_EQ(parse_learner("cart:faithful", {}).error().where, "faithful");
  EXPECT_FALSE(parse_learner("cart:no-such=1", {}));
  EXPECT_FALSE(parse_learner("cart:depth=x", {}));
}

Dataset sample(std::size_t rows) {
  Rng rng(5);
  return dataset_of(random_rows(rng, rows, 6, 2, true), 6);
}

StudyPlan plan_of(const std::vector<std::string>& learners, std::size_t depth, std::size_t folds,
                  std::vector<std::uint64_t> seeds) {
  StudyPlan plan;
  plan.sets = {{"sample", "", {}}};
  plan.depths = {depth};
  plan.folds = folds;
  plan.seeds = std::move(seeds);
  for (const std::string& text : learners) plan.learners.push_back(*parse_learner(text, {}));
  return plan;
}

// Every number of a run, computed again from the split.
TEST(Study, RunsAreWhatTheySay) {
  const Dataset d = sample(43);
  const StudyPlan plan = plan_of({"search", "cart", "cart:depth=1"}, 2, 4, {1, 2, 3});
  const auto entries = cross_validate(plan, d);
  ASSERT_TRUE(entries) << entries.error().to_string();
  ASSERT_EQ(entries->size(), 4U * 3U * 3U);
  std::vector<Feature> kept;
  const auto zero = all_zero_features(d);
  for (std::size_t f = 0; f < d.num_features(); ++f)
    if (std::find(zero.begin(), zero.end(), Feature{f}) == zero.end()) kept.emplace_back(f);
  const auto runs = runs_of(plan);
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const StudyEntry& e = (*entries)[i];
    const Split split = (*k_folds(d.num_rows(), 4, runs[i].seed))[runs[i].place];
    const Dataset train = d.select(kept).subset(split.train);
    const Dataset test = d.select(kept).subset(split.test);
    Request request;
    request.run.engine.chosen = find_engine(e.learner.substr(0, e.learner.find(':')));
    request.run.depth.most = e.learner == "cart:depth=1" ? 1 : 2;
    const auto outcome = learn(train, request);
    ASSERT_TRUE(outcome);
    const auto share = [&](const Dataset& rows) {
      double right = 0;
      double total = 0;
      for (std::size_t r = 0; r < rows.num_rows(); ++r) {
        const auto w = static_cast<double>(rows.weight(Row{r}));
        total += w;
        if (outcome->diagram->classify([&](Feature f) { return rows.value(f, Row{r}); }) == rows.label(Row{r}))
          right += w;
      }
      return total == 0 ? 1 : right / total;
    };
    EXPECT_NEAR(e.measures.at("train"), 100 * share(train), 1e-9);
    EXPECT_NEAR(e.measures.at("test"), 100 * share(test), 1e-9);
    EXPECT_EQ(e.measures.at("size"), static_cast<double>(outcome->diagram->size()));
    EXPECT_EQ(e.measures.at("features"), static_cast<double>(outcome->diagram->used_features().size()));
    EXPECT_EQ(e.status, to_string(outcome->status()));
    StudyEntry again = without_times(run_one(plan, runs[i], d.select(kept)));  // as a study of a file would have it
    EXPECT_EQ(again, without_times(e));
  }
}

TEST(Study, CellsAreMeans) {
  std::vector<StudyEntry> entries(4);
  for (StudyEntry& e : entries) e.learner = "a", e.status = "unknown";
  entries[0].measures = {{"train", 50}};
  entries[0].status = "optimal";
  entries[1].measures = {{"train", 90}};
  entries[3].learner = "b";  // entries[2] says nothing: counted, not averaged
  entries[3].measures = {{"train", 10}};
  const StudyCell a = measured(entries, {}, "a", "train");
  EXPECT_EQ(a.runs, 3U);
  EXPECT_EQ(a.counted, 2U);
  EXPECT_DOUBLE_EQ(*a.ours, 70);
  EXPECT_DOUBLE_EQ(a.deviation, std::sqrt(800));
  EXPECT_DOUBLE_EQ(*measured(entries, {}, "a", "optimal").ours, 100.0 / 3);
  EXPECT_EQ(measured(entries, {}, "b", "train").deviation, 0);
}

TEST(Study, RefusesWhatCannotBeSplit) {
  EXPECT_FALSE(cross_validate(plan_of({"cart"}, 1, 4, {1}), sample(3)));
}

TEST(Study, InterruptedKeepsWhatIsFinished) {
  const std::atomic<bool> flag = true;
  Control control;
  control.interrupt = &flag;
  const auto entries = cross_validate(plan_of({"cart"}, 1, 5, {1}), sample(30), control);
  ASSERT_TRUE(entries);
  EXPECT_TRUE(entries->empty());
}

// Rows that are not parted in time leave runs without an answer, and the study goes on.
TEST(Study, PartingTheRowsIsWithinTheTimeOfARun) {
  Dataset::Parts parts;
  parts.class_names = {"n", "p"};
  for (std::size_t r = 0; r < 20000; ++r) parts.labels.emplace_back(r % 2);
  for (std::size_t f = 0; f < 1000; ++f) {
    parts.columns.emplace_back(words_for(20000), std::uint64_t{1} << f % 64);
    parts.columns.back().back() = 0;
    parts.feature_names.push_back("f" + std::to_string(f));
  }
  const Dataset d(std::move(parts));
  const auto entries = cross_validate(plan_of({"cart:time-limit=0", "search:time-limit=0"}, 1, 2, {1}), d);
  ASSERT_TRUE(entries) << entries.error().to_string();
  ASSERT_EQ(entries->size(), 4U);
  for (const StudyEntry& entry : *entries) {
    EXPECT_EQ(entry.status, to_string(SolveStatus::unknown));
    EXPECT_FALSE(entry.measures.contains("train"));
    EXPECT_TRUE(entry.measures.contains("seconds"));
  }
  const auto small = cross_validate(plan_of({"cart:time-limit=0"}, 1, 2, {1}), sample(30));
  ASSERT_TRUE(small);
  for (const StudyEntry& entry : *small) EXPECT_TRUE(entry.measures.contains("train"));
}

// The example of the front header.
TEST(Study, Manual) {
  const Table table = *make_sample("monk-1");
  const Dataset dataset = *Binarizer::fit(table, {})->apply(table);
  StudyPlan plan;
  plan.sets = {{"monk", "", {}}};
  plan.depths = {3};
  plan.folds = 5;
  plan.seeds = {1, 2, 3, 4, 5};
  plan.learners = {*parse_learner("cart", {}), *parse_learner("search:features-from=cart", {})};
  auto entries = cross_validate(plan, dataset);
  ASSERT_TRUE(entries);
  StudyCell cell = measured(*entries, {}, "cart", "test");
  EXPECT_EQ(cell.counted, 25U);
}

}  // namespace
}  // namespace beadwork
