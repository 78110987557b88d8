#include <beadwork/base.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace beadwork {
namespace {

const std::vector<std::string> kOptions{"--depth", "--max-nodes", "--time-limit", "--threads", "--target", "-q"};

TEST(NearestWord, FindsWhatWasMeant) {
  EXPECT_EQ(nearest_word("--depht", kOptions), "--depth");  // a swap is one mistake
  EXPECT_EQ(nearest_word("--max-node", kOptions), "--max-nodes");
  EXPECT_EQ(nearest_word("--TIME-LIMIT", kOptions), "--time-limit");
  EXPECT_EQ(nearest_word("--timelimit", kOptions), "--time-limit");
  EXPECT_EQ(did_you_mean("--thread", kOptions), "; did you mean '--threads'?");
}

TEST(NearestWord, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest_word("--colour", kOptions), "");
  EXPECT_EQ(nearest_word("", kOptions), "");
  EXPECT_EQ(nearest_word("x", {"y"}), "");  // nothing in common
  EXPECT_EQ(nearest_word("depth", {}), "");
  EXPECT_EQ(did_you_mean("--colour", kOptions), "");
  EXPECT_EQ(did_you_mean("--depth", kOptions), "");
  EXPECT_EQ(nearest_word(std::string(1000, 'a'), {std::string(1000, 'a')}), "");  // nobody types that
}

TEST(NearestWord, TakesTheFirstOfTheNearest) {
  EXPECT_EQ(nearest_word("cat", {"cart", "cut", "bat"}), "cart");
  EXPECT_EQ(nearest_word("cut", {"cart", "cut"}), "cut");
}

TEST(NearestWord, ShowsNoControlCharacters) {
  EXPECT_EQ(did_you_mean("ab", {"ab\x1b"}), "; did you mean 'ab\\u{1b}'?");
}

// The same distance by its definition, without a table.
std::size_t edits(std::string_view x, std::string_view y) {
  if (x.empty() || y.empty()) return std::max(x.size(), y.size());
  const auto last = [](std::string_view s, std::size_t n) { return s.substr(0, s.size() - n); };
  std::size_t best = std::min({edits(last(x, 1), y) + 1, edits(x, last(y, 1)) + 1,
                               edits(last(x, 1), last(y, 1)) + (x.back() == y.back() ? 0 : 1)});
  if (x.size() > 1 && y.size() > 1 && x.back() == y[y.size() - 2] && x[x.size() - 2] == y.back())
    best = std::min(best, edits(last(x, 2), last(y, 2)) + 1);
  return best;
}

TEST(NearestWord, IsTheNearestByDefinition) {
  Rng rng(5);
  const auto word = [&] {
    std::string out;
    for (std::size_t n = 1 + rng.below(5); n > 0; --n) out += static_cast<char>('a' + rng.below(3));
    return out;
  };
  for (int round = 0; round < 400; ++round) {
    const std::string typed = word();
    std::vector<std::string> known(1 + rng.below(4));
    for (std::string& k : known) k = word();
    std::string expected;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const std::string& k : known) {
      const std::size_t d = edits(typed, k);
      if (d < least && d < typed.size() && d <= std::max<std::size_t>(1, typed.size() / 3)) least = d, expected = k;
    }
    EXPECT_EQ(nearest_word(typed, known), expected) << typed;
  }
}

TEST(LeftWords, AreRoughAndHonest) {
  EXPECT_EQ(left_words(0.5, 10), "about 10 seconds left");
  EXPECT_EQ(left_words(0.999, 10), "about a second left");
  EXPECT_EQ(left_words(1, 10), "about a second left");
  EXPECT_EQ(left_words(0.25, 60), "about 3 minutes left");
  EXPECT_EQ(left_words(0.01, 60), "about 99 minutes left");
  EXPECT_EQ(left_words(0.001, 60), "about 17 hours left");
  EXPECT_EQ(left_words(1e-5, 60), "about 69 days left");
  EXPECT_EQ(left_words(1e-7, 60), "about 19 years left");
  EXPECT_EQ(left_words(1e-9, 60), "no end in sight");
  EXPECT_EQ(left_words(0, 60), "no end in sight");
  EXPECT_EQ(left_words(-1, 60), "no end in sight");
}

}  // namespace
}  // namespace beadwork
