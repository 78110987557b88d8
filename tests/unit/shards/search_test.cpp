#include <beadwork/shards.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <tuple>

namespace beadwork {
namespace {

using Random = std::mt19937_64;

std::size_t up_to(Random& random, std::size_t most) {
  return std::uniform_int_distribution<std::size_t>(0, most)(random);
}

// Rows in parts: in each part some columns are constant, copies or opposites of others, which is not so in the whole.
struct Parted {
  std::vector<Dataset> parts;
  std::vector<std::int64_t> costs;
  std::size_t features = 0, classes = 0;
  Shards shards() const {
    return {parts.size(), [this](std::size_t i) -> Result<Dataset> { return parts[i]; }};
  }
};

Dataset random_part(Random& random, std::size_t features, std::size_t classes, bool weighted, std::size_t rows) {
  Dataset::Parts p;
  for (std::size_t f = 0; f < features; ++f) {
    BitColumn column(words_for(rows));
    const std::size_t kind = up_to(random, 9);
    const std::size_t of = up_to(random, f == 0 ? 0 : f - 1);
    const bool flip = up_to(random, 1) == 1;
    const std::size_t rare = up_to(random, 3);
    for (std::size_t r = 0; r < rows; ++r) {
      const bool value = kind == 0            ? flip
                         : kind == 1 && f > 0 ? bit(p.columns[of], r) != flip
                                              : up_to(random, 1 + rare) == 0;
      if (value) set_bit(column, r);
    }
    p.columns.push_back(std::move(column));
    p.feature_names.push_back("f" + std::to_string(f));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t noise = up_to(random, 3);
    std::size_t label = noise == 0 ? up_to(random, classes - 1) : 0;
    for (std::size_t f = 0; noise != 0 && f < std::min<std::size_t>(3, features); ++f)
      label += bit(p.columns[f], r) ? f + 1 : 0;
    p.labels.emplace_back(label % classes);
    if (weighted) p.weights.push_back(static_cast<std::int64_t>(up_to(random, 5)));
  }
  for (std::size_t k = 0; k < classes; ++k) p.class_names.push_back("c" + std::to_string(k));
  return Dataset(std::move(p));
}

Parted random_parts(Random& random) {
  Parted out;
  out.features = 1 + up_to(random, 7);
  out.classes = 2 + (up_to(random, 3) == 0 ? 1 + up_to(random, 1) : 0);
  const bool weighted = up_to(random, 2) == 0;
  const std::size_t parts = 1 + up_to(random, 5);
  const std::size_t most = up_to(random, 1) == 0 ? 8 : 60;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    out.parts.push_back(random_part(random, out.features, out.classes, weighted, up_to(random, most)));
    rows += out.parts.back().num_rows();
  }
  if (rows == 0) out.parts.push_back(random_part(random, out.features, out.classes, weighted, 5));
  if (up_to(random, 3) == 0)
    for (std::size_t i = 0; i < out.classes * out.classes; ++i)
      out.costs.push_back(i / out.classes == i % out.classes ? 0 : static_cast<std::int64_t>(up_to(random, 4)));
  return out;
}

std::int64_t cost(const Parted& data, const std::vector<Feature>& set) {
  std::vector<std::int64_t> counts(data.classes << set.size());
  for (const Dataset& part : data.parts)
    for (std::size_t r = 0; r < part.num_rows(); ++r) {
      std::size_t cell = 0;
      for (const Feature f : set) cell = 2 * cell + (part.value(f, Row{r}) ? 1 : 0);
      counts[cell * data.classes + part.label(Row{r})()] += part.weight(Row{r});
    }
  std::int64_t sum = 0;
  for (std::size_t from = 0; from < counts.size(); from += data.classes) {
    std::int64_t least = INT64_MAX;
    for (std::size_t answer = 0; answer < data.classes; ++answer) {
      std::int64_t here = 0;
      for (std::size_t k = 0; k < data.classes; ++k)
        here += counts[from + k] * (data.costs.empty() ? (k == answer ? 0 : 1) : data.costs[k * data.classes + answer]);
      least = std::min(least, here);
    }
    sum += least;
  }
  return sum;
}

// The least cost, then the fewest features, then the first list, of all sets.
std::tuple<std::int64_t, std::size_t, std::vector<Feature>> brute_force(const Parted& data,
                                                                        const SearchOptions& options) {
  std::tuple<std::int64_t, std::size_t, std::vector<Feature>> best{INT64_MAX, 0, {}};
  for (std::size_t mask = 0; mask < std::size_t{1} << data.features; ++mask) {
    if (static_cast<std::size_t>(std::popcount(mask)) > options.depth) continue;
    std::vector<Feature> set;
    for (std::size_t f = 0; f < data.features; ++f)
      if (mask >> f & 1) set.emplace_back(f);
    const auto in = [&](Feature f) { return std::find(set.begin(), set.end(), f) != set.end(); };
    if (!std::all_of(options.require.begin(), options.require.end(), in)) continue;
    if (std::any_of(options.forbid.begin(), options.forbid.end(), in)) continue;
    best = std::min(best, std::tuple(cost(data, set), set.size(), set));
  }
  return best;
}

SearchOptions random_options(Random& random, const Parted& data) {
  SearchOptions o;
  o.depth = up_to(random, 4);
  o.costs = data.costs;
  for (std::size_t f = 0; f < data.features; ++f) {
    const std::size_t kind = up_to(random, 11);
    if (kind == 0 && o.require.size() < o.depth) o.require.emplace_back(f);
    if (kind == 1) o.forbid.emplace_back(f);
  }
  return o;
}

SearchOptions at_depth(std::size_t depth) {
  SearchOptions o;
  o.depth = depth;
  return o;
}

std::string shown(const std::vector<Feature>& set) {
  std::string out;
  for (const Feature f : set) out += std::to_string(f()) + " ";
  return out;
}

TEST(Shards, AnswerOfTheWholeOnRandomParts) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const Parted data = random_parts(random);
    const SearchOptions options = random_options(random, data);
    const auto [error, size, set] = brute_force(data, options);
    const auto outcome = search_shards(data.shards(), options, {}, {});
    ASSERT_TRUE(outcome) << seed << ": " << outcome.error().message;
    EXPECT_EQ(outcome->status, SolveStatus::optimal) << seed;
    EXPECT_TRUE(outcome->tie_canonical) << seed;
    EXPECT_EQ(outcome->error, error) << seed;
    EXPECT_EQ(outcome->lower_bound, error) << seed;
    EXPECT_EQ(shown(outcome->features), shown(set)) << seed;
    EXPECT_LE(outcome->stats.passes, 5U) << seed;
  }
}

