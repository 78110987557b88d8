// Sets near the optimum against a brute force over the Binarizer's thresholds, families of equal features included.
// BEADWORK_ORDERED_TABLES multiplies the number of tables.

#include "unit/ordered/tables.hpp"

#include <cstdlib>

namespace beadwork {
namespace {

using namespace test;

// Every set of as many families as there may be.
struct BruteNear {
  const Brute& all;
  std::vector<std::size_t> first = {};     // the least allowed cut of each family
  std::vector<std::uint64_t> copies = {};  // how many it has
  std::vector<Feature> required = {};
  std::vector<NearCuts::Set> sets = {};  // of all sizes up to the largest, by error, then by list
  std::size_t choose = 0;

  bool alike(std::size_t a, std::size_t b) const {
    bool equal = true, opposite = true;
    for (std::size_t r = 0; r < all.dataset.num_rows(); ++r) {
      const bool same = all.dataset.value(Feature{a}, Row{r}) == all.dataset.value(Feature{b}, Row{r});
      equal = equal && same;
      opposite = opposite && !same;
    }
    return equal || opposite;
  }
  bool constant(std::size_t a) const {
    for (std::size_t r = 1; r < all.dataset.num_rows(); ++r)
      if (all.dataset.value(Feature{a}, Row{r}) != all.dataset.value(Feature{a}, Row{0})) return false;
    return true;
  }
  void find_families() {
    for (std::size_t i = 0; i < all.cuts.size(); ++i)
      if (contains(all.options.require, all.cuts[i])) required.emplace_back(i);
    for (std::size_t i = 0; i < all.cuts.size(); ++i) {
      if (!all.allowed(all.cuts[i]) || constant(i)) continue;
      if (std::any_of(required.begin(), required.end(), [&](Feature f) { return alike(f(), i); })) continue;
      const auto it = std::find_if(first.begin(), first.end(), [&](std::size_t f) { return alike(f, i); });
      if (it == first.end()) {
        first.push_back(i);
        copies.push_back(1);
      } else {
        ++copies[static_cast<std::size_t>(it - first.begin())];
      }
    }
    choose = std::min(all.options.depth - required.size(), first.size());
  }
  void extend(std::vector<std::size_t>& set, std::size_t from, std::size_t size) {
    if (set.size() == size) {
      NearCuts::Set s;
      std::vector<Feature> features = required;
      for (const std::size_t i : set) {
        features.emplace_back(first[i]);
        s.copies *= copies[i];
      }
      s.error = brute_error(all.dataset, all.options.costs, features);
      for (const Feature f : features) s.cuts.push_back(all.cuts[f()]);
      sets.push_back(std::move(s));
    }
    for (std::size_t i = from; i < first.size() && set.size() < size; ++i) {
      set.push_back(i);
      extend(set, i + 1, size);
      set.pop_back();
    }
  }
  // Required cuts first in each list, as they do not count for the order.
  void list(std::size_t size) {
    std::vector<std::size_t> set;
    sets.clear();
    extend(set, 0, size);
    std::stable_sort(sets.begin(), sets.end(), [](const auto& a, const auto& b) { return a.error < b.error; });
    for (NearCuts::Set& s : sets) std::sort(s.cuts.begin(), s.cuts.end());
  }
};

OrderedOptions random_near_options(Rng& rng, const RankedData& data) {
  OrderedOptions o;
  o.depth = 1 + rng.below(all_cuts(data).size() > 20 ? 3 : 4);
  o.threads = rng.below(4) == 0 ? 2 : 1;
  for (const Cut& cut : all_cuts(data)) {
    const auto roll = rng.below(12);
    if (roll == 0) o.forbid.push_back(cut);
    if (roll == 1 && o.require.size() < o.depth) o.require.push_back(cut);
  }
  if (rng.below(2) == 0) o.forbid.clear();
  if (rng.below(4) != 0) o.require.clear();
  const std::size_t k = data.num_classes();
  if (rng.below(4) == 0)
    for (std::size_t i = 0; i < k * k; ++i)
      o.costs.push_back(static_cast<std::int64_t>(rng.below(i % (k + 1) == 0 ? 2 : 9)));
  bool OrderedEffort::*const bounds[] = {&OrderedEffort::linear_cap, &OrderedEffort::hulls};
  if (const auto off = rng.below(6); off < 2) o.effort.*bounds[off] = false;
  return o;
}

OrderedNear random_near(Rng& rng, std::int64_t max_weight) {
  OrderedNear near;
  if (rng.below(2) == 0)
    near.best = 1 + rng.below(rng.below(3) == 0 ? 300 : 12);
  else
    near.within = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(3 * max_weight)));
  if (rng.below(3) == 0) near.most = 1 + rng.below(20);
  if (rng.below(3) == 0) near.most_smaller = 1 + rng.below(10);
  return near;
}

