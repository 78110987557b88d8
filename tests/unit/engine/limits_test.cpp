// Requests that cannot be met and limits that come early: the error names the option, the bounds hold, nothing is
// claimed.
#include "support/datasets.hpp"
#include "support/looks.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace testing_support;

Dataset noisy(std::uint64_t seed, std::size_t rows, std::size_t features) {
  Rng rng(seed);
  std::vector<BitRow> out(rows);
  for (BitRow& row : out) {
    for (std::size_t f = 0; f < features; ++f) row.bits += rng.below(2) == 0 ? '0' : '1';
    row.label = rng.below(2);
  }
  return dataset_of(out, features);
}

// The exclusive or of the first three of five features.
Dataset parity() {
  std::vector<BitRow> rows;
  for (std::size_t i = 0; i < 32; ++i) {
    BitRow row;
    for (std::size_t f = 0; f < 5; ++f) row.bits += (i >> f & 1) != 0 ? '1' : '0';
    row.label = (i ^ i >> 1 ^ i >> 2) & 1;
    rows.push_back(row);
  }
  return dataset_of(rows, 5);
}

Request asking(const std::vector<std::pair<const char*, std::string>>& options) {
  Request request;
  for (const auto& [name, text] : options) ask(request, name, text);
  return request;
}

std::string refusal_of(const Dataset& d, const std::vector<std::pair<const char*, std::string>>& options) {
  const auto outcome = learn(d, asking(options));
  return outcome ? "none" : outcome.error().to_string();
}

TEST(Refusals, OfFeaturesAndCosts) {
  const Dataset d = parity();
  EXPECT_EQ(refusal_of(d, {{"require", "g"}}), "require: unknown feature 'g'");
  EXPECT_EQ(refusal_of(d, {{"require", "f1"}, {"forbid", "f1"}}),
            "require: column 'f1' is required, and none of its features may be selected");
  EXPECT_EQ(refusal_of(d, {{"require", "f1"}, {"candidate", "f2"}}),
            "require: column 'f1' is required, and none of its features may be selected");
  EXPECT_EQ(refusal_of(d, {{"require", "f1"}, {"require", "f2"}, {"depth", "1"}}),
            "require: 2 features are required, but the depth is 1");
  Request costs;
  const auto with = [&](std::vector<double> matrix) {
    costs.cost.costs = std::move(matrix);
    const auto outcome = learn(d, costs);
    return outcome ? "none" : outcome.error().to_string();
  };
  EXPECT_EQ(with({0, 1, 1, 0}), "none");
  EXPECT_EQ(with({0, 1, 1}), "costs: expected 2 x 2 costs, got 3 numbers");
  EXPECT_EQ(with({0, -1, 1, 0}), "costs: expected a number of at least 0, got -1");
  EXPECT_EQ(with({0, 0, 0, 0}), "costs: all costs are 0");
  EXPECT_EQ(with({0, 1e-15, 1e15, 0}), "costs: the costs have too many decimals or are too large");
}

TEST(Refusals, SeveralFeaturesOfOneName) {
  Dataset::Parts parts;
  parts.columns = {BitColumn{0b01}, BitColumn{0b10}};
  parts.feature_names = {"x", "x"};
  parts.class_names = {"n", "p"};
  parts.labels = {Class{0}, Class{1}};
  parts.weights = {1, 1};
  const Dataset d(std::move(parts));
  EXPECT_EQ(refusal_of(d, {{"require", "x"}}), "require: several features have the name 'x'");
  EXPECT_EQ(refusal_of(d, {{"forbid", "x"}}), "forbid: several features have the name 'x'");
}

// What has seen the classes of all rows cannot be judged by some of them.
TEST(Refusals, OfHeldOutRowsThatThresholdsHaveSeen) {
  const Dataset d = parity();
  Dataset::Parts parts;
  for (std::size_t f = 0; f < d.num_features(); ++f) parts.columns.push_back(d.column(Feature{f}));
  parts.feature_names = d.feature_names();
  parts.class_names = d.class_names();
  for (std::size_t r = 0; r < d.num_rows(); ++r) parts.labels.push_back(d.label(Row{r}));
  parts.thresholds = "mdlp";
  const Dataset seen(parts);
  const std::string why = "mdlp has chosen the thresholds with the classes of the held-out rows; use quantiles or all";
  EXPECT_EQ(refusal_of(seen, {{"depth", "cv:1..3"}}), "depth: " + why);
  EXPECT_EQ(refusal_of(seen, {{"size", "auto"}}), "size: " + why);
  EXPECT_EQ(refusal_of(seen, {{"size", "auto-1se"}, {"depth", "3"}}), "size: " + why);
  EXPECT_EQ(refusal_of(seen, {{"depth", "3"}}), "none");
}

