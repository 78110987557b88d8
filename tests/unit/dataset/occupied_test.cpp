#include "support/datasets.hpp"
#include "support/looks.hpp"
#include <beadwork/dataset.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using testing_support::Looks;
using testing_support::plain_dataset;

std::vector<Feature> first_features(std::size_t n) {
  std::vector<Feature> out;
  for (std::size_t f = 0; f < n; ++f) out.emplace_back(f);
  return out;
}

// From one cell with more rows than classes to many with fewer.
TEST(OccupiedCells, AreTheCountsWithoutTheirZeros) {
  Rng rng(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t classes = 1 + rng.below(40), features = rng.below(9);
    const Dataset d = plain_dataset(rng, 1 + rng.below(300), 9, classes);
    std::vector<Feature> order = first_features(features);
    std::reverse(order.begin(), order.end());
    std::vector<CellWeight> expected;
    const auto counts = count_cells(d, order);
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] != 0)
        expected.push_back(
            {static_cast<std::uint32_t>(i / classes), static_cast<std::uint32_t>(i % classes), counts[i]});
    EXPECT_EQ(occupied_cells(d, order), expected);
  }
}

TEST(OccupiedCells, EndAtALimit) {
  Rng rng(4);
  const Dataset d = plain_dataset(rng, 400000, 12, 3);
  const Looks all;
  ASSERT_TRUE(occupied_cells(d, first_features(12), all.never_stopping()));
  ASSERT_GT(all.made(), 1U);
  for (std::size_t at = 1; at <= all.made(); ++at) {
    const Looks looks;
    EXPECT_FALSE(occupied_cells(d, first_features(12), looks.stopping_at(at)));
    EXPECT_EQ(looks.made(), at);
  }
  const Looks looks;  // what takes no time is done in any case
  EXPECT_TRUE(occupied_cells(plain_dataset(rng, 500, 12, 3), first_features(12), looks.stopping_at(1)));
}

}  // namespace
}  // namespace beadwork
