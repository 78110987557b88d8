#include <gtest/gtest.h>

#include <beadwork/evidence.hpp>

namespace beadwork {
namespace {

constexpr std::string_view kLoans =
    "age,colour,risk\n20,red,high\n30,red,high\n40,blue,low\n50,blue,low\n60,red,low\n70,blue,high\n80,blue,"
    "low\n";

struct Learnt {
  Table table;
  Binarizer binarizer;
  Dataset dataset;
  Outcome outcome;
  Model model;
};

Learnt learnt(std::string_view text, const Options& options) {
  const ThresholdRule rule = *parse_threshold_rule("all");
  const Table table = parse_table(text, "loans.csv")->table;
  const Binarizer binarizer = *Binarizer::fit(table, {rule});
  const Dataset dataset = *binarizer.apply(table);
  const Outcome outcome = *learn(dataset, options);
  Model model = *make_model(binarizer, dataset, outcome.features, *outcome.diagram,
                            training_of(dataset, options, outcome, rule));
  return {table, binarizer, dataset, outcome, std::move(model)};
}

Options of_depth(std::int64_t depth) {
  Options options;
  options.depth = depth;
  return options;
}

TEST(Training, SaysWhatWasLearntFromWhat) {
  const Learnt l = learnt(kLoans, of_depth(1));
  const Training& t = l.model.training();
  EXPECT_EQ(t.engine, "search");
  EXPECT_EQ(t.status, "optimal");
  EXPECT_EQ(t.rows, 7);
  EXPECT_EQ(t.errors, 1);  // age <= 35, but for the one of 70
  EXPECT_EQ(t.lower_bound, 1);
  EXPECT_EQ(t.thresholds, "all");
  EXPECT_EQ(t.num_features, 7);
  EXPECT_EQ(t.data_sha256, sha256(l.dataset));
}

TEST(Training, ABoundOnOtherThingsProvesNothingOfErrors) {
  Options few = of_depth(2);
  few.max_nodes = 3;
  const Training t = learnt(kLoans, few).model.training();
  EXPECT_EQ(t.status, "feasible");
  EXPECT_EQ(t.lower_bound, 0);
  EXPECT_EQ(t.errors, 1);
}

TEST(Training, ALimitBeforeAnyAnswerCountsAsFeasible) {
  Learnt l = learnt(kLoans, of_depth(1));
  l.outcome.status = SolveStatus::unknown;
  EXPECT_EQ(training_of(l.dataset, of_depth(1), l.outcome, {}).status, "feasible");
  l.outcome.diagram.reset();
  EXPECT_THROW(training_of(l.dataset, of_depth(1), l.outcome, {}), ContractViolation);
}

TEST(LearntFrom, KnowsTheTableByItsHash) {
  const Learnt l = learnt(kLoans, of_depth(1));
  const auto found = learnt_from(l.model, l.table);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->dataset, l.dataset);
  EXPECT_EQ(found->binarizer, l.binarizer);
  const std::string other = std::string(kLoans) + "90,red,low\n";
  EXPECT_FALSE(learnt_from(l.model, parse_table(other, "other.csv")->table));
}

TEST(Facts, OfTheRowsThatWereLearntFrom) {
  const Learnt l = learnt(kLoans, of_depth(1));
  const std::vector<ReportRows> rows{{ReportRows::Role::other, "loans.csv", l.table},
                                     {ReportRows::Role::test, "others.csv", l.table}};
  const auto facts = facts_of(l.model, rows, learnt_from(l.model, l.table));
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->rows[0].role, ReportRows::Role::training);
  EXPECT_EQ(facts->rows[1].role, ReportRows::Role::test);
  ASSERT_EQ(facts->rivals.size(), 1U);
  EXPECT_EQ(facts->rivals[0].on.size(), 2U);
  EXPECT_EQ(facts->rivals[0].on[0].errors, 1);
  EXPECT_EQ(facts->binarizer, l.binarizer);
  EXPECT_TRUE(facts->all_sets && facts->claim.empty());
}

TEST(Facts, OfOtherRows) {
  const Learnt l = learnt(kLoans, of_depth(1));
  const auto facts = facts_of(l.model, {{ReportRows::Role::other, "other.csv", l.table}});
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->rows[0].role, ReportRows::Role::other);
  EXPECT_TRUE(facts->rivals.empty() && !facts->binarizer);
  EXPECT_THROW(std::ignore = facts_of(l.model, {}, learnt_from(l.model, l.table)), ContractViolation);
}

TEST(Facts, OfTrees) {
  Options options = of_depth(1);
  options.engine = "maxsat-dt";
  const auto facts = facts_of(learnt(kLoans, options).model, {});
  ASSERT_TRUE(facts);
  EXPECT_FALSE(facts->all_sets);
  EXPECT_NE(facts->claim.find("no decision tree of depth 1 on these 7 features"), std::string::npos);
}

}  // namespace
}  // namespace beadwork
