#include "support/processor_time.hpp"
#include <beadwork/search/run/ledger.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>

namespace beadwork::detail {
namespace {

// Counts sets of k among n by hand: which lie below done positions?
TEST(Ledger, TheShareCountsSets) {
  constexpr std::uint32_t n = 7;
  for (std::size_t k = 1; k <= 4; ++k) {
    Ledger ledger(std::vector<std::int64_t>(n, 0), 2);
    EXPECT_EQ(ledger.share(k), 0);
    ledger.finish(std::array{1U});
    if (k >= 2) {
      ASSERT_TRUE(ledger.open(std::array{0U}, std::vector<std::int64_t>(n, 0)));
      for (const std::uint32_t u : {1U, 2U}) ledger.finish(std::array{0U, u});
    }
    int done = 0;
    int all = 0;
    for (unsigned set = 0; set < 1U << n; ++set) {
      if (std::popcount(set) != static_cast<int>(k)) continue;
      ++all;
      const auto first = static_cast<unsigned>(std::countr_zero(set));
      const auto second = static_cast<unsigned>(std::countr_zero(set & (set - 1)));
      done += first == 1 || (k >= 2 && first == 0 && second <= 2) ? 1 : 0;
    }
    EXPECT_NEAR(ledger.share(k), static_cast<double>(done) / all, 1e-12) << k;
    ledger.finish_from(0);
    EXPECT_NEAR(ledger.share(k), 1, 1e-12);
  }
}

// Ranges of up to three positions go in and come out, whatever their number, and divide no more than they must.
TEST(Ledger, RangesGoInAndComeOut) {
  Rng rng(4);
  for (int round = 0; round < 500; ++round) {
    const auto n = static_cast<std::uint32_t>(2 + rng.below(9));
    std::vector<std::vector<std::uint32_t>> places;
    for (std::size_t k = 0; k < 2 * (1 + rng.below(6)); ++k) {
      std::vector<std::uint32_t> place;
      for (std::uint32_t at = 0; place.size() < 3 && at < n && (place.empty() || rng.below(3) > 0);) {
        place.push_back(at + static_cast<std::uint32_t>(rng.below(n - at)));
        at = place.back() + 1;
      }
      places.push_back(canonical_place(place, n, false));
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<SearchRange> ranges;
    for (std::size_t k = 0; k + 1 < places.size(); k += 2) ranges.push_back({places[k], places[k + 1]});
    if (rng.below(2) == 0 && places.size() % 2 == 1) ranges.push_back({places.back(), {}});
    const auto whole = united(ranges);
    ASSERT_TRUE(whole);
    Ledger ledger(std::vector<std::int64_t>(n, 0), 3);
    ledger.resume(ranges);
    EXPECT_EQ(ledger.ranges(), *whole);
    Ledger again(std::vector<std::int64_t>(n, 0), 3);
    std::vector<SearchRange> shuffled = ranges;
    rng.shuffle(std::span(shuffled));
    again.resume(shuffled);
    EXPECT_EQ(again.ranges(), *whole);
    Ledger coarse(std::vector<std::int64_t>(n, 0), 1);  // rounds: what it calls done is done
    coarse.resume(ranges);
    for (std::uint32_t t = 0; t < n; ++t)
      if (coarse.done(t)) {
        EXPECT_TRUE(ledger.done(t));
      }
  }
}

// Ten thousand ranges of a thousand positions: in time, not in their product.
TEST(Ledger, ManyRangesAreQuick) {
  constexpr std::uint32_t n = 1000;
  std::vector<SearchRange> ranges;
  for (std::uint32_t t = 0; t < 100; ++t)
    for (std::uint32_t u = 0; u < 100; ++u) ranges.push_back({{t, t + 2 + 4 * u}, {t, t + 4 + 4 * u}});
  const testing_support::ProcessorTime clock;
  for (int i = 0; i < 20; ++i) {
    Ledger ledger(std::vector<std::int64_t>(n, 0), 3);
    ledger.resume(ranges);
    EXPECT_EQ(ledger.ranges().size(), ranges.size());
  }
  EXPECT_LT(clock.seconds(), 20.0);  // some milliseconds each
}

}  // namespace
}  // namespace beadwork::detail
