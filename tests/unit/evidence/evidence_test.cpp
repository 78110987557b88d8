#include <beadwork/evidence.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

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

Learnt learnt(std::string_view text, const Request& options) {
  const ThresholdRule rule = *parse_threshold_rule("all");
  const Table table = parse_table(text, "loans.csv")->table;
  const Binarizer binarizer = *Binarizer::fit(table, {rule});
  const Dataset dataset = *binarizer.apply(table);
  const Outcome outcome = *learn(dataset, options);
  Model model = *model_of(binarizer, dataset, options, outcome, "all");
  return {table, binarizer, dataset, outcome, std::move(model)};
}

Request of_depth(std::size_t depth) {
  Request options;
  options.run.depth.most = depth;
  return options;
}

TEST(Training, SaysWhatWasLearntFromWhat) {
  const Learnt l = learnt(kLoans, of_depth(1));
  const Training& t = l.model.training();
  EXPECT_EQ(t.engine, "search");
  EXPECT_EQ(l.model.claim(), l.outcome.claim);
  EXPECT_EQ(l.model.claim().status, SolveStatus::optimal);
  EXPECT_EQ(t.rows, 7);
  EXPECT_EQ(t.errors, 1);  // age <= 35, but for the one of 70
  EXPECT_EQ(l.model.claim().lower_bound, 1);
  EXPECT_EQ(t.thresholds, "all");
  EXPECT_EQ(t.num_features, 7);
  EXPECT_EQ(t.hashes.rows, rows_sha256(l.dataset));
}

// Two columns of chance and one that decides: the best stump is known, in every fold.
TEST(CrossValidation, AnswersEachRowByAModelThatHasNotSeenIt) {
  std::mt19937 rng(4);
  std::string text = "a,b,c,y\n";
  std::size_t wrong = 0;
  std::size_t yes = 0;
  for (int i = 0; i < 200; ++i) {
    const bool a = rng() % 2 == 0;
    const bool flipped = rng() % 5 == 0;
    wrong += flipped ? 1 : 0;
    yes += a != flipped ? 1 : 0;
    text += fmt::format("{},{},{},{}\n", a ? 1 : 0, rng() % 2, rng() % 2, a != flipped ? "yes" : "no");
  }
  const Learnt l = learnt(text, of_depth(1));
  const auto v = cross_validate(l.model, l.binarizer, l.dataset, l.table, of_depth(1), 60, {});
  ASSERT_TRUE(v);
  EXPECT_EQ(v->folds, 5U);
  EXPECT_DOUBLE_EQ(v->accuracy, 1 - static_cast<double>(wrong) / 200);
  EXPECT_NEAR(v->baseline, static_cast<double>(std::max(yes, 200 - yes)) / 200, 0.1);
  EXPECT_NEAR(v->lift.points, v->accuracy - v->baseline, 1e-12);
  EXPECT_GT(v->lift.interval.low, 0);
  EXPECT_FALSE(cross_validate(l.model, l.binarizer, l.dataset, l.table, of_depth(1), 0, {}));  // no time
}

// A diagram of five tests fits chance, and held-out rows show it.
TEST(CrossValidation, ShowsThatChanceWasLearnt) {
  std::mt19937 rng(7);
  std::string text = "a,b,c,d,e,f,g,h,y\n";
  for (int i = 0; i < 150; ++i) {
    for (int c = 0; c < 8; ++c) text += fmt::format("{},", rng() % 2);
    text += rng() % 2 == 0 ? "yes\n" : "no\n";
  }
  const Learnt l = learnt(text, of_depth(5));
  const auto v = cross_validate(l.model, l.binarizer, l.dataset, l.table, of_depth(5), 60, {});
  ASSERT_TRUE(v);
  const double training = 1 - static_cast<double>(l.model.training().errors) / 150;
  EXPECT_LT(v->accuracy, training - 0.1);
  EXPECT_LT(v->lift.interval.low, 0);
}