TEST(Refusals, OfEncodings) {
  const Dataset d = parity();
  EXPECT_EQ(refusal_of(d, {{"engine", "maxsat"}, {"encoding", "bdd1"}}),
            "encoding: expected auto, bdd2, bdd3 or pair, got 'bdd1'");
  EXPECT_EQ(refusal_of(d, {{"engine", "maxsat"}, {"faithful", "true"}, {"encoding", "bdd3"}}),
            "encoding: --faithful needs bdd2");
  for (const char* encoding : {"auto", "bdd3", "pair"}) {
    const Request request = asking({{"encoding", encoding}});
    EXPECT_EQ(decide(d, 3, request).error().to_string(), "encoding: expected bdd1 or bdd2");
    EXPECT_EQ(min_depth(d, 3, request).error().to_string(), "encoding: expected bdd1 or bdd2");
  }
  const Request good = asking({{"encoding", "bdd2"}});
  EXPECT_EQ(decide(d, 0, good).error().to_string(), "depth: expected a whole number from 1 to 20, got 0");
  EXPECT_EQ(decide(d, 21, good).error().to_string(), "depth: expected a whole number from 1 to 20, got 21");
}

TEST(LeastDepth, FromBelowFromAboveAndByLimits) {
  const Dataset d = parity();
  for (const char* encoding : {"bdd1", "bdd2"})
    for (const std::size_t start : {1U, 2U, 3U, 4U, 5U, 20U}) {
      const auto least = min_depth(d, start, asking({{"encoding", encoding}}));
      ASSERT_TRUE(least) << least.error().to_string();
      EXPECT_EQ(least->status, SolveStatus::optimal);
      EXPECT_EQ(least->depth, 3U);
      EXPECT_EQ(least->lower_bound, 3U);
    }
  // A floor above the least depth.
  const auto above = min_depth(d, 5, asking({{"encoding", "bdd2"}}), {}, 4);
  EXPECT_EQ(above->depth, 4U);
  EXPECT_EQ(above->status, SolveStatus::optimal);
  EXPECT_EQ(above->floor, 4U);  // which is part of the claim: below it nothing is known
  EXPECT_EQ(above->lower_bound, 1U);
  const auto below = min_depth(d, 2, asking({{"encoding", "bdd2"}}), {}, 2);
  EXPECT_EQ(below->depth, 3U);
  EXPECT_EQ(below->floor, 1U);  // 2 does not do, so 1 does not either
  EXPECT_EQ(below->lower_bound, 3U);
  Control late;
  late.deadline = Deadline::in(0);
  const auto none = min_depth(noisy(1, 300, 20), 7, asking({{"encoding", "bdd1"}}), late);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->status, SolveStatus::unknown);
  EXPECT_FALSE(none->depth);
  EXPECT_EQ(none->steps.size(), 1U);
  const auto undecided = decide(noisy(1, 300, 20), 7, asking({{"encoding", "bdd2"}}), late);
  ASSERT_TRUE(undecided);
  EXPECT_EQ(undecided->status, SolveStatus::unknown);
  EXPECT_FALSE(undecided->table);
}

// A limit that comes at any moment leaves no false answer, and work ends soon after it.
TEST(LeastDepth, IsNeverWrongWhenALimitComes) {
  const Dataset d = noisy(5, 60, 8);
  const Request request = asking({{"encoding", "bdd2"}});
  const auto truth = min_depth(d, 7, request);
  ASSERT_TRUE(truth);
  for (const std::size_t most : {1U, 2U, 5U, 9U, 10U, 12U, 20U, 40U, 100U}) {
    const testing_support::Looks sat, search, one;
    const auto least = min_depth(d, 7, request, sat.stopping_at(most));
    ASSERT_TRUE(least) << least.error().to_string();
    EXPECT_LE(least->lower_bound, truth->depth.value_or(99));
    const auto searched = min_depth_by_search(d, {}, search.stopping_at(most));
    ASSERT_TRUE(searched) << searched.error().to_string();
    EXPECT_TRUE(searched->status == SolveStatus::unknown || searched->status == truth->status);
    const auto decision = decide(d, 3, request, one.stopping_at(most));
    ASSERT_TRUE(decision) << decision.error().to_string();
    if (most < d.num_features()) {
      EXPECT_EQ(least->status, SolveStatus::unknown);
      EXPECT_EQ(decision->status, SolveStatus::unknown);
      EXPECT_LE(one.made(), most + 2);
    }
  }
}

