#include "support/datasets.hpp"
#include <beadwork/dataset.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace testing_support;

TEST(CheckedTotal, StopsAtTheLimitAndNotBefore) {
  CheckedTotal total;
  EXPECT_TRUE(total.add(kMostTotal - 1));
  EXPECT_FALSE(total.add(1, 2));
  EXPECT_TRUE(total.add(1));
  EXPECT_EQ(total.value(), kMostTotal);
  EXPECT_FALSE(total.add(1));
  EXPECT_FALSE(total.add(INT64_MAX, INT64_MAX));
  EXPECT_FALSE(total.add(INT64_MAX));
  EXPECT_TRUE(total.add(0, INT64_MAX));
}

TEST(CheckedProduct, StaysBelowTwoToThe62) {
  EXPECT_EQ(checked_product(std::int64_t{1} << 30, std::int64_t{1} << 31), std::int64_t{1} << 61);
  EXPECT_FALSE(checked_product(std::int64_t{1} << 31, std::int64_t{1} << 31));
  EXPECT_FALSE(checked_product(std::int64_t{1} << 40, std::int64_t{1} << 40));
}

TEST(Prices, TheSumOverClassesIsChecked) {
  const std::vector<std::int64_t> weights{kMostTotal / 4, kMostTotal / 4};
  EXPECT_EQ(*worst_total(weights, {}), kMostTotal / 2);
  EXPECT_EQ(*worst_total(weights, {0, 3, 1, 0}), kMostTotal);
  const auto more = worst_total(weights, {0, 3, 2, 0});
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().where, "costs");
  EXPECT_EQ(*worst_total(std::vector{kMostTotal}, {}), 0);  // one class: no errors
}

TEST(Prices, ScalesAreMultipliedChecked) {
  const auto fine = prices_of({{70, 30}, 10, 3}, {0, 0.25, 1.5, 0});
  ASSERT_TRUE(fine) << fine.error().to_string();
  EXPECT_EQ(fine->costs, (std::vector<std::int64_t>{0, 1, 6, 0}));
  EXPECT_EQ(fine->scale, 4);
  EXPECT_EQ(fine->units, 40);
  EXPECT_EQ(fine->rounding, 18);
  // Weights of about 10^-8, rounded at 2^56, and a cost of a millionth.
  const auto tiny = prices_of({{1 << 29, 1 << 29}, std::int64_t{1} << 56, 2}, {0, 0.000001, 1, 0});
  ASSERT_FALSE(tiny);
  EXPECT_EQ(tiny.error().where, "costs");
  EXPECT_FALSE(prices_of({{std::int64_t{1} << 40, 1}, 1, std::int64_t{1} << 50}, {0, 1, 1 << 15, 0}));
  EXPECT_TRUE(prices_of({{1, 1}, 1, 0}, {}));
}

TEST(ExactPrice, InLowestTermsOrNothing) {
  const auto expect_fraction = [](double price, std::int64_t units, std::int64_t numerator, std::int64_t denominator) {
    const auto fraction = exact_price(price, units);
    ASSERT_TRUE(fraction) << price;
    EXPECT_EQ(fraction->numerator, numerator);
    EXPECT_EQ(fraction->denominator, denominator);
  };
  expect_fraction(0.5, 1, 1, 2);
  expect_fraction(0.3, 10, 3, 1);
  expect_fraction(1000.000001, 1, 1000000001, 1000000);
  expect_fraction(0.000001, 1000, 1, 1000);
  expect_fraction(1e9, std::int64_t{1} << 60, kMostTotal + 1, 1);  // dearer than all rows
  EXPECT_FALSE(exact_price(1e-12, 1));
  EXPECT_FALSE(exact_price(9007199.000000001, (std::int64_t{1} << 30) + 1));
}

// In arithmetic of 128 bits, of decimals with nine digits.
TEST(WholeUnits, RoundsDownExactly) {
  __extension__ using Wide = __int128;
  EXPECT_EQ(whole_units(0.3, 10), 3);
  EXPECT_EQ(whole_units(0, 10), 0);
  EXPECT_EQ(whole_units(2.5, 1), 2);
  EXPECT_EQ(whole_units(50, 7, 3, 100), 10);
  EXPECT_EQ(whole_units(1e300, 1), kEverything);
  EXPECT_EQ(whole_units(1e15, 1 << 30, 1 << 30), kEverything);
  Rng rng(5);
  for (int round = 0; round < 2000; ++round) {
    const auto n = static_cast<std::int64_t>(1 + rng.below(999'999'999'999'999));
    const std::int64_t denominators[] = {1, 10, 1000, 1'000'000, 1'000'000'000};
    const std::int64_t d = denominators[rng.below(5)];
    const auto scale = static_cast<std::int64_t>(1 + rng.below(1U << 20));
    const double amount = static_cast<double>(n) / static_cast<double>(d);
    const Wide exact = Wide{n} * scale / d;
    EXPECT_EQ(whole_units(amount, scale), exact > kEverything ? kEverything : static_cast<std::int64_t>(exact));
  }
}

TEST(ClassTotals, OfBitsAndOfRanks) {
  const Dataset d = dataset_of({{"01", 1, 3}, {"10", 0, 4}, {"11", 1, 5}}, 2);
  EXPECT_EQ(class_totals(d).weights, (std::vector<std::int64_t>{4, 8}));
  RankedData ranked;
  ranked.class_names = {"a", "b"};
  ranked.labels = {Class{1}, Class{0}, Class{1}};
  EXPECT_EQ(class_totals(ranked).weights, (std::vector<std::int64_t>{1, 2}));
}

}  // namespace
}  // namespace beadwork
