#include "support/datasets.hpp"
#include <beadwork/dataset.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace beadwork {
namespace {

using namespace testing_support;

void expect_scaled(const std::vector<double>& given, const std::vector<std::int64_t>& weights, std::int64_t scale) {
  const auto s = scale_weights(given);
  ASSERT_TRUE(s) << s.error().to_string();
  EXPECT_EQ(s->weights, weights);
  EXPECT_EQ(s->scale, scale);
}

TEST(ScaleWeights, MakesWeightsWhole) {
  expect_scaled({1, 2, 0}, {1, 2, 0}, 1);
  expect_scaled({2, 4}, {2, 4}, 1);
  expect_scaled({0.1, 0.2}, {1, 2}, 10);
  expect_scaled({0.5, 0.25}, {2, 1}, 4);
  expect_scaled({0.1, 0.25}, {2, 5}, 20);
  expect_scaled({1e-9}, {1}, 1000000000);
  expect_scaled({0x1p-40, 1}, {1, std::int64_t{1} << 40}, std::int64_t{1} << 40);  // no power of ten does
  expect_scaled({0x1p56}, {std::int64_t{1} << 56}, 1);
  expect_scaled({}, {}, 1);
}

TEST(ScaleWeights, RefusesWhatItCannotScale) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& bad : std::initializer_list<std::vector<double>>{{1.0 / 3},
                                                                                   {1, -1},
                                                                                   {nan},
                                                                                   {infinity},
                                                                                   {0, 0},
                                                                                   {1e300},
                                                                                   {0x1p55, 0x1p55, 1},
                                                                                   {0x1p56, 0x1p-1},
                                                                                   {5e-324},
                                                                                   {1e-300, 1},
                                                                                   {1e10, 1.0 / 3}})
    EXPECT_FALSE(scale_weights(bad)) << bad[0];
  EXPECT_NE(scale_weights(std::vector{1.0, -2.5}).error().message.find("row 2"), std::string::npos);
}

TEST(ScaleWeights, GivesBackEveryDecimal) {
  Rng rng(1);
  for (int round = 0; round < 2000; ++round) {
    const int digits = static_cast<int>(rng.below(10));
    std::vector<double> given;
    for (int i = 0; i < 4; ++i) given.push_back(static_cast<double>(1 + rng.below(1000000)) / std::pow(10.0, digits));
    const auto s = scale_weights(given);
    ASSERT_TRUE(s);
    for (std::size_t i = 0; i < 4; ++i)
      ASSERT_EQ(static_cast<double>(s->weights[i]) / static_cast<double>(s->scale), given[i]);
  }
}

// Also where the double of one weight is nearer to another decimal, of as many places as its neighbour has.
TEST(ScaleWeights, ReadsWhatWasWrittenBesideOtherDecimals) {
  expect_scaled({83756870731.1, 0.74946}, {4187843536555000, 37473}, 50000);
  Rng rng(2);
  for (int round = 0; round < 20000; ++round) {
    // Two decimals of at most 15 digits, as whole numbers of the units 10^-places.
    std::array<std::int64_t, 2> written{};
    std::array<int, 2> places{};
    std::vector<double> given;
    for (std::size_t i = 0; i < 2; ++i) {
      places[i] = static_cast<int>(rng.below(10));
      std::int64_t most = 10;
      for (std::uint64_t digits = rng.below(15); digits > 0; --digits) most *= 10;
      written[i] = 1 + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(most - 1)));
      const std::string text = std::to_string(written[i]) + "e-" + std::to_string(places[i]);
      given.push_back(std::stod(text));
    }
    const auto s = scale_weights(given);
    if (!s) continue;  // too large together
    WeightScale scale{s->scale, 0};
    for (std::size_t i = 0; i < 2; ++i) {
      __extension__ using Wide = __int128;
      Wide unit = 1;
      for (int p = 0; p < places[i]; ++p) unit *= 10;
      ASSERT_TRUE(Wide{s->weights[i]} * unit == Wide{written[i]} * s->scale) << given[0] << " " << given[1];
      ASSERT_EQ(scale.of(given[i]), s->weights[i]);
    }
  }
}

TEST(RoundWeights, KeepsWhatIsExactAndStatesTheRest) {
  for (const std::vector<double>& exact :
       std::initializer_list<std::vector<double>>{{1, 2, 0}, {0.1, 0.25}, {0x1p40, 1}}) {
    const auto s = round_weights(exact);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->weights, scale_weights(exact)->weights);
    EXPECT_EQ(s->rounding, 0);
  }
  Rng rng(2);
  for (int round = 0; round < 65; ++round) {
    std::vector<double> given;
    for (int i = 0; i < 50; ++i)
      given.push_back(static_cast<double>(1 + rng.below(1000000)) / 3e5 * std::pow(2.0, round - 20));
    const auto s = round_weights(given);
    ASSERT_TRUE(s) << round;
    long double off = 0;
    for (std::size_t i = 0; i < given.size(); ++i)
      off += std::abs(static_cast<long double>(given[i]) * static_cast<long double>(s->scale) -
                      static_cast<long double>(s->weights[i]));
    EXPECT_GT(s->rounding, 0);
    EXPECT_LE(off, static_cast<long double>(s->rounding));
    EXPECT_LE(s->rounding, 26);
  }
}

TEST(RoundWeights, RefusesWhatNoEngineCounts) {
  for (const std::vector<double>& bad :
       std::initializer_list<std::vector<double>>{{0x1p56, 1}, {0x1p61}, {1e300}, {1e-300, 1e-301}, {0, 0}, {-1}})
    EXPECT_FALSE(round_weights(bad)) << bad[0];
}

}  // namespace
}  // namespace beadwork
