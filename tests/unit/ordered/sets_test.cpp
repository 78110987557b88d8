// The sets that a judge wants, against every set of a Binarizer's thresholds. BEADWORK_ORDERED_TABLES multiplies the
// number of tables.

#include "unit/ordered/tables.hpp"

#include <set>

namespace beadwork {
namespace {

using namespace test;

// What tells sets apart: the costs of their cells beyond the cheapest answer, in any order.
using Signature = std::multiset<std::vector<std::int64_t>>;
Signature signature(std::span<const std::int64_t> costs, std::size_t k) {
  Signature out;
  for (std::size_t first = 0; first < costs.size(); first += k) {
    std::vector<std::int64_t> cell(costs.begin() + static_cast<std::ptrdiff_t>(first),
                                   costs.begin() + static_cast<std::ptrdiff_t>(first + k));
    const std::int64_t least = *std::min_element(cell.begin(), cell.end());
    for (std::int64_t& c : cell) c -= least;
    out.insert(cell);
  }
  return out;
}

// Wants sets of at most so many errors, or those that are better than what it has.
struct ByError final : CellJudge {
  ByError(std::size_t classes, std::int64_t t, bool f) : k(classes), limit(t), falling(f) {}
  std::int64_t errors(std::span<const std::int64_t> costs) const {
    std::int64_t sum = 0;
    for (auto cell = costs.begin(); cell != costs.end(); cell += static_cast<std::ptrdiff_t>(k))
      sum += *std::min_element(cell, cell + static_cast<std::ptrdiff_t>(k));
    return sum;
  }
  std::int64_t distance(std::span<const std::int64_t> costs) override { return errors(costs) - limit; }
  void take(const std::vector<Cut>& cuts, std::span<const std::int64_t> costs) override {
    if (falling) limit = errors(costs) - 1;
    taken.insert(signature(costs, k));
    sets.push_back(cuts);
  }
  const std::size_t k;
  std::int64_t limit;
  const bool falling;
  std::set<Signature> taken;
  std::vector<std::vector<Cut>> sets;
};

struct AllSets {
  const RankedData& data;
  const OrderedOptions& options;
  std::vector<Cut> cuts;  // allowed ones, each copy once
  std::vector<std::vector<Cut>> sets = {};

  void extend(std::vector<Cut>& set, std::size_t from, std::size_t size) {
    if (set.size() == size) return sets.push_back(set);
    for (std::size_t i = from; i < cuts.size(); ++i) {
      set.push_back(cuts[i]);
      extend(set, i + 1, size);
      set.pop_back();
    }
  }
};

void compare(const RankedData& data, const OrderedOptions& options, const AllSets& all, std::size_t size,
             std::int64_t within) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (const auto& set : all.sets) best = std::min(best, *cuts_error(data, options, set));
  const auto sets = OrderedSets::make(data, options, {});
  ASSERT_TRUE(sets && sets->complete());
  EXPECT_EQ(sets->num_distinct(), all.cuts.size());
  ByError least(data.num_classes(), std::numeric_limits<std::int64_t>::max() / 4, true);
  ASSERT_TRUE(sets->visit(size, least, {}));
  if (all.sets.empty()) {
    EXPECT_TRUE(least.sets.empty());
    return;
  }
  EXPECT_EQ(sets->base() + least.limit + 1, best);
  EXPECT_EQ(*cuts_error(data, options, least.sets.back()), best);
  ByError near(data.num_classes(), best + within - sets->base(), false);
  ASSERT_TRUE(sets->visit(size, near, {}));
  for (const auto& set : all.sets) {
    const bool wanted = *cuts_error(data, options, set) <= best + within;
    EXPECT_TRUE(!wanted || near.taken.contains(signature(cells_of(data, options, set), data.num_classes())));
  }
  for (const auto& set : near.sets) {
    EXPECT_TRUE(std::find(all.sets.begin(), all.sets.end(), set) != all.sets.end());
    EXPECT_LE(*cuts_error(data, options, set), best + within);
    EXPECT_EQ(without_copies(data, set), set);
  }
}

TEST(OrderedSets, VisitsWhatTheJudgeWants) {
  Rng rng(31);
  for (std::size_t round = 0; round < tables(1500) && !testing::Test::HasFailure(); ++round) {
    Shape shape = random_shape(rng);
    shape.max_weight = std::min<std::int64_t>(shape.max_weight, 50);
    const RankedData data = *rank(random_table(rng, shape));
    OrderedOptions options = random_options(rng, data);
    options.require.clear();
    options.require_columns.clear();
    const std::size_t size = 1 + rng.below(4);
    const Dataset none;
    std::vector<Cut> cuts;
    for (const Cut& c : all_cuts(data))
      if (Brute{data, none, options}.allowed(c)) cuts.push_back(c);
    AllSets all{data, options, without_copies(data, cuts)};
    if (all.cuts.size() > (size == 4 ? 12 : 25)) continue;
    std::vector<Cut> set;
    all.extend(set, 0, size);
    SCOPED_TRACE("round " + std::to_string(round));
    compare(data, options, all, size, static_cast<std::int64_t>(rng.below(4)) * shape.max_weight);
  }
}

}  // namespace
}  // namespace beadwork
