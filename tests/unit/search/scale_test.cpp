// Coarser units: what they promise, and when a search in them gives up.
#include "unit/search/tables.hpp"
#include <beadwork/search/tree/scaled.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace test;
using namespace detail;

Problem problem_of(const Dataset& d) {
  auto p = make_problem(std::make_shared<const Condensed>(condense(d)), {}, {});
  return *std::move(p);
}

Dataset heavy(Rng& rng, std::size_t rows, std::int64_t unit = 1) {
  TableShape shape;
  shape.rows = rows;
  shape.features = 8;
  shape.max_weight = std::int64_t{1} << 40;
  shape.unit = unit;
  shape.skewed = rng.below(2) == 0;
  return random_table(rng, shape);
}

TEST(Scale, LightRowsStayAsTheyAre) {
  Rng rng(1);
  TableShape shape;
  shape.max_weight = 40;
  const auto scales = scales_for(problem_of(random_table(rng, shape)));
  ASSERT_EQ(scales.size(), 1u);
  EXPECT_EQ(scales[0].unit, 1);
  EXPECT_TRUE(scales[0].exact);
}

TEST(Scale, ACommonDivisorIsExact) {
  Rng rng(2);
  const Problem p = problem_of(heavy(rng, 30, 1000));
  const auto scales = scales_for(p);
  ASSERT_GE(scales.size(), 2u);
  EXPECT_EQ(scales.back().unit % 1000, 0);
  EXPECT_TRUE(scales.back().exact);
  const Problem coarse = scaled(p, scales.back());
  for (std::uint32_t f = 0; f < p.candidates.size(); ++f)
    EXPECT_EQ(scales.back().fine(evaluate(coarse, std::array{f})), evaluate(p, std::array{f}));
}

TEST(Scale, ACoarseErrorIsABound) {
  Rng rng(3);
  for (int table = 0; table < 200; ++table) {
    const Problem p = problem_of(heavy(rng, 2 + rng.below(60)));
    for (const Scale& scale : scales_for(p)) {
      const Problem coarse = scale.unit == 1 ? p : scaled(p, scale);
      for (std::uint32_t f = 1; f < p.candidates.size(); ++f) {
        const std::array set{f - 1, f};
        const std::int64_t error = evaluate(p, set), e = evaluate(coarse, set);
        EXPECT_LE(scale.fine(e), error);
        EXPECT_LT(e, scale.coarse(error + 1));  // a search for sets as good sees it
        EXPECT_TRUE(!scale.exact || scale.fine(e) == error);
      }
    }
  }
}

TEST(Scale, NothingIsBelowTheBase) {
  const Scale scale{10, 7, false};
  EXPECT_EQ(scale.coarse(7), 0);
  EXPECT_EQ(scale.coarse(8), 1);
  EXPECT_EQ(scale.coarse(17), 1);
  EXPECT_EQ(scale.coarse(18), 2);
  EXPECT_EQ(scale.fine(1), 17);
  EXPECT_EQ(scale.coarse(INT64_MAX), INT64_MAX);
  EXPECT_EQ(scale.fine(INT64_MAX), INT64_MAX);
}

TEST(Scaled, EvaluatesWhatComesAndTires) {
  Rng rng(4);
  const Problem p = problem_of(heavy(rng, 400));
  ASSERT_GE(p.candidates.size(), 2u);
  const Scale scale = scales_for(p).front();
  ASSERT_FALSE(scale.exact);
  Incumbent best(0);
  Scaled between(best, p, scale, 1);
  const std::uint32_t good = evaluate(p, std::array{0u}) <= evaluate(p, std::array{1u}) ? 0 : 1;
  between.offer({good}, 0);
  EXPECT_EQ(best.error(), evaluate(p, std::array{good}));
  EXPECT_EQ(between.limit(), scale.coarse(best.error()));
  EXPECT_FALSE(between.best_only());
  EXPECT_FALSE(between.gives_up());
  const std::uint64_t steps = p.num_rows * 3;
  for (std::uint64_t i = 0; i < 100'000'000 / steps + 2; ++i) between.offer({1 - good}, 0);
  EXPECT_TRUE(between.gives_up());
  EXPECT_EQ(best.set(), Candidates{good});
}

// Rows so light that no lane sees them decide among many sets that get all heavy rows right.
Dataset heavy_and_light(std::int64_t heavy_weight) {
  Rng rng(5);
  constexpr std::size_t kIdle = 100, kHeavy = 80, kLight = 50;
  Dataset::Parts parts;
  parts.class_names = {"a", "b"};
  parts.columns.assign(2 + kIdle, BitColumn(words_for(kHeavy + kLight)));
  for (std::size_t f = 0; f < parts.columns.size(); ++f) parts.feature_names.push_back(fmt::format("f{}", f));
  for (std::size_t r = 0; r < kHeavy + kLight; ++r) {
    const bool x = rng.below(2) == 0, y = rng.below(2) == 0;
    if (x) set_bit(parts.columns[0], r);
    if (y) set_bit(parts.columns[1], r);
    for (std::size_t f = 2; f < parts.columns.size(); ++f)
      if (rng.below(2) == 0) set_bit(parts.columns[f], r);
    parts.labels.emplace_back(r < kHeavy ? x != y : rng.below(2) == 0 ? 1u : 0u);
    parts.weights.push_back(r < kHeavy ? heavy_weight : 1);
  }
  return Dataset(std::move(parts));
}

// The coarse searches give up, and the exact one goes on where they were.
TEST(Scaled, ATiredSearchIsTakenUp) {
  SearchOptions o;
  o.depth = 5;
  const auto expected = search(condense(heavy_and_light(60)), o, {});
  for (const unsigned threads : {1u, 2u}) {
    o.threads = threads;
    const auto got = search(condense(heavy_and_light(1'000'000'000'000)), o, {});
    ASSERT_TRUE(got && expected);
    EXPECT_EQ(got->status, SolveStatus::optimal);
    EXPECT_EQ(got->error, expected->error);
    EXPECT_EQ(got->lower_bound, expected->error);
    EXPECT_EQ(got->features, expected->features);
    EXPECT_EQ(got->tie_canonical, expected->tie_canonical);
  }
}

}  // namespace
}  // namespace beadwork