struct Seen {
  std::size_t whole = 0, padded = 0, idle = 0, copies = 0, sets = 0;
};

void expect_near(const RankedData& data, const OrderedOptions& o, const OrderedNear& near, BruteNear& brute,
                 const std::string& what, Seen& seen) {
  const auto best = search_ordered(data, o, {});
  ASSERT_TRUE(best && best->status == OrderedStatus::optimal) << what;
  const auto got = near_ordered(data, o, near, *best, {});
  ASSERT_TRUE(got) << what << ": " << got.error().to_string();
  brute.find_families();
  std::vector<std::int64_t> fewer;  // errors of the best sets of fewer cuts
  for (std::size_t size = 0; size < brute.choose; ++size) {
    brute.list(size);
    fewer.push_back(brute.sets.front().error);
  }
  brute.list(brute.choose);
  ASSERT_EQ(brute.sets.front().error, best->error) << what;
  // What is asked for.
  auto end = brute.sets.end();
  if (near.within)
    end = std::find_if(brute.sets.begin(), end, [&](const auto& s) { return s.error > best->error + *near.within; });
  else if (near.best < brute.sets.size())
    end = brute.sets.begin() + static_cast<std::ptrdiff_t>(near.best);
  EXPECT_NE(got->complete, got->idle.has_value()) << what;
  const bool padded =
      !fewer.empty() && (near.within ? fewer.back() <= best->error + *near.within
                                     : near.best > brute.sets.size() || std::prev(end)->error >= fewer.back());
  if (got->idle) {  // some set of those wanted is no better than one of fewer cuts, and the better ones are listed
    EXPECT_TRUE(padded && std::find(fewer.begin(), fewer.end(), *got->idle) != fewer.end()) << what;
    end = std::find_if(brute.sets.begin(), end, [&](const auto& s) { return s.error >= *got->idle; });
  }
  const auto wanted = static_cast<std::size_t>(end - brute.sets.begin());
  EXPECT_EQ(got->num_sets, wanted) << what;
  std::uint64_t copies = 0;
  for (std::size_t i = 0; i < wanted; ++i) copies += brute.sets[i].copies;
  EXPECT_EQ(got->num_copies, copies) << what;
  const std::size_t listed = near.within ? std::min(wanted, near.most) : wanted;
  EXPECT_TRUE(std::equal(got->sets.begin(), got->sets.end(), brute.sets.begin(),
                         brute.sets.begin() + static_cast<std::ptrdiff_t>(listed)))
      << what;
  ++(got->idle ? seen.idle : padded ? seen.padded : seen.whole);
  seen.copies += got->num_copies > got->num_sets ? 1 : 0;
  seen.sets += got->idle ? 0 : wanted;
}

