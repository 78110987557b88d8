#include "support/datasets.hpp"
#include <beadwork/encoding.hpp>
#include <beadwork/sat.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace testing_support;

//        f0
//   low /  \ high
//      f1   f2          each leaf of another pair of values: 0 1 1 0
Diagram mux() {
  return *Diagram::make({DiagramNode::test(Feature{0}, Node{1}, Node{2}),
                         DiagramNode::test(Feature{1}, Node{3}, Node{4}),
                         DiagramNode::test(Feature{2}, Node{5}, Node{6}), DiagramNode::leaf(Class{0}),
                         DiagramNode::leaf(Class{1}), DiagramNode::leaf(Class{1}), DiagramNode::leaf(Class{0})});
}

struct Encoded {
  Examples examples;
  Wcnf wcnf;
  TreeVariables variables;
};

Encoded encode(const Dataset& d, std::size_t depth) {
  Encoded e;
  e.examples = merged_examples(d);
  e.variables = lift_dt(e.examples, depth, named(e.wcnf), [&](Clause c, Weight w) { e.wcnf.add_soft(c, w); });
  return e;
}

std::optional<Assignment> solved(const Encoded& e, const std::vector<Lit>& assumptions) {
  Solver solver;
  solver.ensure_vars(e.wcnf.num_vars());
  for (std::size_t i = 0; i < e.wcnf.hard().size(); ++i) solver.add_clause(e.wcnf.hard()[i]);
  if (solver.solve(assumptions) != Answer::satisfiable) return std::nullopt;
  return solver.model();
}

Dataset all_rows() {
  std::vector<BitRow> rows;
  for (std::size_t i = 0; i < 8; ++i)
    rows.push_back({{i & 4 ? '1' : '0', i & 2 ? '1' : '0', i & 1 ? '1' : '0'}, i % 3 == 0 ? 1U : 0U});
  return dataset_of(rows, 3);
}

TEST(TreeEncoding, TakesATreeAndGivesItBack) {
  const Encoded e = encode(all_rows(), 2);
  EXPECT_EQ(e.variables.nodes, 7U);
  const auto literals = literals_of(e.variables, e.examples, mux());
  ASSERT_TRUE(literals);
  const auto model = solved(e, *literals);
  ASSERT_TRUE(model);
  EXPECT_EQ(decode(e.variables, e.examples, *model), mux());
}

TEST(TreeEncoding, SmallerTreesAreAmongItsAnswers) {
  const Encoded e = encode(all_rows(), 2);
  const Diagram one = *Diagram::make(
      {DiagramNode::test(Feature{2}, Node{1}, Node{2}), DiagramNode::leaf(Class{1}), DiagramNode::leaf(Class{0})});
  for (const Diagram& tree : {Diagram(), one}) {
    const auto model = solved(e, *literals_of(e.variables, e.examples, tree));
    ASSERT_TRUE(model);
    EXPECT_EQ(decode(e.variables, e.examples, *model), tree);
  }
}

// A row that a tree gets wrong cannot be called right.
TEST(TreeEncoding, CountsEveryError) {
  const Encoded e = encode(all_rows(), 2);
  auto literals = *literals_of(e.variables, e.examples, mux());
  std::size_t wrong = 0;
  for (std::size_t q = 0; q < e.examples.size(); ++q) {
    const bool right = mux().classify([&](Feature f) { return e.examples.value(f(), q); }) == e.examples.labels[q];
    auto other = literals;
    for (Lit& l : other)
      if (l == Lit(e.variables.wrong[q])) l = ~l;
    if (!right) {
      ++wrong;
      EXPECT_FALSE(solved(e, other));
    }
  }
  EXPECT_GT(wrong, 0U);
}

TEST(TreeEncoding, DepthIsALimit) {
  const Encoded e = encode(all_rows(), 1);
  EXPECT_EQ(e.variables.nodes, 3U);
  EXPECT_FALSE(literals_of(e.variables, e.examples, mux()));
}

// Seven nodes leave room for a path of three tests, were it not for the depth.
TEST(TreeEncoding, DepthIsALimitWithRoomForMore) {
  Encoded e;
  e.examples = merged_examples(all_rows());
  e.variables = lift_dt(e.examples, 2, named(e.wcnf), [&](Clause c, Weight w) { e.wcnf.add_soft(c, w); });
  // 1 -> 2, 3; 2 -> 4, 5; 4 -> 6, 7
  std::vector<Lit> path;
  for (const auto& [from, to] : {std::pair{1U, 2U}, std::pair{2U, 4U}, std::pair{4U, 6U}})
    for (const auto& [child, link] : e.variables.child[from])
      if (child == to) path.emplace_back(link);
  ASSERT_EQ(path.size(), 3U);
  EXPECT_FALSE(solved(e, path));
  path.pop_back();
  EXPECT_TRUE(solved(e, path));
}

}  // namespace
}  // namespace beadwork
