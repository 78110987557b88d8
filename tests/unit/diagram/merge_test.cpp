// Merging compatible subtrees: the paper's example, and what several classes change.

#include "support/looks.hpp"
#include <beadwork/diagram.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using testing_support::Looks;

std::vector<Feature> numbered(std::size_t n) {
  std::vector<Feature> out;
  for (std::size_t f = 0; f < n; ++f) out.emplace_back(f);
  return out;
}

const std::vector<Feature> kOrder{Feature{1}, Feature{2}, Feature{3}};

TruthTable table(std::string_view cells, std::size_t classes = 2) {
  std::vector<Feature> order;
  for (std::size_t n = cells.size(); n > 1; n /= 2) order.emplace_back(order.size() + 1);
  auto t = TruthTable::parse(cells, order, classes);
  require(static_cast<bool>(t), "a table");
  return *std::move(t);
}

DiagramNode test(std::size_t f, std::size_t low, std::size_t high) {
  return DiagramNode::test(Feature{f}, Node{low}, Node{high});
}

// Before merging, the solver's own table 00010111:
//
//           f1
//         .'  \        ' . dashed: low
//       f2     f2
//      .' \   .' \ .
//      .   f3     1
//      . .'  \ .
//      0      1
TEST(Merge, ThePaperStartsFromSixNodes) {
  const Diagram before = diagram_of(table("00010111"));
  EXPECT_EQ(before.nodes(), (std::vector{test(1, 1, 2), test(2, 4, 3), test(2, 3, 5), test(3, 4, 5),
                                         DiagramNode::leaf(Class{0}), DiagramNode::leaf(Class{1})}));
}

// After it, the figure in the middle: beads u0u1011u, 1001 (u0u1), 0110 (011u), 10, 01, 0, 1.
//
//            f1
//          .'  \ .
//        f2      f2
//        . \    .' |
//        .  \ .'   |
//        .  .\     |
//        . '  \    |
//        f3 <---\--'        f3 on the left is 10: low to 1, high to 0
//        .|      f3         f3 on the right is 01: low to 0, high to 1
//        1 0     0 1
TEST(Merge, ThePaperEndsWithSevenNodes) {
  const TruthTable merged = merge_compatible(table("u0u1011u"));
  EXPECT_EQ(merged.to_string(), "10010110");
  EXPECT_EQ(merged.order(), kOrder);
  const Diagram after = diagram_of(merged);
  EXPECT_EQ(after.nodes(), (std::vector{test(1, 1, 2), test(2, 3, 4), test(2, 4, 3), test(3, 6, 5), test(3, 5, 6),
                                        DiagramNode::leaf(Class{0}), DiagramNode::leaf(Class{1})}));
}

TEST(Merge, HalvesThatMatchNeedNoTest) {
  EXPECT_EQ(merge_compatible(table("0u01u101")).to_string(), "01010101");  // f1 and f2 go
  EXPECT_EQ(diagram_of(merge_compatible(table("0u01u101"))).size(), 3U);
  EXPECT_EQ(merge_compatible(table("uuuu")).to_string(), "0000");
  EXPECT_EQ(merge_compatible(table("uu1u")).to_string(), "1111");
}

// 0u matches its sibling 01 and, further left, 00: the sibling comes first, and f2 is not tested there.
TEST(Merge, HalvesComeBeforeOtherSubtables) {
  EXPECT_EQ(merge_compatible(table("0011010u")).to_string(), "00110101");
}

// A subtable that matches two groups joins the left one: 0u matches 00 and 01.
TEST(Merge, TheLeftOneOfSeveralGroupsIsTaken) {
  EXPECT_EQ(merge_compatible(table("0001100u")).to_string(), "00011000");
  EXPECT_EQ(merge_compatible(table("0100100u")).to_string(), "01001001");
}

TEST(Merge, DecidedTablesStayAsTheyAre) {
  for (unsigned f = 0; f < 256; ++f) {
    std::string cells;
    for (unsigned c = 0; c < 8; ++c) cells += (f >> c & 1U) != 0 ? '1' : '0';
    EXPECT_EQ(merge_compatible(table(cells)).to_string(), cells);
  }
}

