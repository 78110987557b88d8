#include <beadwork/search/run/ledger.hpp>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace beadwork::detail
