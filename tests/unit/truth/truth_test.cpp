#include "support/looks.hpp"
#include <beadwork/truth.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace beadwork {
namespace {

using testing_support::Looks;

std::vector<Feature> order_of(std::size_t n) {
  std::vector<Feature> order;
  for (std::size_t i = 0; i < n; ++i) order.emplace_back(2 * i + 1);
  return order;
}

TEST(TruthTable, ParsesAndPrintsThePapersExample) {
  const auto t = TruthTable::parse("u0u1011u", order_of(3));
  ASSERT_TRUE(t);
  EXPECT_EQ(t->to_string(), "u0u1011u");
  EXPECT_EQ(t->depth(), 3U);
  EXPECT_EQ(t->num_cells(), 8U);
  EXPECT_TRUE(t->unknown(0));
  EXPECT_TRUE(t->decided(1));
  EXPECT_EQ(t->first_allowed(3), Class{1});
  EXPECT_FALSE(t->all_decided());
  EXPECT_TRUE(t->allows(7, Class{0}));
  EXPECT_FALSE(t->allows(6, Class{0}));
}

TEST(TruthTable, ParseRefusesWhatIsNoTable) {
  EXPECT_FALSE(TruthTable::parse("000", order_of(2)));
  EXPECT_FALSE(TruthTable::parse("", order_of(0)));
  EXPECT_FALSE(TruthTable::parse("0x00", order_of(2)));
  EXPECT_FALSE(TruthTable::parse("0002", order_of(2)));
  EXPECT_FALSE(TruthTable::parse("000 ", order_of(2)));
  EXPECT_TRUE(TruthTable::parse("0002", order_of(2), 3));
  EXPECT_TRUE(TruthTable::parse("1", {}));
}

TEST(TruthTable, RefusesBrokenContracts) {
  EXPECT_THROW(TruthTable({Feature{1}, Feature{1}}, 2), ContractViolation);
  EXPECT_THROW(TruthTable(order_of(21), 2), ContractViolation);
  EXPECT_THROW(TruthTable({}, 0), ContractViolation);
  EXPECT_NO_THROW(TruthTable(order_of(20), 2));
  TruthTable t(order_of(1), 2);
  EXPECT_THROW(t.decide(0, Class{2}), ContractViolation);
  EXPECT_THROW(t.decide(2, Class{0}), ContractViolation);
  EXPECT_THROW(t.restrict_to(2, std::vector{Class{0}}), ContractViolation);
  EXPECT_THROW(t.restrict_to(0, std::vector{Class{64}}), ContractViolation);
  EXPECT_THROW(t.restrict_to(0, std::vector<Class>{}), ContractViolation);
  EXPECT_THROW(TruthTable::from_counts(order_of(1), 2, std::vector<std::int64_t>(3)), ContractViolation);
  EXPECT_THROW(fill_by_branch(t, std::vector<std::int64_t>(5)), ContractViolation);
  EXPECT_THROW(std::ignore = fill_by_neighbours(t, std::vector<std::int64_t>(5)), ContractViolation);
  EXPECT_EQ(t, TruthTable(order_of(1), 2));  // what is refused changes nothing
}

TEST(TruthTable, RestrictIntersects) {
  TruthTable t(order_of(1), 3);
  t.restrict_to(1, std::vector{Class{0}, Class{2}});
  EXPECT_EQ(t.num_allowed(1), 2U);
  EXPECT_EQ(t.to_string(), "u?");
  const TruthTable before = t;
  EXPECT_THROW(t.restrict_to(1, std::vector{Class{1}}), ContractViolation);
  EXPECT_EQ(t, before);
  t.restrict_to(1, std::vector{Class{1}, Class{2}});
  EXPECT_EQ(t.to_string(), "u2");
  t.decide(1, Class{0});  // deciding overrules
  EXPECT_EQ(t.to_string(), "u0");
}

TEST(TruthTable, CountsAllowTheLargest) {
  //                        cell 0   cell 1   cell 2   cell 3
  const std::vector<std::int64_t> counts{3, 1, 2, 2, 2, 0, 0, 0, 0, 5, 5, 5};
  const TruthTable t = TruthTable::from_counts(order_of(2), 3, counts);
  EXPECT_EQ(t.to_string(), "0?uu");
  EXPECT_TRUE(t.allows(1, Class{0}) && t.allows(1, Class{1}) && !t.allows(1, Class{2}));
  EXPECT_EQ(TruthTable::from_counts({}, 1, std::vector<std::int64_t>{0}).to_string(), "0");
}

TEST(TruthTable, ManyClasses) {
  constexpr std::size_t kClasses = 130;
  TruthTable t(order_of(2), kClasses);
  EXPECT_EQ(t.num_allowed(0), kClasses);
  EXPECT_TRUE(t.unknown(0));
  t.decide(0, Class{129});
  EXPECT_EQ(t.first_allowed(0), Class{129});
  EXPECT_EQ(t.num_allowed(0), 1U);
  t.restrict_to(1, std::vector{Class{63}, Class{64}, Class{128}});
  EXPECT_EQ(t.num_allowed(1), 3U);
  t.restrict_to(1, std::vector{Class{64}, Class{128}, Class{5}});
  EXPECT_EQ(t.first_allowed(1), Class{64});
  EXPECT_FALSE(t.cells_equal(0, 1));
  t.decide(2, Class{1});
  t.decide(3, Class{65});  // the same bit of another word
  EXPECT_FALSE(t.cells_equal(2, 3));
  std::vector<std::int64_t> counts(4 * kClasses);
  counts[100] = 2;            // cell 0: class 100
  counts[kClasses + 70] = 1;  // cell 1: classes 70 and 71
  counts[kClasses + 71] = 1;
  counts[3 * kClasses + 71] = 1;  // cell 3: class 71
  const TruthTable filled = fill_by_branch(TruthTable::from_counts(order_of(2), kClasses, counts), counts);
  EXPECT_EQ(filled.first_allowed(0), Class{100});
  EXPECT_EQ(filled.first_allowed(1), Class{71});  // tied in the cell and its half, 71 leads in the whole
  EXPECT_EQ(filled.first_allowed(2), Class{71});
  EXPECT_TRUE(filled.all_decided());
}

std::set<std::string> bead_strings(const std::string& cells) {
  const TruthTable t = *TruthTable::parse(cells, order_of(static_cast<std::size_t>(std::countr_zero(cells.size()))));
  std::set<std::string> out;
  for (const Subtable& s : beads(t)) {
    EXPECT_EQ(s.length, cells.size() >> s.level);
    EXPECT_TRUE(out.insert(cells.substr(s.first, s.length)).second) << "a bead twice";
  }
  return out;
}

TEST(Beads, OfMajorityAreThePapersSix) {
  EXPECT_EQ(bead_strings("00010111"), (std::set<std::string>{"00010111", "0001", "0111", "01", "0", "1"}));
}

TEST(Beads, OfConstantsAreOne) {
  EXPECT_EQ(bead_strings("0000"), (std::set<std::string>{"0"}));
  EXPECT_EQ(bead_strings("1"), (std::set<std::string>{"1"}));
}

TEST(Beads, StandAtTheirFirstPlaceFromTheTopDown) {
  const TruthTable t = *TruthTable::parse("01010001", order_of(3));
  const std::vector<Subtable> expected{{0, 0, 8}, {1, 4, 4}, {2, 0, 2}, {3, 0, 1}, {3, 1, 1}};
  EXPECT_EQ(beads(t), expected);
}

// Bias P by its definition: look at the cell, then at the branches above it, until one allowed class leads
// alone.
std::size_t fill_by_definition(const std::vector<std::vector<std::int64_t>>& cells, std::size_t cell) {
  const std::int64_t most = *std::max_element(cells[cell].begin(), cells[cell].end());
  std::vector<std::size_t> allowed;
  for (std::size_t k = 0; k < cells[cell].size(); ++k)
    if (cells[cell][k] == most) allowed.push_back(k);
  for (std::size_t width = 1; width <= cells.size(); width *= 2) {
    std::map<std::int64_t, std::vector<std::size_t>> by_count;
    for (const std::size_t k : allowed) {
      std::int64_t sum = 0;
      for (std::size_t c = cell / width * width; c < cell / width * width + width; ++c) sum += cells[c][k];
      by_count[sum].push_back(k);
    }
    if (by_count.rbegin()->second.size() == 1) return by_count.rbegin()->second[0];
  }
  return allowed[0];
}

TEST(Fill, FollowsTheBranch) {
  Rng rng(11);
  for (int round = 0; round < 4000; ++round) {
    const std::size_t classes = 1 + rng.below(4);
    const std::size_t depth = rng.below(5);
    const std::uint64_t range = 1 + rng.below(4);
    std::vector<std::vector<std::int64_t>> cells(std::size_t{1} << depth);
    std::vector<std::int64_t> flat;
    for (auto& cell : cells) {
      const bool empty = rng.below(3) == 0;
      for (std::size_t k = 0; k < classes; ++k) {
        cell.push_back(empty ? 0 : static_cast<std::int64_t>(rng.below(range)));
        flat.push_back(cell.back());
      }
    }
    const TruthTable table = TruthTable::from_counts(order_of(depth), classes, flat);
    const TruthTable filled = fill_by_branch(table, flat);
    ASSERT_TRUE(filled.all_decided());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      ASSERT_EQ(filled.first_allowed(c)(), fill_by_definition(cells, c));
      ASSERT_TRUE(table.allows(c, filled.first_allowed(c)));  // training error unchanged
    }
  }
}

