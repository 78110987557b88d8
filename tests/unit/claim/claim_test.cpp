#include <beadwork/claim.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

Claim proven() {
  Claim c;
  c.status = SolveStatus::optimal;
  c.lower_bound = 7;
  c.upper_bound = 7;
  c.scope.depth = 4;
  c.scope.num_features = c.scope.num_allowed = 11;
  c.prover.kind = Prover::Kind::search;
  return c;
}

TEST(Claim, SaysExactlyWhatWasSearched) {
  Claim c = proven();
  EXPECT_EQ(to_words(c), "optimal: no diagram on at most 4 of these 11 features makes fewer errors");
  c.scope.max_nodes = 6;
  EXPECT_EQ(to_words(c),
            "optimal: no ordered diagram of at most 6 nodes on at most 4 of these 11 features makes fewer errors");
  c.scope.num_allowed = 3;
  c.scope.choice = Scope::Choice::candidates;
  EXPECT_EQ(to_words(c),
            "optimal: no ordered diagram of at most 6 nodes on at most 3 of the 3 candidate features makes fewer "
            "errors");
  c.scope.choice = Scope::Choice::all;
  c.scope.max_nodes.reset();
  EXPECT_EQ(to_words(c),
            "optimal: no diagram on at most 3 of the 3 features that are not forbidden makes fewer errors");
  c.scope.choice = Scope::Choice::cart;
  c.scope.required = {"a", "b"};
  EXPECT_EQ(to_words(c),
            "optimal: no diagram on at most 3 of the 3 features of CART's tree with a, b makes fewer errors");
  c.scope.required_columns = {"age"};
  EXPECT_EQ(to_words(c),
            "optimal: no diagram on at most 3 of the 3 features of CART's tree with a, b and with a test of age makes "
            "fewer errors");
  c.scope.choice = Scope::Choice::all;
  c.scope.required.clear();
  c.scope.required_columns = {"age", "city"};
  EXPECT_EQ(to_words(c),
            "optimal: no diagram on at most 3 of the 3 features that are not forbidden with a test of each of age, "
            "city makes fewer errors");
}

TEST(Claim, NamesObjectiveReadingThresholdsAndProver) {
  Claim c = proven();
  c.objective.costs = true;
  EXPECT_TRUE(to_words(c).ends_with("features costs less"));
  c.objective.node_penalty = 0.5;
  EXPECT_TRUE(to_words(c).ends_with("features has a smaller sum of cost + 0.5 x nodes"));
  c = proven();
  c.scope.exactly = true;
  c.scope.thresholds = "quantiles:8";
  c.prover = {.kind = Prover::Kind::solver, .solver = "uwrmaxsat"};
  EXPECT_EQ(to_words(c),
            "optimal: no diagram of exactly 4 of these 11 features whose root is a bead makes fewer errors "
            "(numeric columns cut by quantiles:8); proven by 'uwrmaxsat', not checked by us");
  c = proven();
  c.scope.family = Scope::Family::trees;
  c.scope.thresholds = "all";
  c.prover.resumed = true;
  EXPECT_EQ(to_words(c),
            "optimal: no decision tree of depth 4 on these 11 features makes fewer errors, over all thresholds; "
            "part of the proof was read from a checkpoint");
}

TEST(Claim, WhatIsNotProvenIsSaidToBeNotProven) {
  Claim c = proven();
  c.status = SolveStatus::feasible;
  c.lower_bound = 3;
  c.scale = 2;
  EXPECT_EQ(to_words(c), "not proven optimal: between 1.5 and 3.5 errors are possible (stopped early)");
  EXPECT_EQ(headline(c), "not proven optimal");
  c.lower_bound = *c.upper_bound;
  EXPECT_EQ(to_words(c),
            "not proven optimal: 3.5 errors, which is also the lower bound, but the proof was not finished (stopped "
            "early)");
  c.lower_bound = 3;
  c.prover.kind = Prover::Kind::nobody;
  EXPECT_EQ(to_words(c), "a heuristic: nothing is proven, better ones may exist");
  c.prover.kind = Prover::Kind::hand;
  EXPECT_EQ(to_words(c, Standing::claimed), "edited by hand: nothing is proven, better ones may exist");
  EXPECT_EQ(headline(c, Standing::claimed), "edited, not proven");
  EXPECT_EQ(*claim_from_json(claim_json(c)), c);
  c.status = SolveStatus::optimal;
  c.lower_bound = *c.upper_bound;
  EXPECT_FALSE(claim_from_json(claim_json(c)));  // nobody proves what a person changed
  c = proven();
  c.status = SolveStatus::infeasible;
  c.scope.exactly = true;
  EXPECT_EQ(to_words(c), "infeasible: there is no diagram of exactly 4 of these 11 features whose root is a bead");
}

