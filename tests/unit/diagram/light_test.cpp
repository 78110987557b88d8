#include <beadwork/diagram.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

const Feature x{0};
const Feature y{1};

// Rows of each of the four cells 00, 01, 10, 11, all of the class that the diagram answers there.
PathCounts counts_of(const Diagram& d, const std::vector<std::int64_t>& rows) {
  PathCounts counts(d.num_paths(), 2);
  for (std::size_t cell = 0; cell < 4; ++cell) {
    const auto passes = [&](Feature f) { return (cell >> (f == x ? 1 : 0) & 1) != 0; };
    counts.add(d.path_of(passes), d.classify(passes), rows[cell]);
  }
  return counts;
}

std::string pruned(const std::string& cells, const std::vector<std::int64_t>& rows, std::int64_t least) {
  const Diagram d = diagram_of(*TruthTable::parse(cells, {x, y}));
  const Diagram out = without_light_branches(d, counts_of(d, rows), least);
  EXPECT_TRUE(out.reduced());
  EXPECT_TRUE(out.ordered());
  return truth_of(out, {x, y}, 2).to_string();
}

TEST(LightBranches, NothingIsLight) {
  EXPECT_EQ(pruned("0110", {5, 5, 5, 5}, 5), "0110");
  EXPECT_EQ(pruned("0110", {0, 0, 0, 0}, 0), "0110");
}

//      x            x
//     / \          / \    cell 01 has one row: below x = 0 the test of y is left out
//    y   y   ->   0   y
//   0 1 1 0          1 0
TEST(LightBranches, ATestWithALightSideIsLeftOut) {
  EXPECT_EQ(pruned("0110", {5, 1, 5, 5}, 2), "0010");
  EXPECT_EQ(pruned("0110", {5, 5, 5, 0}, 1), "0111");
}

TEST(LightBranches, RowsOfALightBranchGoTheOtherWay) {
  EXPECT_EQ(pruned("0110", {1, 1, 6, 7}, 3), "1010");  // x = 0 is light: everything asks y as x = 1 does
}

TEST(LightBranches, WhereBothSidesAreLightTheMajorityAnswers) {
  EXPECT_EQ(pruned("0110", {3, 4, 9, 9}, 5), "1110");
  EXPECT_EQ(pruned("0110", {3, 4, 4, 3}, 20), "1111");
  EXPECT_EQ(pruned("0001", {4, 4, 4, 3}, 100), "0000");
}

TEST(LightBranches, CountsOfAnotherDiagramAreRefused) {
  const Diagram d = diagram_of(*TruthTable::parse("0110", {x, y}));
  EXPECT_THROW(without_light_branches(d, PathCounts(3, 2), 1), ContractViolation);
}

}  // namespace
}  // namespace beadwork