// Bias N by its definition: all cells within distance 0, 1, ..., until one allowed class leads alone.
std::size_t nearest_by_definition(const std::vector<std::vector<std::int64_t>>& cells, std::size_t cell) {
  const std::int64_t most = *std::max_element(cells[cell].begin(), cells[cell].end());
  std::vector<std::size_t> allowed;
  for (std::size_t k = 0; k < cells[cell].size(); ++k)
    if (cells[cell][k] == most) allowed.push_back(k);
  for (int distance = 0; distance <= 20; ++distance) {
    std::map<std::int64_t, std::vector<std::size_t>> by_count;
    for (const std::size_t k : allowed) {
      std::int64_t sum = 0;
      for (std::size_t c = 0; c < cells.size(); ++c) {
        int differing = 0;
        for (std::size_t bits = c ^ cell; bits > 0; bits /= 2) differing += static_cast<int>(bits % 2);
        if (differing <= distance) sum += cells[c][k];
      }
      by_count[sum].push_back(k);
    }
    if (by_count.rbegin()->second.size() == 1) return by_count.rbegin()->second[0];
  }
  return allowed[0];
}

TEST(Fill, FollowsTheNeighbours) {
  Rng rng(12);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t classes = 1 + rng.below(4);
    const std::size_t depth = rng.below(7);
    const std::uint64_t range = 1 + rng.below(4);
    const std::uint64_t emptiness = 1 + rng.below(16);  // from full tables to those with hardly a row
    std::vector<std::vector<std::int64_t>> cells(std::size_t{1} << depth);
    std::vector<std::int64_t> flat;
    for (auto& cell : cells) {
      const bool empty = rng.below(emptiness) != 0;
      for (std::size_t k = 0; k < classes; ++k) {
        cell.push_back(empty ? 0 : static_cast<std::int64_t>(rng.below(range)));
        flat.push_back(cell.back());
      }
    }
    const TruthTable table = TruthTable::from_counts(order_of(depth), classes, flat);
    const TruthTable filled = *fill_by_neighbours(table, flat);
    ASSERT_TRUE(filled.all_decided());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      ASSERT_EQ(filled.first_allowed(c)(), nearest_by_definition(cells, c));
      ASSERT_TRUE(table.allows(c, filled.first_allowed(c)));  // training error unchanged
    }
  }
}