TEST(LeastDepth, BySearchOfRowsThatContradictEachOther) {
  EXPECT_EQ(min_depth_by_search(parity(), {})->depth, 3U);
  const Dataset d = dataset_of({{"01", 0}, {"01", 1}, {"10", 1}}, 2);
  const auto least = min_depth_by_search(d, {});
  ASSERT_TRUE(least);
  EXPECT_EQ(least->status, SolveStatus::infeasible);
  EXPECT_FALSE(least->depth);
  EXPECT_EQ(least->lower_bound, 0U);
}

TEST(Limits, ARangeOfDepthsEndsEarlyWithItsLastAnswer) {
  const Dataset d = noisy(2, 500, 120);
  Control control;
  control.deadline = Deadline::in(0.7);
  const auto outcome = learn(d, asking({{"depth", "1..12"}}), control);
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  EXPECT_EQ(outcome->status(), SolveStatus::feasible);
  ASSERT_FALSE(outcome->by_depth.empty());
  EXPECT_LT(outcome->by_depth.size(), 12U);
  EXPECT_EQ(outcome->claim.upper_bound, outcome->by_depth.back().cost);
  EXPECT_EQ(outcome->claim.lower_bound, 0);  // what holds at every depth
  EXPECT_EQ(training_errors(d, *outcome->diagram), *outcome->claim.upper_bound);
  for (std::size_t i = 1; i < outcome->by_depth.size(); ++i)
    EXPECT_LE(outcome->by_depth[i].cost, outcome->by_depth[i - 1].cost);
}

TEST(Limits, OfMemoryAreSaid) {
  const Dataset d = noisy(3, 2000, 60);
  std::string said;
  Control control;
  control.log = [&](LogLevel, std::string_view text) { said += text; };
  control.deadline = Deadline::in(60);
  const auto outcome = learn(d, asking({{"depth", "6"}, {"memory_limit", "1"}}), control);
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  EXPECT_TRUE(outcome->out_of_memory);
  EXPECT_EQ(outcome->status(), SolveStatus::feasible);
  EXPECT_LE(outcome->claim.lower_bound, *outcome->claim.upper_bound);
  EXPECT_EQ(training_errors(d, *outcome->diagram), *outcome->claim.upper_bound);
  EXPECT_EQ(said, "the search reached the memory limit and stopped early");
  for (const char* encoding : {"bdd2", "bdd3", "pair"}) {
    const auto formula = learn(
        d, asking({{"engine", "maxsat"}, {"depth", "6"}, {"encoding", encoding}, {"memory_limit", "1"}}), control);
    ASSERT_TRUE(formula) << formula.error().to_string();
    EXPECT_NE(formula->status(), SolveStatus::optimal) << encoding;
  }
}

// Where there is no room for anything, the answer is the one that costs least, whatever the engine and its options.
TEST(Limits, OfMemoryLeaveTheCheapestAnswerWhereErrorsHaveCosts) {
  const Dataset d = noisy(7, 600, 40);
  const std::vector<std::vector<std::pair<const char*, std::string>>> ways = {
      {{"depth", "6"}},      {{"engine", "local"}}, {{"max_nodes", "5"}}, {{"node_penalty", "1"}}, {{"depth", "1..3"}},
      {{"depth", "cv"}},     {{"size", "auto"}},    {{"top", "3"}},       {{"front", "true"}},     {{"bias", "size"}},
      {{"candidate", "f1"}}, {{"committee", "1"}},  {{"require", "f1"}},  {{"forbid", "f1"}}};
  for (const std::size_t cheap : {0U, 1U})
    for (const auto& options : ways) {
      Request request = asking(options);
      request.cost.costs = cheap == 0 ? std::vector<double>{0, 9, 0.5, 0} : std::vector<double>{0, 0.5, 9, 0};
      request.run.memory_limit = 1;
      const auto outcome = learn(d, request);
      ASSERT_TRUE(outcome) << options[0].first << ": " << outcome.error().to_string();
      ASSERT_TRUE(outcome->diagram) << options[0].first;
      EXPECT_EQ(outcome->status(), SolveStatus::feasible) << options[0].first;
      EXPECT_EQ(*training_cost(d, *outcome->diagram, request), outcome->claim.upper_bound) << options[0].first;
      if (outcome->diagram->size() == 1) {
        EXPECT_EQ((*outcome->diagram)[Node{0}].answer, Class{cheap}) << options[0].first;
      }
    }
}