// Chance is chance, whatever chose the thresholds: 4 x 120 rows of two classes, so that the accuracy of answers that
// know nothing is within 0.1 of a half, more than four standard deviations. Thresholds chosen with the classes of the
// held-out rows give more.
TEST(CrossValidation, NoRuleOfThresholdsKnowsHeldOutClasses) {
  for (const char* rule : {"mdlp", "quantiles:4", "all"}) {
    double sum = 0;
    constexpr int kTables = 4;
    for (int seed = 0; seed < kTables; ++seed) {
      std::mt19937 rng(static_cast<unsigned>(seed));
      std::string text;
      for (int c = 0; c < 300; ++c) text += fmt::format("x{},", c);
      text += "y\n";
      for (int i = 0; i < 120; ++i) {
        for (int c = 0; c < 300; ++c) text += fmt::format("{},", rng() % 1000);
        text += rng() % 2 == 0 ? "yes\n" : "no\n";
      }
      Request request = of_depth(1);
      const Table table = parse_table(text, "noise.csv")->table;
      const Binarizer binarizer = *Binarizer::fit(table, {*parse_threshold_rule(rule)});
      const Dataset dataset = *binarizer.apply(table);
      const Outcome outcome = *learn(dataset, request);
      const Model model = *model_of(binarizer, dataset, request, outcome, rule);
      const auto v = cross_validate(model, binarizer, dataset, table, request, 600, {});
      ASSERT_TRUE(v) << rule;
      sum += v->accuracy / kTables;
    }
    EXPECT_NEAR(sum, 0.5, 0.1) << rule;
  }
}

TEST(Training, AClaimOfFewNodesIsStoredAsSuch) {
  Request few = of_depth(2);
  few.ask<ForSearch>().max_nodes = 3;
  const Model model = learnt(kLoans, few).model;
  EXPECT_EQ(model.claim().status, SolveStatus::optimal);
  EXPECT_EQ(model.claim().scope.max_nodes, 3U);
  EXPECT_EQ(model_from_json(to_json(model))->claim(), model.claim());
}

TEST(Training, ALimitBeforeAnyAnswerCountsAsFeasible) {
  Learnt l = learnt(kLoans, of_depth(1));
  l.outcome.claim.status = SolveStatus::unknown;
  l.outcome.claim.upper_bound.reset();
  EXPECT_EQ(model_of(l.binarizer, l.dataset, of_depth(1), l.outcome, "all")->claim().status, SolveStatus::feasible);
  l.outcome.diagram.reset();
  EXPECT_THROW(std::ignore = model_of(l.binarizer, l.dataset, of_depth(1), l.outcome, "all"), ContractViolation);
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
  EXPECT_EQ(facts->standing, Standing::proven);
}

TEST(Facts, OfOtherRows) {
  const Learnt l = learnt(kLoans, of_depth(1));
  const auto facts = facts_of(l.model, {{ReportRows::Role::other, "other.csv", l.table}});
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->rows[0].role, ReportRows::Role::other);
  EXPECT_TRUE(facts->rivals.empty() && !facts->binarizer);
  EXPECT_THROW(std::ignore = facts_of(l.model, {}, learnt_from(l.model, l.table)), ContractViolation);
}

TEST(Facts, OfAModelThatWasLoaded) {
  const Learnt l = learnt(kLoans, of_depth(1));
  const auto facts = facts_of(*model_from_json(to_json(l.model)), {});
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->standing, Standing::claimed);
}

TEST(Outcome, AsJsonHasTheClaimAndItsSentence) {
  Request options = of_depth(1);
  options.run.engine.chosen = find_engine("maxsat-dt");
  const Learnt l = learnt(kLoans, options);
  const std::string text = outcome_json(l.dataset, options, l.outcome);
  EXPECT_NE(text.find("no decision tree of depth 1 on these 7 features makes fewer errors"), std::string::npos);
  EXPECT_NE(text.find("\"proven_by\": \"maxsat\""), std::string::npos) << text;
}