// {0,1}, {1,2} and {0,2} agree in pairs and not together: once the first two are {1}, the third stands alone.
TEST(Merge, SeveralClassesMustAgreeTogether) {
  TruthTable t({Feature{0}, Feature{1}, Feature{2}}, 4);
  const std::vector<std::vector<std::size_t>> cells = {{0, 1}, {3}, {1, 2}, {3}, {0, 2}, {3}, {3}, {0}};
  for (std::size_t c = 0; c < cells.size(); ++c) {
    std::vector<Class> classes;
    for (const std::size_t k : cells[c]) classes.emplace_back(k);
    t.restrict_to(c, classes);
  }
  EXPECT_EQ(merge_compatible(t).to_string(), "13130330");
}

std::vector<std::string> texts(const TruthTable& table, const std::vector<Subtable>& group) {
  std::vector<std::string> out;
  for (const Subtable& s : group) out.push_back(table.to_string().substr(s.first, s.length));
  return out;
}

// Level 2 of the paper's example: u0 matches 1u, u1 matches 01, so u0u1 becomes 1001 and 011u becomes 0110.
TEST(Merge, TheStepsOfThePaper) {
  const std::vector<MergeStep> steps = merge_steps(table("u0u1011u"));
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].after.to_string(), "u0u1011u");
  EXPECT_EQ(steps[0].groups.size(), 2U);  // u0u1 and 011u do not match
  EXPECT_EQ(steps[1].before.to_string(), "u0u1011u");
  EXPECT_EQ(steps[1].joined.to_string(), "u0u1011u");
  EXPECT_EQ(steps[1].after.to_string(), "10010110");
  ASSERT_EQ(steps[1].groups.size(), 2U);
  EXPECT_EQ(texts(steps[1].joined, steps[1].groups[0]), (std::vector<std::string>{"u0", "1u"}));
  EXPECT_EQ(texts(steps[1].joined, steps[1].groups[1]), (std::vector<std::string>{"u1", "01"}));
}

TEST(Merge, StepsEndWhereTheMergeEnds) {
  for (unsigned f = 0; f < 6561; ++f) {
    std::string cells;
    for (unsigned c = 0, rest = f; c < 8; ++c, rest /= 3) cells += "01u"[rest % 3];
    const std::vector<MergeStep> steps = merge_steps(table(cells));
    ASSERT_EQ(fill_by_first(steps.back().after), merge_compatible(table(cells))) << cells;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) ASSERT_EQ(steps[i].after, steps[i + 1].before);
  }
  EXPECT_TRUE(merge_steps(table("u")).empty());
}

TEST(Merge, OfADecidedTableIsTheTable) {
  Rng rng(9);
  TruthTable t(numbered(18), 3);
  for (std::size_t c = 0; c < t.num_cells(); ++c) t.decide(c, Class{rng.below(3)});
  const Looks looks;
  EXPECT_EQ(*merge_compatible(t, looks.stopping_at(1)), t);  // no time is needed
  EXPECT_EQ(looks.made(), 0U);
}

TEST(Merge, EndsAtALimit) {
  Rng rng(10);
  TruthTable t(numbered(15), 3);
  for (std::size_t c = 0; c < t.num_cells(); ++c)
    if (rng.below(4) != 0) t.decide(c, Class{rng.below(3)});
  const Looks all;
  ASSERT_TRUE(merge_compatible(t, all.never_stopping()));
  ASSERT_GT(all.made(), 1U);
  for (const std::size_t at : {std::size_t{1}, all.made() / 2, all.made()}) {
    const Looks looks;
    EXPECT_FALSE(merge_compatible(t, looks.stopping_at(at)));
    EXPECT_EQ(looks.made(), at);
  }
  const Looks looks;
  EXPECT_TRUE(merge_compatible(table("u0u1011u"), looks.stopping_at(1)));
}

}  // namespace
}  // namespace beadwork
