// The smallest diagram: the paper's example, several classes, several tables, limits.

#include <beadwork/smallest.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace beadwork {
namespace {

std::vector<Feature> features(std::size_t h) {
  std::vector<Feature> out;
  for (std::size_t i = 0; i < h; ++i) out.emplace_back(i);
  return out;
}

// The paper ends u0u1011u with seven nodes, its solver had six. In another order five are enough, and no fewer are:
//
//         f1
//       .'  \ .           dashed (' .): low
//      .     f3
//      .   .'  \ .        01010111 in the order f1, f3, f2
//      f2       1
//    .'  \ .
//    0    1
TEST(Smallest, ThePaperExampleNeedsFewer) {
  const auto table = TruthTable::parse("u0u1011u", features(3));
  const SmallestOutcome s = smallest_diagram(*table);
  EXPECT_TRUE(s.proven);
  EXPECT_EQ(s.diagram.size(), 5U);
  EXPECT_EQ(s.table.to_string(), "01010111");
  EXPECT_EQ(s.table.order(), (std::vector{Feature{0}, Feature{2}, Feature{1}}));
  EXPECT_EQ(diagram_of(merge_compatible(*table)).size(), 7U);
}

// By trying every fill in every order.
std::size_t brute_force(const TruthTable& table) {
  std::size_t best = 1000;
  std::vector<Feature> order = table.order();
  std::sort(order.begin(), order.end());
  do {
    TruthTable filled = reordered(table, order);
    const TruthTable given = filled;
    std::vector<std::size_t> choice(table.num_cells());
    for (bool more = true; more;) {
      bool allowed = true;
      for (std::size_t c = 0; c < choice.size(); ++c) {
        allowed = allowed && given.allows(c, Class{choice[c]});
        filled.decide(c, Class{choice[c]});
      }
      if (allowed) best = std::min(best, diagram_of(filled).size());
      std::size_t c = 0;
      while (c < choice.size() && ++choice[c] == table.num_classes()) choice[c++] = 0;
      more = c < choice.size();
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TruthTable random_table(Rng& rng, std::size_t h, std::size_t classes) {
  TruthTable t(features(h), classes);
  for (std::size_t c = 0; c < t.num_cells(); ++c) {
    std::vector<Class> allowed;
    while (allowed.empty())
      for (std::size_t k = 0; k < classes; ++k)
        if (rng.below(2) == 0) allowed.emplace_back(k);
    t.restrict_to(c, allowed);
  }
  return t;
}

TEST(Smallest, EqualsBruteForceWithSeveralClasses) {
  Rng rng(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t h = 1 + rng.below(round % 20 == 0 ? 3 : 2);
    const TruthTable t = random_table(rng, h, 3 + (h < 3 ? rng.below(2) : 0));
    SCOPED_TRACE(t.to_string());
    const SmallestOutcome s = smallest_diagram(t);
    ASSERT_TRUE(s.proven);
    ASSERT_EQ(s.diagram.size(), brute_force(t));
    const TruthTable back = reordered(s.table, t.order());
    for (std::size_t c = 0; c < t.num_cells(); ++c) ASSERT_TRUE(t.allows(c, back.first_allowed(c)));
  }
}

TEST(Smallest, TakesTheBestOfSeveralTables) {
  Rng rng(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<TruthTable> tables;
    std::size_t best = 1000;
    for (int i = 0; i < 4; ++i) {
      tables.push_back(random_table(rng, 3, 2));
      best = std::min(best, smallest_diagram(tables.back()).diagram.size());
    }
    const SmallestOutcome s = smallest_diagram(tables);
    ASSERT_TRUE(s.proven);
    ASSERT_EQ(s.diagram.size(), best);
    ASSERT_EQ(s.table.depth(), 3U);
    const TruthTable back = reordered(s.table, tables[s.which].order());
    for (std::size_t c = 0; c < 8; ++c) ASSERT_TRUE(tables[s.which].allows(c, back.first_allowed(c)));
  }
}

TEST(Smallest, WithoutTimeTheBoundHolds) {
  Rng rng(5);
  for (int round = 0; round < 20; ++round) {
    const TruthTable t = random_table(rng, 4, 2);
    const std::size_t least = smallest_diagram(t).diagram.size();
    Control control;
    control.deadline = Deadline::in(0);
    const SmallestOutcome s = smallest_diagram(t, control);
    EXPECT_LE(s.lower_bound, least);
    EXPECT_GE(s.diagram.size(), least);
    EXPECT_EQ(s.proven, s.lower_bound == s.diagram.size());
  }
}

}  // namespace
}  // namespace beadwork