TEST(Fill, ByNeighboursTakesDeepTables) {
  std::vector<std::int64_t> counts(std::size_t{2} << 16);
  counts[0] = 3;                  // cell 0: class 0
  counts[counts.size() - 1] = 1;  // the last cell: class 1
  const TruthTable filled = *fill_by_neighbours(TruthTable::from_counts(order_of(16), 2, counts), counts);
  EXPECT_EQ(filled.first_allowed(0b0000'0000'0111'1111), Class{0});
  EXPECT_EQ(filled.first_allowed(0b0000'0000'1111'1111), Class{0});  // eight from either: the larger count
  EXPECT_EQ(filled.first_allowed(0b0000'0001'1111'1111), Class{1});
}

// A table whose cells allow any classes, whatever speaks for them.
struct AnyTable {
  TruthTable table;
  std::vector<std::vector<std::int64_t>> cells;
  std::vector<std::int64_t> counts;
};

AnyTable any_table(Rng& rng) {
  const std::size_t classes = 1 + rng.below(5), depth = rng.below(6);
  const std::uint64_t emptiness = 1 + rng.below(12);
  AnyTable out{TruthTable(order_of(depth), classes), {}, {}};
  for (std::size_t c = 0; c < out.table.num_cells(); ++c) {
    const bool empty = rng.below(emptiness) != 0;
    out.cells.emplace_back();
    std::vector<Class> allowed;
    for (std::size_t k = 0; k < classes; ++k) {
      out.cells.back().push_back(empty ? 0 : static_cast<std::int64_t>(rng.below(3)));
      out.counts.push_back(out.cells.back().back());
      if (rng.below(3) != 0) allowed.emplace_back(k);
    }
    if (!allowed.empty()) out.table.restrict_to(c, allowed);
  }
  return out;
}

// The one class that a cell allows and that has the largest sum over the cells that `near` names, for the first `near`
// of several that leaves one.
template <class Near>
std::size_t first_clear_winner(const AnyTable& any, std::size_t cell, std::size_t steps, const Near& near) {
  for (std::size_t step = 0; step < steps; ++step) {
    std::map<std::int64_t, std::vector<std::size_t>> by_sum;
    for (std::size_t k = 0; k < any.table.num_classes(); ++k) {
      if (!any.table.allows(cell, Class{k})) continue;
      std::int64_t sum = 0;
      for (std::size_t c = 0; c < any.cells.size(); ++c)
        if (near(c, step)) sum += any.cells[c][k];
      by_sum[sum].push_back(k);
    }
    if (by_sum.rbegin()->second.size() == 1) return by_sum.rbegin()->second[0];
  }
  return any.table.first_allowed(cell)();
}

TEST(Fill, OfTablesThatAllowAnyClasses) {
  Rng rng(13);
  for (int round = 0; round < 4000; ++round) {
    const AnyTable any = any_table(rng);
    const auto merits = merits_of(any.counts, any.table.num_classes());
    const TruthTable by_branch = *fill_by_branch(any.table, merits),
                     by_neighbours = *fill_by_neighbours(any.table, merits);
    EXPECT_EQ(by_branch, fill_by_branch(any.table, any.counts));
    EXPECT_EQ(by_neighbours, *fill_by_neighbours(any.table, any.counts));
    for (std::size_t cell = 0; cell < any.cells.size(); ++cell) {
      ASSERT_TRUE(by_branch.decided(cell) && by_neighbours.decided(cell));
      ASSERT_EQ(by_branch.first_allowed(cell)(),
                first_clear_winner(any, cell, any.table.depth() + 1,
                                   [&](std::size_t c, std::size_t up) { return c >> up == cell >> up; }));
      ASSERT_EQ(by_neighbours.first_allowed(cell)(),
                first_clear_winner(any, cell, any.table.depth() + 1, [&](std::size_t c, std::size_t most) {
                  return static_cast<std::size_t>(std::popcount(c ^ cell)) <= most;
                }));
    }
  }
}

TEST(TruthTable, FromMeritsIsFromCountsWithoutZeros) {
  Rng rng(14);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t classes = 1 + rng.below(70), depth = rng.below(5);
    std::vector<std::int64_t> counts(classes << depth);
    for (auto& count : counts) count = rng.below(3) == 0 ? static_cast<std::int64_t>(rng.below(4)) - 1 : 0;
    const TruthTable table = TruthTable::from_counts(order_of(depth), classes, counts);
    for (std::size_t c = 0; c < table.num_cells(); ++c) {
      const auto cell = std::span(counts).subspan(c * classes, classes);
      const std::int64_t most = *std::max_element(cell.begin(), cell.end());
      for (std::size_t k = 0; k < classes; ++k) ASSERT_EQ(table.allows(c, Class{k}), cell[k] == most);
    }
  }
}

// Few rows in a deep table of many classes: what a dense count of 2^18 x 300 numbers would say, without it.
TEST(Fill, LooksAtCellsThatHoldRowsAlone) {
  const std::vector<Merit> merits{{0, 7, 2}, {5, 3, 1}, {5, 9, 1}, {(1U << 18) - 1, 299, 5}};
  const TruthTable table = TruthTable::from_merits(order_of(18), 300, merits);
  EXPECT_EQ(table.num_allowed(5), 2U);
  EXPECT_TRUE(table.unknown(4));
  const Looks looks;
  const TruthTable filled = *fill_by_branch(table, merits, looks.never_stopping());
  EXPECT_TRUE(filled.all_decided());
  EXPECT_EQ(filled.first_allowed(1), Class{7});
  EXPECT_EQ(filled.first_allowed(4), Class{7});  // 3 and 9 are tied above it
  EXPECT_EQ(filled.first_allowed(5), Class{3});  // tied all the way up
  EXPECT_EQ(filled.first_allowed(1U << 17), Class{299});
  EXPECT_LE(looks.made(), 10U);  // of millions of steps each
}

TEST(Fill, EndsAtALimit) {
  std::vector<Merit> merits;
  for (std::uint32_t c = 0; c < 1U << 19; c += 3) merits.push_back({c, c % 5, 1});
  const TruthTable table = TruthTable::from_merits(order_of(19), 5, merits);
  const auto stops = [&](auto fill) {
    const Looks all;
    ASSERT_TRUE(fill(all.never_stopping()));
    ASSERT_GT(all.made(), 0U);
    for (const std::size_t at : {std::size_t{1}, (all.made() + 1) / 2, all.made()}) {
      const Looks looks;
      EXPECT_FALSE(fill(looks.stopping_at(at)));
      EXPECT_EQ(looks.made(), at);  // it ends where it is told so
    }
  };
  stops([&](const Control& control) { return fill_by_branch(table, merits, control); });
  stops([&](const Control& control) { return fill_by_neighbours(table, merits, control); });
  const Looks looks;  // what takes no time is done in any case
  const std::vector<Merit> few{{0, 1, 1}};
  EXPECT_TRUE(fill_by_branch(TruthTable::from_merits(order_of(4), 5, few), few, looks.stopping_at(1)));
  EXPECT_TRUE(fill_by_neighbours(TruthTable::from_merits(order_of(4), 5, few), few, looks.stopping_at(1)));
  EXPECT_EQ(looks.made(), 0U);
}

TEST(Fill, KeepsToTheClassesThatACellAllows) {
  // Class 2 leads everywhere but the cell allows 0 and 1 only, and of these 1 leads above.
  TruthTable t(order_of(1), 3);
  t.restrict_to(0, std::vector{Class{0}, Class{1}});
  t.decide(1, Class{2});
  EXPECT_EQ(fill_by_branch(t, std::vector<std::int64_t>{0, 0, 0, 0, 1, 9}).to_string(), "12");
  EXPECT_EQ(fill_by_neighbours(t, std::vector<std::int64_t>{0, 0, 0, 0, 1, 9})->to_string(), "12");
}

}  // namespace
}  // namespace beadwork