TEST(Regions, OfNumbersAndCategories) {
  const Table table = parse_table("x,c,y\n1,a,p\n2,b,q\n,c,p\n4,,q\n", "t.csv")->table;
  const Binarizer b = *Binarizer::fit(table, {*parse_threshold_rule("all")});
  std::vector<Feature> all;
  for (std::size_t f = 0; f < b.num_features(); ++f) all.emplace_back(f);
  std::map<std::string, std::string> shown;
  for (const auto& [f, passes] : regions_of(b, all).of)
    for (const bool region : passes.region) shown[b.feature_name(f)] += region ? '1' : '0';
  const std::map<std::string, std::string> expected{
      {"x <= 1.5", "1000"}, {"x <= 3", "1100"}, {"x is missing", "0001"}, {"c = a", "10000"},
      {"c = b", "01000"},   {"c = c", "00100"}, {"c is missing", "00001"}};
  EXPECT_EQ(shown, expected);
}

TEST(Regions, KnownAnswersAreNotAskedFor) {
  // Both thresholds are needed, and in one order the second is asked for where the first has settled it.
  const std::string_view text = "x,z,y\n1,0,p\n1,1,q\n2,0,q\n2,1,p\n3,0,p\n3,1,p\n";
  Learnt l = learnt(text, of_depth(3));
  const Diagram before = *l.outcome.diagram;
  remove_implied_tests(l.outcome, l.binarizer, of_depth(3));
  EXPECT_LE(l.outcome.diagram->size(), before.size());
  EXPECT_EQ(training_errors(l.dataset, *l.outcome.diagram), 0);
  Request faithful = of_depth(3);
  faithful.reading.faithful = true;
  Outcome kept = l.outcome;
  kept.diagram = before;
  remove_implied_tests(kept, l.binarizer, faithful);
  EXPECT_EQ(*kept.diagram, before);
}

// Every combination of values, with those that were never seen and none at all.
Table all_rows() {
  std::string text = "x,z,colour,y\n";
  for (const char* x : {"?", "0", "1", "2", "3", "4", "5", "6"})
    for (const char* z : {"?", "0", "1", "2", "3"})
      for (const char* colour : {"?", "red", "green", "blue", "grey"})
        text += std::string(x) + "," + z + "," + colour + ",p\n";
  return parse_table(text, "all.csv")->table;
}

TEST(Questions, NoRowGetsAnotherAnswerAndNoDiagramGrows) {
  std::mt19937_64 rng(5);
  const Table rows = all_rows();
  std::size_t smaller = 0;
  for (int i = 0; i < 400; ++i) {
    std::string text = "x,z,colour,y\n";
    const char* colours[] = {"red", "green", "blue", "?"};
    for (int r = 0; r < 40; ++r)
      text += fmt::format("{},{},{},{}\n", rng() % 6, rng() % 3, colours[rng() % 4], rng() % 2 == 0 ? "p" : "q");
    const Table table = parse_table(text, "t.csv")->table;
    const Binarizer binarizer = *Binarizer::fit(table, {*parse_threshold_rule("all")});
    Request request = of_depth(3 + rng() % 3);
    request.shape.bias = std::array{Bias::majority, Bias::neighbours, Bias::size, Bias::merging}[rng() % 4];
    Outcome outcome = *learn(*binarizer.apply(table), request);
    const Diagram before = *outcome.diagram;
    remove_implied_tests(outcome, binarizer, request);
    EXPECT_LE(outcome.diagram->size(), before.size());
    smaller += outcome.diagram->size() < before.size() ? 1 : 0;
    const auto bits = *binarizer.bits(rows);
    for (std::size_t r = 0; r < rows.num_rows(); ++r) {
      const auto passes = [&](Feature f) { return bit(bits[f()], r); };
      ASSERT_EQ(outcome.diagram->classify(passes), before.classify(passes));
    }
  }
  EXPECT_GT(smaller, 100u);
}

}  // namespace
}  // namespace beadwork
