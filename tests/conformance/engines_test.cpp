// What every engine owes its caller. An engine joins by being in the registry.

#include "support/datasets.hpp"
#include "support/processor_time.hpp"
#include "support/repeats.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace testing_support;

class EveryEngine : public testing::TestWithParam<std::string> {
 protected:
  Request options(std::int64_t depth) const {
    Request o;
    ask(o, "engine", GetParam());
    ask(o, "depth", depth);
    return o;
  }
  static bool has_answer(const Outcome& o) {
    return o.status() == SolveStatus::optimal || o.status() == SolveStatus::feasible;
  }
};

// Followed by hand: the outcome is what it says it is.
void expect_honest(const Dataset& d, const Outcome& o, std::size_t depth) {
  if (!o.diagram) {
    EXPECT_FALSE(o.claim.upper_bound);
    return;
  }
  std::int64_t errors = 0;
  for (std::size_t r = 0; r < d.num_rows(); ++r) {
    std::size_t n = 0;
    std::size_t steps = 0;
    for (; !o.diagram->nodes()[n].sink; ++steps) {
      const DiagramNode& node = o.diagram->nodes()[n];
      n = (d.value(node.feature, Row{r}) ? node.high : node.low)();
    }
    EXPECT_LE(steps, depth);
    if (o.diagram->nodes()[n].answer != d.label(Row{r})) errors += d.weight(Row{r});
  }
  EXPECT_EQ(o.claim.upper_bound, errors);
  EXPECT_LE(o.claim.lower_bound, errors);
  EXPECT_GE(o.claim.lower_bound, 0);
  EXPECT_TRUE(o.status() != SolveStatus::optimal || o.claim.lower_bound == errors);
}

Dataset noise(std::size_t rows, std::size_t features, std::uint64_t seed, std::size_t classes = 2) {
  Rng rng(seed);
  std::vector<BitRow> out;
  for (std::size_t r = 0; r < rows; ++r) {
    BitRow row;
    for (std::size_t f = 0; f < features; ++f) row.bits += rng.below(2) == 0 ? '0' : '1';
    row.label = rng.below(classes);
    out.push_back(std::move(row));
  }
  return dataset_of(out, features, classes);
}

// The exclusive or of the first two features, with a third that says nothing.
Dataset exclusive_or() {
  return dataset_of({{"000", 0}, {"011", 1}, {"100", 1}, {"111", 0}, {"001", 0}, {"110", 0}}, 3);
}

TEST_P(EveryEngine, LearnsAFeatureThatIsTheLabel) {
  const Dataset d = dataset_of({{"010", 0}, {"011", 1}, {"100", 0}, {"001", 1}}, 3);
  const auto o = learn(d, options(1));
  ASSERT_TRUE(o) << o.error().to_string();
  expect_honest(d, *o, 1);
  EXPECT_EQ(o->claim.upper_bound, 0);
  EXPECT_EQ(o->features, std::vector{Feature{2}});
}

TEST_P(EveryEngine, IsHonestOnSmallTables) {
  Rng rng(99);
  for (int round = 0; round < 200; ++round) {
    const std::size_t features = rng.below(6);
    const std::size_t classes = 1 + rng.below(4);
    const auto rows = random_rows(rng, 1 + rng.below(12), features, classes, true);
    SCOPED_TRACE(describe(rows));
    const Dataset d = dataset_of(rows, features, classes);
    for (const std::int64_t depth : {0, 1, 2, 3, 20}) {
      const auto o = learn(d, options(depth));
      ASSERT_TRUE(o) << o.error().to_string();
      ASSERT_TRUE(has_answer(*o));  // nothing limits it, and a constant is always there
      expect_honest(d, *o, static_cast<std::size_t>(depth));
      if (HasFailure()) return;
    }
  }
}

TEST_P(EveryEngine, NeedsNoFeatureWhereThereIsOneClass) {
  for (const std::size_t classes : {1U, 3U}) {
    const Dataset d = dataset_of({{"01", 0}, {"10", 0}, {"11", 0}}, 2, classes);
    const auto o = learn(d, options(2));
    ASSERT_TRUE(o) << o.error().to_string();
    expect_honest(d, *o, 2);
    EXPECT_EQ(o->claim.upper_bound, 0);
    EXPECT_EQ(o->diagram->size(), 1U);
  }
}

TEST_P(EveryEngine, DepthZeroIsTheMajority) {
  const Dataset d = dataset_of({{"0", 0, 2}, {"1", 1, 3}, {"1", 2, 4}}, 1, 3);
  const auto o = learn(d, options(0));
  ASSERT_TRUE(o) << o.error().to_string();
  expect_honest(d, *o, 0);
  EXPECT_EQ(o->claim.upper_bound, 5);
  EXPECT_EQ(o->diagram->nodes(), std::vector{DiagramNode::leaf(Class{2})});
}

TEST_P(EveryEngine, TakesMoreDepthThanFeatures) {
  const Dataset d = exclusive_or();
  const auto o = learn(d, options(20));
  ASSERT_TRUE(o) << o.error().to_string();
  expect_honest(d, *o, 3);
  EXPECT_LE(o->features.size(), 3U);
  const Dataset none = dataset_of({{"", 0}, {"", 1}, {"", 1}}, 0);
  const auto constant = learn(none, options(3));
  ASSERT_TRUE(constant) << constant.error().to_string();
  EXPECT_EQ(constant->claim.upper_bound, 1);
}

TEST_P(EveryEngine, LivesWithContradictions) {
  const Dataset d = dataset_of({{"0", 0}, {"0", 1}, {"0", 1}, {"1", 0}, {"1", 0}, {"1", 1}}, 1);
  const auto o = learn(d, options(2));
  ASSERT_TRUE(o) << o.error().to_string();
  expect_honest(d, *o, 2);
  EXPECT_EQ(o->claim.upper_bound, 2);
}

