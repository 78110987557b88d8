// The search against a brute force on seeded random tables, with every kernel, one and two threads, and every
// bound off in turn. BEADWORK_SEARCH_TABLES multiplies the number of tables.

#include "unit/search/tables.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace beadwork {
namespace {

using namespace test;

std::size_t tables(std::size_t n) {
  const char* factor = std::getenv("BEADWORK_SEARCH_TABLES");
  return factor != nullptr ? n * static_cast<std::size_t>(std::atoi(factor)) : n;
}

void expect_equal(const Dataset& d, const SearchOptions& o, const NearSet& expected, const std::string& what) {
  const auto got = search(condense(d), o, {});
  ASSERT_TRUE(got) << what << ": " << got.error().to_string();
  EXPECT_EQ(got->status, SolveStatus::optimal) << what;
  EXPECT_EQ(got->error, expected.error) << what;
  EXPECT_EQ(got->lower_bound, expected.error) << what;
  EXPECT_EQ(got->features, expected.features) << what;
  EXPECT_TRUE(tiles(got->state.done)) << what;
  EXPECT_TRUE(got->tie_canonical) << what;
}

TableShape random_shape(Rng& rng, std::size_t classes) {
  TableShape s;
  s.rows = 1 + rng.below(rng.below(4) == 0 ? 120 : 40);
  s.features = 1 + rng.below(11);
  s.classes = classes;
  const std::int64_t weights[] = {1, 1, 3, 40, 5000, 3000000, std::int64_t{1} << 40};
  s.max_weight = weights[rng.below(7)];
  s.unit = rng.below(4) == 0 ? 7 : 1;
  s.skewed = rng.below(3) == 0;
  s.noise = rng.unit();
  s.density = 0.1 + 0.5 * rng.unit();
  return s;
}

// A random question about a random table: depth, required and forbidden features, costs now and then.
SearchOptions random_options(Rng& rng, const Dataset& d) {
  SearchOptions o;
  o.depth = rng.below(8);
  o.seed = rng.next();
  o.effort.restarts = rng.below(4);
  if (rng.below(4) == 0) o.effort.max_ties = rng.below(3);
  for (std::size_t f = 0; f < d.num_features(); ++f) {
    const auto roll = rng.below(12);
    if (roll == 0 && o.require.size() < o.depth) o.require.emplace_back(f);
    if (roll == 1) o.forbid.emplace_back(f);
  }
  if (rng.below(3) == 0) {
    const std::size_t k = d.num_classes();
    for (std::size_t i = 0; i < k * k; ++i)
      o.costs.push_back(i % (k + 1) == 0 ? static_cast<std::int64_t>(rng.below(2))
                                         : static_cast<std::int64_t>(rng.below(9)));
  }
  if (rng.below(3) == 0) add_groups(rng, d, o);
  return o;
}

std::string describe(std::size_t i, const Dataset& d, const SearchOptions& o) {
  return "table " + std::to_string(i) + ": " + std::to_string(d.num_rows()) + " rows, " +
         std::to_string(d.num_features()) + " features, " + std::to_string(d.num_classes()) + " classes, depth " +
         std::to_string(o.depth);
}

void sweep(std::size_t count, std::size_t classes, std::uint64_t seed) {
  Rng rng(seed);
  const auto kernels = available_kernels();
  for (std::size_t i = 0; i < tables(count); ++i) {
    const Dataset d = random_table(rng, random_shape(rng, classes));
    SearchOptions o = random_options(rng, d);
    const NearSet expected = naive_sets(d, o).front();
    const std::string what = describe(i, d, o);
    o.kernel = kernels[i % kernels.size()];
    o.threads = 1 + i / kernels.size() % 2;
    bool Bounds::*const bounds[] = {nullptr, &Bounds::linear_cap, &Bounds::gain_cap, &Bounds::cell_bound,
                                    &Bounds::cancellation};
    if (const auto off = bounds[i / 2 % 5]; off != nullptr) o.effort.bounds.*off = false;
    expect_equal(d, o, expected, what);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SearchDifferential, TwoClasses) {
  sweep(6000, 2, 1);
}
TEST(SearchDifferential, ThreeClasses) {
  sweep(1500, 3, 2);
}
TEST(SearchDifferential, FourClasses) {
  sweep(1000, 4, 3);
}
TEST(SearchDifferential, OneClass) {
  sweep(100, 1, 4);
}

// Of all sets of features whatever, copies and constants too, that have the required ones and one of each group.
TEST(SearchDifferential, GroupsAsTheyAreDefined) {
  Rng rng(9);
  std::size_t dearer = 0;  // than without groups
  for (std::size_t i = 0; i < tables(400) && !HasFailure(); ++i) {
    TableShape shape = random_shape(rng, 2 + rng.below(2));
    shape.features = 2 + rng.below(6);
    shape.rows = 1 + rng.below(30);
    const Dataset d = random_table(rng, shape);
    SearchOptions o = random_options(rng, d);
    o.require_any.clear();
    o.depth = std::max<std::size_t>(o.depth, 1 + o.require.size());
    add_groups(rng, d, o);
    std::int64_t least = INT64_MAX, free = INT64_MAX;
    for (std::size_t mask = 0; mask < std::size_t{1} << d.num_features(); ++mask) {
      const auto in = [&](Feature f) { return (mask >> f() & 1) != 0; };
      std::vector<Feature> set;
      for (std::size_t f = 0; f < d.num_features(); ++f)
        if (in(Feature{f})) set.emplace_back(f);
      if (set.size() > o.depth || !std::all_of(o.require.begin(), o.require.end(), in) ||
          std::any_of(o.forbid.begin(), o.forbid.end(), in))
        continue;
      const std::int64_t cost = naive_cost(d, o.costs, set);
      free = std::min(free, cost);
      if (std::all_of(o.require_any.begin(), o.require_any.end(),
                      [&](const auto& group) { return std::any_of(group.begin(), group.end(), in); }))
        least = std::min(least, cost);
    }
    dearer += least > free ? 1 : 0;
    o.threads = 1 + static_cast<unsigned>(rng.below(2));
    const auto got = search(condense(d), o, {});
    ASSERT_TRUE(got) << got.error().to_string();
    EXPECT_EQ(got->error, least) << describe(i, d, o);
    EXPECT_EQ(got->lower_bound, least) << describe(i, d, o);
    for (const auto& group : o.require_any)
      EXPECT_TRUE(std::any_of(group.begin(), group.end(), [&](Feature f) {
        return std::find(got->features.begin(), got->features.end(), f) != got->features.end();
      }));
    const auto quick = local_search(condense(d), o, {});
    ASSERT_TRUE(quick);
    EXPECT_GE(quick->error, least) << describe(i, d, o);
    EXPECT_EQ(quick->error, naive_cost(d, o.costs, quick->features));
    SearchOptions at = o;
    at.depth = o.depth;
    EXPECT_EQ(*reaches(*prepare(condense(d), at, {}), at, least, {}), SolveStatus::optimal);
    if (least > 0) {
      EXPECT_EQ(*reaches(*prepare(condense(d), at, {}), at, least - 1, {}), SolveStatus::infeasible);
    }
  }
  EXPECT_GT(dearer, tables(20));
}

// Everything at once on fewer tables: each kernel, each bound off, both thread counts.
TEST(SearchDifferential, NothingMovesTheAnswer) {
  Rng rng(5);
  for (std::size_t i = 0; i < tables(60); ++i) {
    TableShape shape = random_shape(rng, 2 + rng.below(2));
    shape.features = 8 + rng.below(5);
    shape.rows = 40 + rng.below(100);
    const Dataset d = random_table(rng, shape);
    SearchOptions o = random_options(rng, d);
    o.depth = std::max<std::size_t>(o.depth, 3);
    const NearSet expected = naive_sets(d, o).front();
    for (const Kernel kernel : available_kernels())
      for (unsigned threads = 1; threads <= 2; ++threads)
        for (int off = 0; off < 16; ++off) {
          o.kernel = kernel;
          o.threads = threads;
          o.effort.bounds = {(off & 1) == 0, (off & 2) == 0, (off & 4) == 0, (off & 8) == 0};
          o.seed = rng.next();
          expect_equal(d, o, expected, describe(i, d, o));
        }
    if (HasFailure()) return;
  }
}

TEST(SearchDifferential, NearSets) {
  Rng rng(6);
  for (std::size_t i = 0; i < tables(600); ++i) {
    const Dataset d = random_table(rng, random_shape(rng, 2 + rng.below(2)));
    SearchOptions o = random_options(rng, d);
    o.threads = 1 + i % 2;
    const auto all = naive_sets(d, o);
    NearOptions near;
    if (i % 2 == 0)
      near.best = 1 + rng.below(12);
    else
      near.within =
          static_cast<std::int64_t>(rng.below(4)) * (1 + static_cast<std::int64_t>(rng.below(2)) * all[0].error / 9);
    std::vector<NearSet> expected;
    std::uint64_t copies = 0;
    for (const NearSet& s : all) {
      if (near.best > 0 ? expected.size() == near.best : s.error > all[0].error + *near.within) break;
      expected.push_back(s);
      copies += s.copies;
    }
    const auto got = search_near(condense(d), o, near, {});
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, SolveStatus::optimal);
    EXPECT_EQ(got->sets, expected) << describe(i, d, o);
    EXPECT_EQ(got->num_sets, expected.size());
    EXPECT_EQ(got->num_copies, copies);
    if (HasFailure()) return;
  }
}

TEST(SearchDifferential, EveryDepthAndTheLeast) {
  Rng rng(7);
  for (std::size_t i = 0; i < tables(200); ++i) {
    TableShape shape = random_shape(rng, 2);
    if (i % 2 == 0) shape.noise = 0;
    const Dataset d = random_table(rng, shape);
    SearchOptions o;
    o.depth = 1 + rng.below(6);
    if (i % 3 == 0) add_groups(rng, d, o);
    const std::size_t first = std::max<std::size_t>(1, num_required(o));
    const auto problem = prepare(d, o, {});
    ASSERT_TRUE(problem);
    std::vector<std::vector<Feature>> before;  // each depth starts from what those before it found
    std::size_t least = 0;
    std::vector<Feature> all;
    for (std::size_t f = 0; f < d.num_features(); ++f) all.emplace_back(f);
    const std::int64_t unavoidable = naive_cost(d, {}, all);
    bool reached = o.require_any.empty() && naive_cost(d, {}, {}) == unavoidable;
    for (std::size_t depth = first; depth <= o.depth; ++depth) {
      SearchOptions at = o;
      at.depth = depth;
      const NearSet expected = naive_sets(d, at).front();
      at.start = before;
      const auto got = search(*problem, at, {});
      ASSERT_TRUE(got);
      EXPECT_EQ(got->status, SolveStatus::optimal);
      EXPECT_EQ(got->error, expected.error);
      EXPECT_EQ(got->features, expected.features);
      before.push_back(got->features);
      if (!reached && expected.error == unavoidable) {
        reached = true;
        least = depth;
      }
    }
    const auto found = least_depth(condense(d), o, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->status, reached ? SolveStatus::optimal : SolveStatus::infeasible) << describe(i, d, o);
    if (reached) {
      EXPECT_EQ(found->depth, least) << describe(i, d, o);
    }
    if (HasFailure()) return;
  }
}

// Runs that try low limits from the start, stopped anywhere and gone on with: what they show never falls and holds.
TEST(SearchDifferential, BoundsOfStoppedRunsHold) {
  Rng rng(8);
  std::size_t stopped = 0, higher = 0;  // than what a run shows that tries none
  for (std::size_t i = 0; i < tables(600) && !HasFailure(); ++i) {
    TableShape shape = random_shape(rng, 2 + rng.below(4) / 3);
    shape.features = 10 + rng.below(7);
    shape.rows = 40 + rng.below(60);
    const Dataset d = random_table(rng, shape);
    SearchOptions o = random_options(rng, d);
    o.depth = num_required(o) + 2 + rng.below(3);
    const std::int64_t optimum = naive_sets(d, o).front().error;
    o.effort.restarts = 0;
    o.effort.poll_effort = 1;
    o.checkpoint_seconds = 1e-9;
    std::optional<SearchState> state;
    std::int64_t without = 0;
    bool shown = false;
    for (std::size_t part = 0; part < 6; ++part) {
      o.effort.short_run = part == 0 ? UINT64_MAX : 1 + rng.below(2000);
      o.threads = 1 + static_cast<unsigned>(rng.below(2));
      std::atomic<bool> stop{false};
      Control control;
      control.interrupt = &stop;
      const SearchState from = part < 2 ? SearchState{} : *parse_state(to_text(*state));
      o.resume = part < 2 ? nullptr : &from;
      std::int64_t last = part < 2 ? 0 : from.lower_bound;
      std::size_t left = part == 0 ? 20 : rng.below(rng.below(2) == 0 ? 400 : 30);
      o.checkpoint = [&](const SearchState& s) {
        EXPECT_GE(s.lower_bound, last) << describe(i, d, o);
        EXPECT_LE(s.lower_bound, optimum) << describe(i, d, o);
        last = s.lower_bound;
        state = s;
        shown = shown || (part > 0 && last > without && s.error && last < *s.error);
        stop = stop || left-- == 0;
      };
      const auto got = search(condense(d), o, control);
      ASSERT_TRUE(got) << got.error().to_string();
      EXPECT_GE(got->lower_bound, last) << describe(i, d, o);
      EXPECT_LE(got->lower_bound, optimum) << describe(i, d, o);
      if (got->status == SolveStatus::optimal) {
        EXPECT_EQ(got->error, optimum) << describe(i, d, o);
        break;
      }
      if (part == 0) without = got->lower_bound;
      stopped += part > 0 ? 1 : 0;
      state = got->state;
    }
    higher += shown ? 1 : 0;
  }
  EXPECT_GT(stopped, tables(10));  // both far more often; how often is up to the machine
  EXPECT_GT(higher, tables(5));
}

}  // namespace
}  // namespace beadwork
