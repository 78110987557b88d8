#include <beadwork/diagram.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

// A bead reached over a skipped level has parents on the levels between; children still come after their
// parents.
TEST(DiagramOf, NumbersNodesLevelByLevel) {
  Rng rng(1);
  for (std::size_t depth = 0; depth <= 7; ++depth)
    for (int round = 0; round < 200; ++round) {
      std::vector<Feature> order;
      for (std::size_t i = 0; i < depth; ++i) order.emplace_back(i);
      TruthTable table(order, 3);
      const std::uint64_t bias = 2 + rng.below(6);
      for (std::size_t c = 0; c < table.num_cells(); ++c)
        table.decide(c, Class{rng.below(bias) < 3 ? rng.below(3) : 0});
      const Diagram diagram = diagram_of(table);
      EXPECT_EQ(truth_of(diagram, order, 3), table);
      EXPECT_TRUE(diagram.ordered() && diagram.reduced());
      EXPECT_EQ(diagram.size(), beads(table).size());
    }
}

}  // namespace
}  // namespace beadwork
