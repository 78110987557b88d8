#include "fitting.hpp"

namespace beadwork {
namespace {

using fixtures::small_model;

Diagram constant(std::size_t k) {
  return *Diagram::make({DiagramNode::leaf(Class{k})});
}

// The small model, and members that always answer the same.
Committee committee(const std::vector<std::size_t>& others, CommitteeClaim claim = {}) {
  const Model optimum = small_model();
  const std::int64_t cost = *optimum.claim().upper_bound;
  std::vector<Committee::Member> members{{optimum.diagram(), cost}};
  for (const std::size_t k : others) members.push_back({constant(k), cost});
  claim.members = members.size();
  auto made = Committee::make(optimum, members, claim);
  EXPECT_TRUE(made) << (made ? "" : made.error().to_string());
  return *made;
}

TEST(Committee, TiesGoToTheOptimum) {
  EXPECT_EQ(winner({2, 1}, Class{1}), Class{0});
  EXPECT_EQ(winner({1, 1}, Class{1}), Class{1});
  EXPECT_EQ(winner({1, 1}, Class{0}), Class{0});
  EXPECT_EQ(winner({1, 2, 2}, Class{0}), Class{1});
  EXPECT_EQ(winner({2, 1, 2}, Class{2}), Class{2});
}

TEST(Committee, VotesAreCounted) {
  const Committee c = committee({1, 1, 0});
  const Table table = fixtures::table_of("age,color\n20,red\n50,red\n", c.optimum());
  const auto single = predict(c.optimum(), table);
  const auto v = vote(c, table);
  ASSERT_TRUE(single && v);
  for (std::size_t r = 0; r < 2; ++r) {
    std::vector<std::size_t> expected{1, 2};
    ++expected[single->classes[r]()];
    EXPECT_EQ(v->votes[r], expected);
    EXPECT_EQ(v->classes[r], winner(expected, single->classes[r]));
  }
}

TEST(Committee, AFileBringsItBack) {
  const Committee c = committee({1, 0}, {.within = 2, .extent = CommitteeClaim::Extent::first, .num_sets = 9});
  const auto back = predictor_from_json(to_json(c));
  ASSERT_TRUE(back) << back.error().to_string();
  ASSERT_TRUE(std::holds_alternative<Committee>(*back));
  EXPECT_EQ(std::get<Committee>(*back), c);
  EXPECT_EQ(to_json(std::get<Committee>(*back)), to_json(c));
  const auto single = model_from_json(to_json(c));
  ASSERT_FALSE(single);
  EXPECT_EQ(single.error().message, "is a committee; a single model is needed here");
}

TEST(Committee, PartsThatDoNotFitAreRefused) {
  const Model optimum = small_model();
  const std::int64_t cost = *optimum.claim().upper_bound;
  const auto refused = [&](std::vector<Committee::Member> members, CommitteeClaim claim) {
    return !Committee::make(optimum, std::move(members), claim);
  };
  EXPECT_TRUE(refused({}, {.members = 0}));
  EXPECT_TRUE(refused({{constant(0), cost}}, {}));
  EXPECT_TRUE(refused({{optimum.diagram(), cost}, {constant(7), cost}}, {.members = 2}));
  EXPECT_TRUE(refused({{optimum.diagram(), cost}, {constant(0), cost + 2}}, {.within = 1, .members = 2}));
  EXPECT_TRUE(refused({{optimum.diagram(), cost}, {constant(0), cost}}, {.members = 3}));
}

}  // namespace
}  // namespace beadwork
