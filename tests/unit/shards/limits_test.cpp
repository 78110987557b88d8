// What bounds the time and the memory of a search over shards, and what is refused.
#include <beadwork/shards.hpp>
#include <beadwork/shards/tally.hpp>

#include <gtest/gtest.h>

#include <random>

namespace beadwork {
namespace {

// Rows by chance, of the class that the first feature tells.
Dataset first_feature_decides(std::size_t features, std::size_t rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Dataset::Parts p;
  for (std::size_t f = 0; f < features; ++f) {
    BitColumn column(words_for(rows));
    for (std::size_t r = 0; r < rows; ++r)
      if (random() % 2 == 1) set_bit(column, r);
    p.columns.push_back(std::move(column));
    p.feature_names.push_back("f" + std::to_string(f));
  }
  for (std::size_t r = 0; r < rows; ++r) p.labels.emplace_back(bit(p.columns[0], r) ? 1 : 0);
  p.class_names = {"no", "yes"};
  return Dataset(std::move(p));
}

Shards of_parts(const std::vector<Dataset>& parts) {
  return {parts.size(), [&parts](std::size_t i) -> Result<Dataset> { return parts[i]; }};
}

// All large sets make no error, and so do most of the 2^17 subsets of each: they are not gone through after the limit.
TEST(ShardLimits, TimeWhereManySubsetsAreAsGood) {
  std::vector<Dataset> parts;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) parts.push_back(first_feature_decides(24, 300, seed));
  SearchOptions options;
  options.depth = 17;
  Control control;
  control.deadline = Deadline::in(1);
  const auto outcome = search_shards(of_parts(parts), options, {}, control);
  ASSERT_TRUE(outcome);
  // A slow machine may have no time to know.
  EXPECT_EQ(outcome->status == SolveStatus::optimal ? outcome->error : 0, 0);
  EXPECT_FALSE(outcome->tie_canonical);
  EXPECT_LT(outcome->stats.seconds, 30);  // more than a minute where each is gone through
}

// The last pass opens no further part after an interrupt, and what was counted before it stays.
TEST(ShardLimits, InterruptInTheLastPass) {
  std::vector<Dataset> parts;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) parts.push_back(first_feature_decides(6, 40, seed));
  SearchOptions options;
  options.depth = 2;
  const auto undisturbed = search_shards(of_parts(parts), options, {}, {});
  ASSERT_TRUE(undisturbed);
  const std::size_t all = undisturbed->stats.opened;
  for (std::size_t when = all - 3; when <= all; ++when) {
    std::atomic<bool> stop = false;
    std::size_t calls = 0;
    Control control;
    control.interrupt = &stop;
    const Shards shards{4, [&](std::size_t i) -> Result<Dataset> {
                          if (++calls == when) stop = true;
                          return parts[i];
                        }};
    const auto outcome = search_shards(shards, options, {}, control);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(calls, when);
    EXPECT_NE(outcome->status, SolveStatus::unknown);
    EXPECT_EQ(outcome->error, 0);
  }
}

// Sets that were counted on a shard have seen it; the others have not.
TEST(ShardLimits, CountingStops) {
  const Dataset rows = first_feature_decides(6, 40, 1);
  const Condensed condensed = condense(rows);
  const detail::LocalFamilies families = detail::families_of(rows, condensed);
  detail::Tallies tallies(2, {});
  for (std::size_t f = 0; f < 6; ++f) tallies.add({Feature{f}});
  const std::atomic<bool> stop = true;
  Control stopped;
  stopped.interrupt = &stop;
  detail::SetCounter counter(condensed, families);
  tallies.count(0, counter, stopped);
  tallies.count(0, rows, stopped);
  EXPECT_TRUE(tallies.wants(0));
  EXPECT_TRUE(tallies.sets().begin()->second.counts.empty());
  tallies.count(0, counter, {});
  EXPECT_FALSE(tallies.wants(0));
}

// Fewest features among more subsets than there is room for: some good set, and it is said that it may not be the
// first.
TEST(ShardLimits, SubsetsThatAreTooMany) {
  const Dataset rows = first_feature_decides(12, 20, 1);
  FeatureSet all;
  for (std::size_t f = 0; f < 12; ++f) all.emplace_back(f);
  const std::map<FeatureSet, CellCounts> sets{{all, count_cells(rows, all)}};
  const auto whole = detail::first_of_fewest(sets, {}, 2, {}, 0, 1 << 12, {});
  EXPECT_TRUE(whole.settled);
  EXPECT_EQ(whole.features, FeatureSet{Feature{std::size_t{0}}});
  const auto cut = detail::first_of_fewest(sets, {}, 2, {}, 0, 20, {});
  EXPECT_FALSE(cut.settled);
  EXPECT_EQ(cut.counts, count_cells(rows, cut.features));
  EXPECT_EQ(cells_cost(cut.counts, 2, {}), 0);
}

Dataset heavy(std::int64_t weight) {
  Dataset::Parts p;
  p.columns = {{2}};
  p.feature_names = {"f"};
  p.labels = {Class{std::size_t{0}}, Class{std::size_t{1}}};
  p.weights = {weight, weight};
  p.class_names = {"no", "yes"};
  return Dataset(std::move(p));
}

// What a search of all rows refuses, because sums might overflow, is refused though each part alone would do.
TEST(ShardLimits, WeightsThatAreTooLargeTogether) {
  constexpr std::int64_t kMost = std::int64_t{1} << 56;
  SearchOptions options;
  options.depth = 1;
  for (const bool costs : {false, true}) {
    options.costs = costs ? std::vector<std::int64_t>{0, 1000, 1, 0} : std::vector<std::int64_t>{};
    const std::int64_t weight = costs ? kMost / 1500 : kMost / 3;
    const std::vector<Dataset> one{heavy(weight)}, two{heavy(weight), heavy(weight)};
    EXPECT_TRUE(search_shards(of_parts(one), options, {}, {}));
    for (const double seconds : {1e9, 0.0}) {
      Control control;
      control.deadline = Deadline::in(seconds);
      const auto outcome = search_shards(of_parts(two), options, {}, control);
      ASSERT_FALSE(outcome);
      EXPECT_NE(outcome.error().message.find("add up to more than 2^56"), std::string::npos);
      if (!costs) continue;  // such rows are no dataset
      const auto whole = prepare(condense(heavy(2 * weight)), options, {});
      ASSERT_FALSE(whole);
      EXPECT_EQ(outcome.error().message, whole.error().message);
    }
  }
}

// Merged rows may be none while rows were given.
TEST(ShardLimits, PartsWithoutRowsThatWereGivenSome) {
  Dataset::Parts none;
  none.columns.resize(6);
  for (std::size_t f = 0; f < 6; ++f) none.feature_names.push_back("f" + std::to_string(f));
  none.class_names = {"no", "yes"};
  none.given_rows = 3;
  const std::vector<Dataset> parts{Dataset(none), first_feature_decides(6, 40, 1)};
  const auto outcome = search_shards(of_parts(parts), {}, {}, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, SolveStatus::optimal);
  EXPECT_EQ(outcome->error, 0);
  EXPECT_EQ(outcome->num_rows, 43U);
}

}  // namespace
}  // namespace beadwork