TEST(Claim, NearTheOptimumSaysHowNear) {
  Claim c = proven();
  c.status = SolveStatus::feasible;
  c.upper_bound = 8;
  Claim light = c;
  light.status = SolveStatus::feasible;
  light.light_left_out = true;
  EXPECT_EQ(to_words(light).find("stopped early"), std::string::npos) << to_words(light);
  EXPECT_NE(to_words(light).find("(tests that few rows take were left out)"), std::string::npos) << to_words(light);
  EXPECT_EQ(*claim_from_json(claim_json(light)), light);
  c.near_optimum = true;
  EXPECT_EQ(
      to_words(c),
      "8 errors, 1 above the proven optimum of 7: no diagram on at most 4 of these 11 features makes fewer than 7 "
      "errors");
  EXPECT_EQ(headline(c), "1 error above the proven optimum");
  EXPECT_EQ(headline(c, Standing::claimed), "claimed: 1 error above the proven optimum");
  EXPECT_TRUE(to_words(c, Standing::claimed).starts_with("claimed: 8 errors, 1 above"));
  EXPECT_EQ(headline(c, Standing::verified), "claimed: 1 error above the proven optimum, bound verified");
  EXPECT_TRUE(to_words(c, Standing::verified).starts_with("claimed: 8 errors, 1 above"));
  EXPECT_TRUE(to_words(c, Standing::verified).ends_with("; the lower bound is verified"));
  const auto back = claim_from_json(claim_json(c));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, c);
  c.objective.costs = true;
  c.scale = 2;
  EXPECT_EQ(to_words(c),
            "cost 4, 0.5 above the proven optimum of 3.5: no diagram on at most 4 of these 11 features costs less than "
            "3.5");
  EXPECT_EQ(headline(c), "cost 0.5 above the proven optimum");
  EXPECT_EQ(claim_json(proven()).find("near"), std::string::npos) << "other claims are written as before";
}

TEST(Claim, TellsItsStanding) {
  const Claim c = proven();
  EXPECT_EQ(headline(c), "optimal");
  EXPECT_EQ(headline(c, Standing::claimed), "claimed optimal");
  EXPECT_EQ(headline(c, Standing::verified), "verified optimal");
  EXPECT_EQ(headline(c, Standing::rejected), "claim rejected by the checker");
  EXPECT_TRUE(to_words(c, Standing::claimed).starts_with("claimed optimal: no diagram"));
}

TEST(Claim, ReadsBackWhatItWrites) {
  Claim c = proven();
  c.objective = {true, 0.25};
  c.scope.family = Scope::Family::trees;
  c.scope.exactly = true;
  c.scope.max_nodes = 9;
  c.scope.num_allowed = 5;
  c.scope.num_zero = 1;
  c.scope.num_distinct = 4;
  c.scope.choice = Scope::Choice::cart;
  c.scope.required = {"a \"quoted\"", "b"};
  c.scope.required_columns = {"c"};
  c.scope.thresholds = "mdlp";
  c.scale = 10;
  c.rounding = 3;
  c.prover = {Prover::Kind::solver, "x -q", true, 4, 2};
  c.certifiable = true;
  c.canonical = false;
  const auto back = claim_from_json(claim_json(c));
  ASSERT_TRUE(back) << back.error().message;
  c.prover.parts = 1;  // is not written
  EXPECT_EQ(*back, c);
}

