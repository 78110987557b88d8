// The paper's sets: sizes proven, never above merging, and the front agrees with them though it is found another way.

#include "unit/search/tables.hpp"
#include <beadwork/smallest.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace beadwork {
namespace {

using namespace test;

constexpr const char* kSets[] = {"anneal",    "audiology",   "australian",  "cancer", "car",
                                 "cleveland", "hypothyroid", "kr-vs-kp",    "lymph",  "mushroom",
                                 "soybean",   "splice-1",    "tic-tac-toe", "tumor",  "vote"};

std::vector<TruthTable> optimal_tables(const Dataset& data, std::size_t depth) {
  SearchOptions options;
  options.depth = depth;
  NearOptions near;
  near.within = 0;
  const auto sets = search_near(condense(data), options, near, {});
  std::vector<TruthTable> tables;
  for (const NearSet& s : sets->sets)
    tables.push_back(TruthTable::from_counts(s.features, data.num_classes(), count_cells(data, s.features)));
  return tables;
}

TEST(SmallestPaper, SizesAreProvenAndTheFrontAgrees) {
  NEED_TABLES("paper");
  constexpr std::size_t kDepth = 5;
  for (const char* name : kSets) {
    SCOPED_TRACE(name);
    const auto data = load_paper(name);
    ASSERT_TRUE(data);
    SearchOptions options;
    options.depth = kDepth;
    const auto front = error_front(*data, options);
    ASSERT_TRUE(front && front->proven);
    for (std::size_t depth = 2; depth <= kDepth; ++depth) {
      const auto tables = optimal_tables(*data, depth);
      const SmallestOutcome one = smallest_diagram(tables[0]);
      const SmallestOutcome all = smallest_diagram(tables);
      EXPECT_TRUE(one.proven && all.proven);
      EXPECT_LE(one.diagram.size(), diagram_of(merge_compatible(tables[0])).size());
      EXPECT_LE(all.diagram.size(), one.diagram.size());
      // Of the points with at most so many features, the one of fewest errors.
      const FrontPoint* best = nullptr;
      for (const FrontPoint& p : front->points)
        if (p.features <= depth && (best == nullptr || p.errors < best->errors)) best = &p;
      EXPECT_EQ(best->nodes, all.diagram.size()) << "depth " << depth;
    }
  }
}

}  // namespace
}  // namespace beadwork