// No constant is a diagram of the paper's reading.
TEST(Limits, OfMemoryLeaveNothingOfThePapersReading) {
  for (const char* engine : {"search", "maxsat"}) {
    const auto outcome =
        learn(noisy(8, 300, 30), asking({{"engine", engine}, {"faithful", "true"}, {"memory_limit", "1"}}));
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    EXPECT_EQ(outcome->status(), SolveStatus::unknown) << engine;
    EXPECT_FALSE(outcome->diagram) << engine;
  }
}

// More pairs of rows of different class than are written at once: on demand, or the other model.
TEST(Limits, ManyPairs) {
  const Dataset d = noisy(4, 900, 40);
  const auto best = learn(d, asking({{"depth", "1"}}));
  ASSERT_EQ(best->status(), SolveStatus::optimal);
  for (const char* no_seed : {"false", "true"}) {
    const auto pairs = learn(
        d,
        asking(
            {{"engine", "maxsat"}, {"encoding", "pair"}, {"depth", "1"}, {"time_limit", "3"}, {"no_seed", no_seed}}));
    ASSERT_TRUE(pairs) << pairs.error().to_string();
    EXPECT_LE(pairs->claim.lower_bound, *best->claim.upper_bound);
    EXPECT_GE(*pairs->claim.upper_bound, *best->claim.upper_bound);
    if (pairs->status() == SolveStatus::optimal) {
      EXPECT_EQ(pairs->claim.upper_bound, best->claim.upper_bound);
    }
  }
  const auto other = learn(d, asking({{"engine", "maxsat"}, {"depth", "1"}, {"encode_limit", "0"}}));
  ASSERT_TRUE(other) << other.error().to_string();
  EXPECT_EQ(other->status(), SolveStatus::feasible);
}

// No diagram has less than no errors: the formula of the proof is the empty clause.
TEST(Proofs, OfNoErrors) {
  for (const char* encoding : {"bdd2", "bdd3", "pair"}) {
    const auto outcome = learn(
        parity(),
        asking(
            {{"engine", "maxsat"}, {"depth", "3"}, {"encoding", encoding}, {"proof", "-"}, {"check_proof", "true"}}));
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    EXPECT_EQ(outcome->status(), SolveStatus::optimal);
    EXPECT_EQ(outcome->claim.upper_bound, 0);
    ASSERT_TRUE(outcome->proof);
    EXPECT_NE(outcome->proof->formula.find("p cnf 0 1\n0\n"), std::string::npos) << outcome->proof->formula;
  }
}

// The paper's reading with the columns it drops: three engines, one optimum.
TEST(Faithful, KeepsTheZeroColumnsOnDemand) {
  Rng rng(6);
  std::size_t different = 0;
  for (int round = 0; round < 60; ++round) {
    auto rows = random_rows(rng, 2 + rng.below(8), 3, 2, false);
    for (BitRow& row : rows) row.bits[rng.below(3)] = '0', row.bits[2] = '0';
    const Dataset d = dataset_of(rows, 3);
    std::vector<std::string> answers;
    for (const char* engine : {"enumerate", "search", "maxsat"}) {
      std::string answer;
      for (const char* keep : {"true", "false"}) {
        const auto outcome =
            learn(d, asking({{"engine", engine}, {"depth", "2"}, {"faithful", "true"}, {"keep_all_zero", keep}}));
        ASSERT_TRUE(outcome) << outcome.error().to_string();
        answer += std::string(to_string(outcome->status())) + " " +
                  std::to_string(outcome->claim.upper_bound.value_or(-1)) + " ";
      }
      answers.push_back(answer);
    }
    EXPECT_EQ(answers[1], answers[0]) << describe(rows);
    EXPECT_EQ(answers[2], answers[0]) << describe(rows);
    const std::size_t half = answers[0].size() / 2;
    different += answers[0].substr(0, half) != answers[0].substr(half) ? 1 : 0;
  }
  EXPECT_GT(different, 0U);
}

}  // namespace
}  // namespace beadwork