// Bounds hold and claims are true however few sets may be kept.
TEST(Shards, BoundsWhereListsAreTooLong) {
  std::size_t unproven = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    Random random(seed);
    const Parted data = random_parts(random);
    const SearchOptions options = random_options(random, data);
    const auto [error, size, set] = brute_force(data, options);
    const auto outcome = search_shards(data.shards(), options, {.most_sets = up_to(random, 6)}, {});
    ASSERT_TRUE(outcome);
    EXPECT_LE(outcome->lower_bound, error) << seed;
    EXPECT_GE(outcome->error, error) << seed;
    EXPECT_EQ(outcome->error, cost(data, outcome->features)) << seed;
    EXPECT_EQ(outcome->status == SolveStatus::optimal, outcome->lower_bound == outcome->error) << seed;
    EXPECT_TRUE(!outcome->tie_canonical || outcome->features == set) << seed;
    unproven += outcome->status != SolveStatus::optimal ? 1 : 0;
  }
  EXPECT_GT(unproven, 5U);
}

TEST(Shards, RowsInAnyOrderAndAnyParts) {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    Parted data = random_parts(random);
    const SearchOptions options = random_options(random, data);
    const auto first = search_shards(data.shards(), options, {}, {});
    std::reverse(data.parts.begin(), data.parts.end());
    for (Dataset& part : data.parts) {
      std::vector<Row> rows;
      for (std::size_t r = part.num_rows(); r-- > 0;) rows.emplace_back(r);
      part = part.subset(rows);
    }
    const auto second = search_shards(data.shards(), options, {}, {});
    EXPECT_EQ(first->features, second->features);
    EXPECT_EQ(first->error, second->error);
  }
}

TEST(Shards, HashOfAllRows) {
  Random random(3);
  const Dataset whole = random_part(random, 5, 2, true, 40);
  Parted data{{}, {}, 5, 2};
  for (const auto& [from, to] : {std::pair(0, 17), std::pair(17, 18), std::pair(18, 40)}) {
    std::vector<Row> rows;
    for (int r = from; r < to; ++r) rows.emplace_back(static_cast<std::size_t>(r));
    data.parts.push_back(whole.subset(rows));
  }
  const auto outcome = search_shards(data.shards(), at_depth(2), {.hash = true}, {});
  EXPECT_EQ(outcome->sha256, rows_sha256(whole));
  EXPECT_EQ(outcome->num_rows, 40U);
}

TEST(Shards, ChangedRowsAreRefused) {
  Random random(5);
  std::size_t calls = 0;
  const Dataset first = random_part(random, 4, 2, false, 30), second = random_part(random, 4, 2, false, 30);
  const Shards shards{1, [&](std::size_t) -> Result<Dataset> { return ++calls == 1 ? first : second; }};
  const auto outcome = search_shards(shards, at_depth(2), {}, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "shard 1 changed while it was being learnt from");
}

TEST(Shards, LimitsLeaveBounds) {
  Random random(11);
  Parted data{{}, {}, 8, 2};
  for (int i = 0; i < 4; ++i) data.parts.push_back(random_part(random, 8, 2, false, 50));
  Control control;
  control.deadline = Deadline::in(0);
  const auto outcome = search_shards(data.shards(), at_depth(3), {}, control);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->error, cost(data, outcome->features));
  EXPECT_LE(outcome->lower_bound, std::get<0>(brute_force(data, at_depth(3))));
}

// An interrupt at any moment: nothing, or bounds that hold.
TEST(Shards, Interrupts) {
  Random random(13);
  Parted data{{}, {}, 8, 2};
  for (int i = 0; i < 4; ++i) data.parts.push_back(random_part(random, 8, 2, false, 50));
  const std::int64_t least = std::get<0>(brute_force(data, at_depth(3)));
  for (std::size_t when = 1; when < 25; ++when) {
    std::atomic<bool> stop = false;
    std::size_t calls = 0;
    Control control;
    control.interrupt = &stop;
    const Shards shards{4, [&](std::size_t i) -> Result<Dataset> {
                          if (++calls == when) stop = true;
                          return data.parts[i];
                        }};
    const auto outcome = search_shards(shards, at_depth(3), {}, control);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_LE(outcome->lower_bound, least);
    EXPECT_TRUE(outcome->status == SolveStatus::unknown || outcome->error == cost(data, outcome->features));
    EXPECT_EQ(outcome->status == SolveStatus::unknown, when < 4) << when;
  }
}

}  // namespace
}  // namespace beadwork
