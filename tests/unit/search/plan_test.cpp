// One search in parts: the answer of the undivided one, however it is divided, stopped and merged.

#include "unit/search/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace beadwork {
namespace {

using namespace test;

struct Case {
  Dataset data;
  SearchOptions options;
};

// Small tables, with several classes, weights, costs, required and forbidden features among them.
Case random_case(Rng& rng) {
  TableShape shape;
  shape.rows = 10 + rng.below(60);
  shape.features = 4 + rng.below(9);
  shape.classes = 2 + rng.below(2);
  shape.noise = rng.unit();
  if (rng.below(3) == 0) shape.max_weight = rng.below(2) == 0 ? 9 : 1000000000;
  Case c{random_table(rng, shape), {}};
  c.options.depth = 1 + rng.below(6);
  c.options.threads = 1 + static_cast<unsigned>(rng.below(2));
  c.options.effort.restarts = rng.below(3) == 0 ? 0 : 30;
  if (rng.below(4) == 0) c.options.effort.max_ties = rng.below(3);
  if (rng.below(4) == 0) c.options.forbid = {Feature{rng.below(shape.features)}};
  const Feature f{rng.below(shape.features)};
  if (rng.below(4) == 0 && std::find(c.options.forbid.begin(), c.options.forbid.end(), f) == c.options.forbid.end())
    c.options.require = {f};
  if (rng.below(3) == 0) add_groups(rng, c.data, c.options);
  if (rng.below(4) == 0)
    for (std::size_t i = 0; i < shape.classes * shape.classes; ++i)
      c.options.costs.push_back(i % (shape.classes + 1) == 0 ? 0 : 1 + static_cast<std::int64_t>(rng.below(5)));
  return c;
}

SearchOutcome merged_answer(const SearchProblem& problem, SearchOptions options, const SearchPlan& plan,
                            const std::vector<PartState>& states) {
  const auto merged = merge_parts(plan, states);
  EXPECT_TRUE(merged) << merged.error().to_string();
  EXPECT_TRUE(merged->missing.empty());
  EXPECT_TRUE(merged->left.empty());
  EXPECT_TRUE(tiles(merged->state.done));
  options.resume = &merged->state;
  auto outcome = search(problem, options, {});
  EXPECT_TRUE(outcome) << outcome.error().to_string();
  return *outcome;
}

TEST(SearchPlanTest, PartsGiveTheAnswerOfTheWhole) {
  Rng rng(2026);
  std::size_t real_parts = 0;
  for (int i = 0; i < 400; ++i) {
    const Case c = random_case(rng);
    const auto problem = prepare(c.data, c.options, {});
    ASSERT_TRUE(problem);
    const auto whole = search(*problem, c.options, {});
    ASSERT_TRUE(whole);
    const NearSet best = naive_sets(c.data, c.options).front();
    const std::size_t n = std::vector<std::size_t>{1, 2, 7, 64, 1000}[rng.below(5)];
    const auto plan = plan_search(*problem, c.options, n, {});
    ASSERT_TRUE(plan) << plan.error().to_string();
    ASSERT_EQ(plan->parts.size(), n);
    ASSERT_EQ(plan->work.size(), n);
    std::vector<PartState> states;
    for (std::size_t part = 0; part < n; ++part) {
      const auto done = search_part(*problem, c.options, *plan, part, {});
      ASSERT_TRUE(done) << done.error().to_string();
      EXPECT_TRUE(done->complete);
      if (!is_empty(*plan, part)) ++real_parts;
      states.push_back({part, *parse_state(to_text(done->state))});
    }
    std::reverse(states.begin(), states.end());
    const SearchOutcome got = merged_answer(*problem, c.options, *plan, states);
    EXPECT_EQ(got.status, SolveStatus::optimal);
    EXPECT_EQ(got.error, best.error);
    EXPECT_EQ(got.error, whole->error);
    EXPECT_TRUE(got.tie_canonical);
    EXPECT_EQ(got.features, best.features);
  }
  EXPECT_GT(real_parts, 800U);
}

// A plan whose incumbent is poor: every set counts, so parts must not leave one out. The ends of parts are made by
// hand, at all levels.
TEST(SearchPlanTest, AnyPlacesWillDo) {
  Rng rng(7);
  for (int i = 0; i < 300; ++i) {
    Case c = random_case(rng);
    c.options.require.clear();
    const auto problem = prepare(c.data, c.options, {});
    ASSERT_TRUE(problem);
    c.options.effort.restarts = 0;
    auto plan = plan_search(*problem, c.options, 1, {});
    ASSERT_TRUE(plan);
    plan->start.error.reset();
    plan->start.incumbent.clear();
    const auto size = static_cast<std::uint32_t>(plan->start.order.size());
    std::vector<std::vector<std::uint32_t>> places;
    for (std::size_t k = 0; k < 6 && size > 1; ++k) {
      std::vector<std::uint32_t> place;
      for (std::uint32_t at = 0; place.size() < 3 && at < size && (place.empty() || rng.below(3) > 0);) {
        place.push_back(at + static_cast<std::uint32_t>(rng.below(size - at)));
        at = place.back() + 1;
      }
      place = canonical_place(place, size, false);
      if (!place.empty()) places.push_back(place);
    }
    std::sort(places.begin(), places.end());
    plan->parts.clear();
    plan->work.assign(places.size() + 1, 0);
    std::vector<std::uint32_t> from;
    for (const auto& place : places) {
      plan->parts.push_back({from, place});
      from = place;
    }
    plan->parts.push_back({from, {}});
    std::vector<PartState> states;
    for (std::size_t part = 0; part < plan->parts.size(); ++part) {
      const auto done = search_part(*problem, c.options, *plan, part, {});
      ASSERT_TRUE(done) << done.error().to_string();
      states.push_back({part, done->state});
    }
    const auto merged = merge_parts(*plan, states);
    ASSERT_TRUE(merged) << merged.error().to_string();
    const NearSet best = naive_sets(c.data, c.options).front();
    SearchOptions o = c.options;
    o.resume = &merged->state;
    const auto got = search(*problem, o, {});
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, SolveStatus::optimal);
    EXPECT_EQ(got->error, best.error);
    if (got->tie_canonical) {
      EXPECT_EQ(got->features, best.features);
    }
  }
}