TEST(Claim, SaysWhatRoundingMayCost) {
  Claim c = proven();
  c.scale = 1000000;
  c.rounding = 1234;  // 0.001234, shown a little larger
  EXPECT_NE(to_words(c).find(" (up to 0.0013 more or less, because weights were rounded)"), std::string::npos)
      << to_words(c);
  c.status = SolveStatus::feasible;
  c.lower_bound = 0;
  EXPECT_NE(to_words(c).find("possible (up to 0.0013 more or less"), std::string::npos) << to_words(c);
  c.rounding = 0;
  EXPECT_EQ(to_words(c).find("more or less"), std::string::npos);
}

TEST(Claim, RefusesWhatNoRunCouldHaveMade) {
  for (
      const char* text :
      {"", "[]", "{}", R"({"status":"best"})", R"({"status":"optimal"})",
       R"({"status":"optimal","lower_bound":1,"upper_bound":2,"proven_by":"search"})",
       R"({"status":"optimal","lower_bound":2,"upper_bound":2})",
       R"({"status":"feasible","lower_bound":3,"upper_bound":2})",
       R"({"status":"feasible","lower_bound":1,"upper_bound":2,"near_optimum":true})",
       R"({"status":"feasible","lower_bound":2,"upper_bound":2,"near_optimum":true,"proven_by":"search"})",
       R"({"status":"optimal","lower_bound":2,"upper_bound":2,"near_optimum":true,"proven_by":"search"})",
       R"({"status":"feasible","lower_bound":0,"upper_bound":2,"scale":0})",
       R"({"status":"feasible","lower_bound":0,"upper_bound":2,"family":"forests"})",
       R"({"status":"feasible","lower_bound":0,"upper_bound":2,"num_features":3,"num_allowed":4})",
       R"({"status":"feasible","lower_bound":0,"upper_bound":2,"num_features":9,"num_allowed":8,"num_zero":1})",
       R"({"status":"feasible","lower_bound":0,"upper_bound":2,"exactly":true,"num_features":9,"num_allowed":8,"num_zero":2})"})
    EXPECT_FALSE(claim_from_json(text)) << text;
}

TEST(CommitteeClaims, SayWhatAListHolds) {
  using Extent = CommitteeClaim::Extent;
  const Claim optimum = proven();
  EXPECT_EQ(list_words(CommitteeClaim{5, Extent::complete, 92, 92}, optimum),
            "all 92 diagrams that make at most 5 errors more than the optimum, one for each set of features, without "
            "those that do nothing in it");
  EXPECT_EQ(list_words(CommitteeClaim{5, Extent::first, 301, 393}, optimum),
            "301 diagrams: the first, by errors, of the 393 that make at most 5 errors more than the optimum, one for "
            "each set of features, without those that do nothing in it");
  EXPECT_EQ(list_words(CommitteeClaim{0, Extent::stopped, 1, 0}, optimum),
            "1 diagram: not all of those that make no more errors than the optimum are known");
}

TEST(CommitteeClaims, SayWhoVotes) {
  using Extent = CommitteeClaim::Extent;
  Claim optimum;
  optimum.scale = 2;
  EXPECT_EQ(
      to_words(CommitteeClaim{3, Extent::complete, 12, 12}, optimum),
      "12 diagrams vote: all feature sets that make at most 1.5 errors more than the optimum, idle features dropped");
  EXPECT_EQ(to_words(CommitteeClaim{2, Extent::first, 5, 40}, optimum),
            "5 diagrams vote: the first, by errors, of the 40 feature sets that make at most 1 error more than the "
            "optimum, idle features dropped");
  EXPECT_EQ(to_words(CommitteeClaim{0, Extent::stopped, 1, 0}, optimum),
            "1 diagram votes: stopped before all feature sets that make no more errors than the optimum were known");
  optimum.objective.costs = true;
  EXPECT_EQ(
      to_words(CommitteeClaim{3, Extent::first, 5, 0}, optimum),
      "5 diagrams vote: the first, by cost, of the feature sets that cost at most 1.5 more than the optimum, idle "
      "features dropped");
  for (const Extent e : {Extent::complete, Extent::first, Extent::stopped}) EXPECT_EQ(parse_extent(to_string(e)), e);
  EXPECT_FALSE(parse_extent("all"));
}

}  // namespace
}  // namespace beadwork