TEST_P(EveryEngine, WeighsItsRows) {
  // By number feature 0 is better, by weight feature 1.
  const Dataset d = dataset_of({{"00", 0, 1}, {"01", 0, 0}, {"11", 1, 2}, {"10", 1, 0}, {"10", 0, 1000000000000}}, 2);
  const auto o = learn(d, options(1));
  ASSERT_TRUE(o) << o.error().to_string();
  expect_honest(d, *o, 1);
  EXPECT_EQ(o->claim.upper_bound, 0);
  EXPECT_EQ(o->features, std::vector{Feature{1}});
}

TEST_P(EveryEngine, TakesSeveralClasses) {
  const Dataset d = dataset_of({{"00", 3}, {"01", 1}, {"10", 2}, {"11", 0}, {"00", 3}}, 2, 5);
  const auto o = learn(d, options(2));
  ASSERT_TRUE(o) << o.error().to_string();
  expect_honest(d, *o, 2);
  EXPECT_EQ(o->claim.upper_bound, 0);
  EXPECT_EQ(o->diagram->size(), 7U);
}

// Nobody proves anything about 300 rows of noise in no time.
TEST_P(EveryEngine, PastItsDeadlineClaimsNoOptimum) {
  const Dataset d = noise(300, 60, 1);
  for (const bool by_option : {true, false}) {
    Request o = options(6);
    Control control;
    if (by_option)
      ask(o, "time_limit", 0);
    else
      control.deadline = Deadline::in(0);
    const testing_support::ProcessorTime clock;
    const auto outcome = learn(d, o, control);
    EXPECT_LT(clock.seconds(), 10);
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    EXPECT_TRUE(outcome->status() == SolveStatus::feasible || outcome->status() == SolveStatus::unknown);
    expect_honest(d, *outcome, 6);
  }
}

TEST_P(EveryEngine, InterruptedReturnsTheBestSoFar) {
  const Dataset d = noise(300, 60, 2);
  const std::atomic<bool> flag = true;
  Control control;
  control.interrupt = &flag;
  const testing_support::ProcessorTime clock;
  const auto outcome = learn(d, options(6), control);
  EXPECT_LT(clock.seconds(), 10);
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  EXPECT_NE(outcome->status(), SolveStatus::infeasible);
  EXPECT_NE(outcome->status(), SolveStatus::optimal);
  expect_honest(d, *outcome, 6);
}

TEST_P(EveryEngine, StopsWhereTheProgressSinkSaysSo) {
  const Dataset d = noise(300, 60, 3);
  Control control;
  control.deadline = Deadline::in(5);
  std::int64_t upper = std::numeric_limits<std::int64_t>::max();
  control.progress = [&](const Progress& p) {
    EXPECT_GE(p.share, 0);
    EXPECT_LE(p.share, 1);
    if (p.upper_bound) {
      EXPECT_LE(*p.upper_bound, upper);
      EXPECT_LE(p.lower_bound, *p.upper_bound);
      upper = *p.upper_bound;
    }
    return false;
  };
  const testing_support::ProcessorTime clock;
  const auto outcome = learn(d, options(6), control);
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  EXPECT_NE(outcome->status(), SolveStatus::infeasible);
  EXPECT_LT(clock.seconds(), 5.5);
  expect_honest(d, *outcome, 6);
}

bool same(const Outcome& a, const Outcome& b) {
  return a.status() == b.status() && a.claim.lower_bound == b.claim.lower_bound &&
         a.claim.upper_bound == b.claim.upper_bound && a.features == b.features && a.table == b.table &&
         a.diagram == b.diagram;
}

TEST_P(EveryEngine, RepeatsItselfWhateverTheThreads) {
  // Noise is hard to be exact about: less of it for trees.
  const bool of_trees = find_engine(GetParam())->family == Scope::Family::trees;
  const int tables = GetParam() == "maxsat" ? test::repeats(4) : 3;
  for (std::uint64_t seed = 4; seed < 4 + static_cast<std::uint64_t>(tables); ++seed) {
    const Dataset d = of_trees ? noise(30, 6, seed, 3) : noise(80, 12, seed, 3);
    Request o = options(of_trees ? 2 : 3);
    ask(o, "seed", static_cast<std::int64_t>(seed));
    const auto first = learn(d, o);
    ASSERT_TRUE(first) << first.error().to_string();
    expect_honest(d, *first, 3);
    const auto again = learn(d, o);
    ASSERT_TRUE(again);
    EXPECT_TRUE(same(*first, *again));
    ask(o, "threads", 2);
    const auto two = learn(d, o);
    ASSERT_TRUE(two) << two.error().to_string();
    EXPECT_TRUE(same(*first, *two));
  }
}

TEST_P(EveryEngine, SpansSeveralWordsOfRows) {
  for (const std::size_t rows : {63U, 64U, 65U, 128U, 130U, 700U}) {
    const Dataset d = noise(rows, 5, rows);
    const auto o = learn(d, options(2));
    ASSERT_TRUE(o) << o.error().to_string();
    expect_honest(d, *o, 2);
  }
}

TEST_P(EveryEngine, RefusesOptionsOutOfRange) {
  Request request = options(2);
  request.run.depth.most = 21;
  const auto o = learn(exclusive_or(), request);
  ASSERT_FALSE(o);
  EXPECT_EQ(o.error().code, ErrorCode::usage);
  EXPECT_EQ(o.error().where, "depth");
}

TEST_P(EveryEngine, RefusesNoRows) {
  EXPECT_FALSE(learn(dataset_of({}, 2), options(2)));
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const Engine& e : engines()) out.emplace_back(e.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Conformance, EveryEngine, testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace beadwork