// Parts are stopped at every checkpoint, go on from its text and hear of each other's sets.
TEST(SearchPlanTest, PartsAreStoppedAndGoOn) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Dataset d = noise(90, 15, seed);
    SearchOptions o;
    o.depth = 3 + seed % 4;
    const auto problem = prepare(d, o, {});
    ASSERT_TRUE(problem);
    const auto whole = search(*problem, o, {});
    const auto plan = plan_search(*problem, o, 5, {});
    ASSERT_TRUE(whole && plan);
    std::vector<Feature> shared;
    std::vector<PartState> states;
    std::size_t stops = 0;
    for (std::size_t part = 0; part < 5; ++part) {
      std::optional<SearchState> state;
      for (bool complete = false; !complete;) {
        std::atomic<bool> stop{false};
        Control control;
        control.interrupt = &stop;
        SearchOptions at = o;
        at.effort.bounds.linear_cap = false;
        at.effort.poll_effort = 1;
        at.checkpoint_seconds = 1e-9;
        at.exchange_seconds = 0;
        at.exchange = [&](const std::vector<Feature>& best, std::int64_t) -> std::optional<std::vector<Feature>> {
          if (!best.empty()) shared = best;
          if (shared.empty()) return {};
          return shared;
        };
        const auto before = state ? state->done : std::vector<SearchRange>{};
        at.checkpoint = [&](const SearchState& s) {
          if (s.done != before) stop = true;
        };
        SearchState from;
        if (state) from = *parse_state(to_text(*state));
        if (state) at.resume = &from;
        const auto got = search_part(*problem, at, *plan, part, control);
        ASSERT_TRUE(got) << got.error().to_string();
        state = got->state;
        complete = got->complete;
        EXPECT_LE(got->state.lower_bound, *got->state.error);
        ASSERT_LT(++stops, 5000U);
        if (!complete) {  // what is left is named
          const auto some = merge_parts(*plan, {{part, *state}});
          ASSERT_TRUE(some);
          EXPECT_FALSE(some->missing.empty());
          EXPECT_LE(some->state.lower_bound, whole->error);
          EXPECT_FALSE(tiles(some->state.done));
        }
      }
      states.push_back({part, *state});
    }
    EXPECT_GT(stops, 5U);
    const SearchOutcome got = merged_answer(*problem, o, *plan, states);
    EXPECT_EQ(got.error, whole->error);
    EXPECT_EQ(got.features, whole->features);
  }
}

