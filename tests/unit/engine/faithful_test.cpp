#include "support/datasets.hpp"
#include <beadwork/engine/faithful.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace beadwork {
namespace {

using namespace testing_support;

TEST(Faithful, CostIsTheCheapestFlipOfAForcedConstant) {
  using Counts = std::vector<std::int64_t>;
  EXPECT_EQ(bead_cost(Counts{5, 1, 7, 4}, 2), 3);        // cell 1: margin 3
  EXPECT_EQ(bead_cost(Counts{5, 1, 4, 7}, 2), 0);        // not constant
  EXPECT_EQ(bead_cost(Counts{5, 1, 0, 0}, 2), 0);        // an empty cell is free
  EXPECT_EQ(bead_cost(Counts{5, 1, 3, 3}, 2), 0);        // so is a tied one
  EXPECT_EQ(bead_cost(Counts{9, 1, 7, 8, 0, 2}, 3), 2);  // three classes: from 9 to 7
}

// Errors of a decided table, row by row.
std::int64_t errors_of(const std::vector<BitRow>& rows, const TruthTable& t) {
  std::int64_t errors = 0;
  for (const BitRow& r : rows) {
    std::size_t cell = 0;
    for (const Feature f : t.order()) cell = 2 * cell + (r.bits[f()] == '1' ? 1U : 0U);
    if (t.first_allowed(cell)() != r.label) errors += r.weight;
  }
  return errors;
}

TEST(Faithful, TableHasABeadAtItsRootAndTheErrorsItSays) {
  Rng rng(8);
  for (int round = 0; round < 4000; ++round) {
    const std::size_t features = 1 + rng.below(4);
    const std::size_t classes = 2 + rng.below(2);
    const auto rows = random_rows(rng, 1 + rng.below(12), features, classes, true);
    SCOPED_TRACE(describe(rows));
    const Dataset d = dataset_of(rows, features, classes);
    std::vector<Feature> all;
    for (std::size_t f = 0; f < features; ++f) all.emplace_back(f);
    const auto counts = count_cells(d, all);
    std::int64_t least = 0;
    for (std::size_t c = 0; c < counts.size(); c += classes) {
      std::int64_t most = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        least += counts[c + k];
        most = std::max(most, counts[c + k]);
      }
      least -= most;
    }
    const TruthTable t = bead_table(d, all);
    ASSERT_TRUE(t.all_decided());
    ASSERT_TRUE(is_bead(t, {0, 0, t.num_cells()})) << t.to_string();
    ASSERT_EQ(errors_of(rows, t), least + bead_cost(counts, classes)) << t.to_string();
    std::vector<Feature> sorted = t.order();
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted, all);
  }
}

TEST(Faithful, TableNeedsAFeatureAndTwoClasses) {
  const Dataset d = dataset_of({{"0", 0}}, 1, 1);
  EXPECT_THROW(bead_table(d, {Feature{0}}), ContractViolation);
  EXPECT_THROW(bead_table(dataset_of({{"0", 0}}, 1), {}), ContractViolation);
}

}  // namespace
}  // namespace beadwork
