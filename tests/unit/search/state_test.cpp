// Stopping, going on, and the text of a state.

#include <gtest/gtest.h>

#include "unit/search/tables.hpp"

namespace beadwork {
namespace {

using namespace test;

// Hard enough to run for a while: noise, 40 features, 600 rows.
Dataset noise(std::size_t rows, std::size_t features, std::uint64_t seed) {
  Rng rng(seed);
  TableShape shape;
  shape.rows = rows;
  shape.features = features;
  shape.noise = 1;
  return random_table(rng, shape);
}

TEST(SearchState, SurvivesText) {
  SearchState s;
  s.problem = std::string(64, 'a');
  s.order = {Feature{3}, Feature{1}, Feature{2}};
  s.error = 7;
  s.incumbent = {Feature{1}, Feature{2}};
  s.ties_complete = false;
  s.lower_bound = 4;
  s.done = {{{}, {1}}, {{1, 2}, {}}};
  const std::string text = to_text(s);
  const auto back = parse_state(text);
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(*back, s);
  EXPECT_FALSE(tiles(s.done));
  EXPECT_TRUE(tiles({{{}, {1}}, {{1}, {1, 2}}, {{1, 2}, {}}}));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string broken = text;
    broken[i] = broken[i] == '1' ? '2' : '1';
    EXPECT_FALSE(parse_state(broken)) << i;
    EXPECT_FALSE(parse_state(text.substr(0, i)));
  }
}

// Stops at every checkpoint in turn, goes on from its text, and ends with the same answer.
TEST(SearchState, ResumedRunsAgree) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Dataset d = noise(120, 16, seed);
    const Condensed c = condense(d);
    SearchOptions o;
    o.depth = 2 + seed;
    o.max_ties = seed % 2 == 0 ? 0 : 20000;
    const auto whole = search(c, o, {});
    ASSERT_TRUE(whole);
    // An interrupt that is set at the first, second, ... look at the clock.
    std::optional<SearchState> state;
    unsigned resumed = 0;
    for (;;) {
      Control control;
      std::atomic<bool> stop{false};
      control.interrupt = &stop;
      SearchOptions part = o;
      part.threads = 1 + resumed % 2;
      part.bounds.linear_cap = false;  // slower, so that there is something to interrupt
      part.checkpoint_seconds = 1e-9;
      int calls = 0;
      part.checkpoint = [&](const SearchState& s) {
        state = s;
        if (++calls == 2) stop = true;
      };
      SearchState from;
      if (state) {
        const auto parsed = parse_state(to_text(*state));
        ASSERT_TRUE(parsed);
        from = *parsed;
        part.resume = &from;
      }
      const auto got = search(c, part, control);
      ASSERT_TRUE(got) << got.error().to_string();
      EXPECT_LE(got->lower_bound, whole->error);
      if (got->status == SearchStatus::optimal && tiles(got->state.done)) {
        EXPECT_EQ(got->error, whole->error);
        EXPECT_EQ(got->features, whole->features);
        break;
      }
      ASSERT_LT(++resumed, 3000u);
    }
  }
}

TEST(SearchState, RefusesOtherDataAndOptions) {
  const Condensed a = condense(noise(50, 8, 1)), b = condense(noise(50, 8, 2));
  SearchOptions o;
  o.depth = 3;
  const auto done = search(a, o, {});
  ASSERT_TRUE(done);
  EXPECT_TRUE(check_state(a, o, done->state));
  EXPECT_FALSE(check_state(b, o, done->state));
  SearchOptions deeper = o;
  deeper.depth = 4;
  EXPECT_FALSE(check_state(a, deeper, done->state));
  SearchOptions again = o;
  SearchState state = done->state;
  again.resume = &state;
  const auto same = search(a, again, {});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->features, done->features);
  state.error = *state.error - 1;
  EXPECT_FALSE(search(a, again, {}));
}

TEST(SearchLimits, DeadlineIsKept) {
  const Condensed c = condense(noise(3000, 60, 3));
  for (unsigned threads = 1; threads <= 2; ++threads) {
    SearchOptions o;
    o.depth = 9;
    o.threads = threads;
    Control control;
    control.deadline = Deadline::in(0.3);
    const Stopwatch clock;
    const auto got = search(c, o, control);
    EXPECT_LT(clock.seconds(), 3.0);  // a second, and what a busy machine adds
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, SearchStatus::feasible);
    EXPECT_LE(got->lower_bound, got->error);
    EXPECT_EQ(got->features.size(), 9u);
  }
}

TEST(SearchLimits, InterruptBeforeTheStart) {
  const Condensed c = condense(noise(300, 30, 3));
  std::atomic<bool> stop{true};
  Control control;
  control.interrupt = &stop;
  SearchOptions o;
  const auto got = search(c, o, control);
  ASSERT_TRUE(got);
  EXPECT_NE(got->status, SearchStatus::optimal);
  EXPECT_TRUE(got->state.done.empty());
}

TEST(SearchLimits, ProgressMayStop) {
  const Condensed c = condense(noise(3000, 60, 3));
  Control control;
  int reports = 0;
  std::int64_t last = 0;
  control.progress = [&](const Progress& p) {
    EXPECT_GE(p.lower_bound, last);
    EXPECT_LE(p.lower_bound, p.upper_bound.value());
    last = p.lower_bound;
    return ++reports < 3;
  };
  SearchOptions o;
  o.depth = 9;
  const auto got = search(c, o, control);
  ASSERT_TRUE(got);
  EXPECT_EQ(reports, 3);
  EXPECT_EQ(got->status, SearchStatus::feasible);
}

TEST(SearchLimits, MemoryLimitIsKept) {
  const Condensed c = condense(noise(3000, 60, 3));
  Control control;
  control.memory_limit = 400000;
  SearchOptions o;
  o.depth = 5;
  const auto got = search(c, o, control);
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->memory_limit_hit);
  EXPECT_NE(got->status, SearchStatus::optimal);
}

TEST(SearchOptionsTest, BadOptionsAreErrors) {
  const Condensed c = condense(noise(30, 5, 1));
  SearchOptions o;
  o.depth = 21;
  EXPECT_FALSE(search(c, o, {}));
  o = {};
  o.require = {Feature{99}};
  EXPECT_FALSE(search(c, o, {}));
  o.require = {Feature{1}};
  o.forbid = {Feature{1}};
  EXPECT_FALSE(search(c, o, {}));
  o = {};
  o.depth = 1;
  o.require = {Feature{1}, Feature{2}};
  EXPECT_FALSE(search(c, o, {}));
  o = {};
  o.costs = {0, 1, 1};
  EXPECT_FALSE(search(c, o, {}));
  o.costs = {0, -1, 1, 0};
  EXPECT_FALSE(search(c, o, {}));
  EXPECT_THROW((void)search_near(c, {}, {}, {}), ContractViolation);
}

TEST(SearchLocal, GivesASetAndItsError) {
  const Dataset d = noise(200, 20, 4);
  SearchOptions o;
  o.depth = 5;
  const auto got = local_search(condense(d), o, {});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->features.size(), 5u);
  EXPECT_EQ(naive_cost(d, {}, got->features), got->error);
  EXPECT_EQ(*set_error(condense(d), o, got->features), got->error);
  const auto same = local_search(condense(d), o, {});
  EXPECT_EQ(same->features, got->features);
}

}  // namespace
}  // namespace beadwork