// With and without a first answer: what estimates find on their way counts in the same order, too.
TEST(SearchPlanTest, PlansDoNotDependOnThreads) {
  std::size_t real_parts = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Dataset d = noise(100 + 20 * seed, 20 + seed, seed);
    SearchOptions o;
    o.depth = 4 + seed % 3;
    o.effort.restarts = seed % 2 == 0 ? 0 : 10;
    o.seed = seed;
    const auto problem = prepare(d, o, {});
    ASSERT_TRUE(problem);
    const auto plan = plan_search(*problem, o, 200, {});
    ASSERT_TRUE(plan);
    for (std::size_t part = 0; part < 200; ++part) real_parts += is_empty(*plan, part) ? 0 : 1;
    for (const unsigned threads : {2U, 7U}) {
      o.threads = threads;
      const auto again = plan_search(*problem, o, 200, {});
      ASSERT_TRUE(again);
      EXPECT_TRUE(*again == *plan) << "seed " << seed << ", " << threads << " threads";
    }
  }
  EXPECT_GT(real_parts, 1000U);
}

TEST(SearchPlanTest, APlanShowsProgressAndCanBeStopped) {
  const Dataset d = noise(3000, 150, 5);
  SearchOptions o;
  o.depth = 9;  // estimates that take many seconds on any machine
  o.threads = 2;
  const auto problem = prepare(d, o, {});
  ASSERT_TRUE(problem);
  Control control;
  std::size_t told = 0;
  control.progress = [&](const Progress& p) {
    EXPECT_EQ(p.phase, "plan");
    EXPECT_TRUE(p.upper_bound);
    EXPECT_TRUE(0 <= p.share && p.share <= 1) << p.share;
    return ++told < 1;
  };
  const auto plan = plan_search(*problem, o, 10000, control);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::limit);
  EXPECT_EQ(told, 1U);
}

TEST(SearchPlanTest, RefusesWhatDoesNotBelong) {
  const Dataset d = noise(60, 12, 3);
  SearchOptions o;
  o.depth = 4;
  const auto problem = prepare(d, o, {});
  ASSERT_TRUE(problem);
  const auto plan = plan_search(*problem, o, 4, {}), other = plan_search(*problem, o, 3, {});
  ASSERT_TRUE(plan && other);
  const auto first = search_part(*problem, o, *plan, 0, {}), of_other = search_part(*problem, o, *other, 0, {});
  ASSERT_TRUE(first && of_other && first->complete);
  EXPECT_TRUE(merge_parts(*plan, {{0, first->state}}));
  EXPECT_EQ(merge_parts(*plan, {{0, first->state}})->missing, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_FALSE(merge_parts(*plan, {{0, first->state}, {0, first->state}}));
  EXPECT_FALSE(merge_parts(*plan, {{1, first->state}}));
  EXPECT_FALSE(merge_parts(*plan, {{0, of_other->state}}));  // larger than the part of this plan
  SearchOptions at = o;
  at.resume = &first->state;
  EXPECT_FALSE(search_part(*problem, at, *plan, 1, {}));
  SearchState changed = first->state;
  changed.problem[0] = changed.problem[0] == 'a' ? 'b' : 'a';
  EXPECT_FALSE(merge_parts(*plan, {{0, changed}}));
  SearchPlan forged = *plan;
  forged.start = changed;
  forged.start.done.clear();
  EXPECT_FALSE(search_part(*problem, o, forged, 0, {}));
  EXPECT_THROW((void)search_part(*problem, o, *plan, 4, {}), ContractViolation);
}

TEST(SearchPlanTest, PlacesAreInTheirShortestForm) {
  using P = std::vector<std::uint32_t>;
  EXPECT_EQ(canonical_place({3, 4}, 10, false), P({3}));
  EXPECT_EQ(canonical_place({3, 4, 5}, 10, false), P({3}));
  EXPECT_EQ(canonical_place({3, 5, 6}, 10, false), P({3, 5}));
  EXPECT_EQ(canonical_place({3, 5, 10}, 10, true), P({3, 6}));
  EXPECT_EQ(canonical_place({3, 9, 10}, 10, true), P({4}));
  EXPECT_EQ(canonical_place({9, 10}, 10, true), P{});
  EXPECT_EQ(canonical_place({0, 1, 2}, 10, false), P{});
  EXPECT_EQ(canonical_place({0, 1, 3}, 10, false), P({0, 1, 3}));
}

}  // namespace
}  // namespace beadwork