TEST(OrderedNear, ListsAreThoseOfABruteForce) {
  const char* seed = std::getenv("BEADWORK_ORDERED_SEED");
  Rng rng(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
  Seen seen;
  for (std::size_t i = 0; i < tables(4000) && !testing::Test::HasFailure(); ++i) {
    Shape shape = random_shape(rng);
    if (rng.below(4) != 0) {  // larger, so that few cuts do not do
      shape.rows += 10 + rng.below(40);
      shape.columns = 2 + rng.below(3);
      shape.values += rng.below(10);
    }
    const Table table = random_table(rng, shape);
    const auto data = rank(table);
    ASSERT_TRUE(data) << data.error().to_string();
    const Dataset dataset = all_features(table);
    OrderedOptions o = random_near_options(rng, *data);
    for (const Cut& c : o.require) std::erase(o.forbid, c);
    const Brute all{*data, dataset, o};
    BruteNear brute{all};
    expect_near(*data, o, random_near(rng, shape.max_weight), brute, "table " + std::to_string(i), seen);
  }
  EXPECT_GT(seen.whole, tables(1000));
  EXPECT_GT(seen.padded, tables(700));
  EXPECT_GT(seen.idle, tables(200));
  EXPECT_GT(seen.copies, tables(50));
  EXPECT_GT(seen.sets, tables(5000));
}

// Two columns that say the same, one of them upside down: each set once, with its copies.
TEST(OrderedNear, EqualColumnsAreCopies) {
  std::vector<Column> columns(4);
  for (const double sign : {1.0, -1.0}) {
    Column& c = columns[sign > 0 ? 0 : 1];
    c = {sign > 0 ? "a" : "b", ColumnType::numeric, {}, {}, {}};
    for (std::size_t r = 0; r < 12; ++r) c.numbers.push_back(sign * static_cast<double>(r));
  }
  columns[2] = {"c", ColumnType::numeric, {}, {}, {}};
  for (std::size_t r = 0; r < 12; ++r) columns[2].numbers.push_back(static_cast<double>(r * 5 % 12));
  columns[3] = {"y", ColumnType::nominal, {}, {}, {"0", "1"}};
  for (const std::uint32_t y : {0u, 0u, 0u, 0u, 1u, 1u, 0u, 1u, 1u, 0u, 0u, 0u}) columns[3].codes.push_back(y);
  const Table table = *Table::make(std::move(columns), 3);
  const auto data = rank(table);
  ASSERT_TRUE(data);
  OrderedOptions o;
  o.depth = 2;
  const auto best = search_ordered(*data, o, {});
  ASSERT_EQ(best->error, 1);
  const auto near = near_ordered(*data, o, {.within = 0}, *best, {});
  ASSERT_TRUE(near && near->complete);
  EXPECT_EQ(near->sets.front().cuts, (std::vector<Cut>{{0, 3}, {0, 8}}));
  EXPECT_EQ(near->sets.front().copies, 4u);
  EXPECT_GT(near->num_copies, near->num_sets);
}

TEST(OrderedNear, LimitsEndIt) {
  Rng rng(5);
  Shape shape;
  shape.rows = 2000;
  shape.columns = 6;
  shape.values = 1500;
  shape.noise = 0.7;
  const auto data = rank(random_table(rng, shape));
  ASSERT_TRUE(data);
  OrderedOptions o;
  o.depth = 2;
  const auto best = search_ordered(*data, o, {});
  ASSERT_EQ(best->status, OrderedStatus::optimal);
  std::atomic<bool> interrupt = true;
  Control control;
  control.interrupt = &interrupt;
  const auto stopped = near_ordered(*data, o, {.within = 3}, *best, control);
  ASSERT_TRUE(stopped);
  EXPECT_FALSE(stopped->complete);
  EXPECT_FALSE(stopped->idle);
  Control little;
  little.memory_limit = 1;
  const auto full = near_ordered(*data, o, {.within = 3}, *best, little);
  ASSERT_TRUE(full);
  EXPECT_TRUE(full->memory_limit_hit);
  EXPECT_FALSE(full->complete);
  o.threads = 3;
  const auto one = near_ordered(*data, o, {.within = 3}, *best, {});
  o.threads = 1;
  const auto three = near_ordered(*data, o, {.within = 3}, *best, {});
  ASSERT_TRUE(one && three && one->complete);
  EXPECT_EQ(one->sets, three->sets);
  EXPECT_EQ(one->num_sets, three->num_sets);
  OrderedOutcome open = *best;
  open.status = OrderedStatus::feasible;
  EXPECT_FALSE(near_ordered(*data, o, {.best = 1, .within = {}}, open, {})->complete);
}

}  // namespace
}  // namespace beadwork
