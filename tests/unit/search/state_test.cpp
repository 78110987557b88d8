// Stopping, going on, and the text of a state.

#include "support/processor_time.hpp"
#include "unit/search/tables.hpp"

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace test;

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
    o.effort.max_ties = seed % 2 == 0 ? 0 : 20000;
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
      part.effort.bounds.linear_cap = false;  // slower, so that there is something to interrupt
      part.checkpoint_seconds = 1e-9;
      int calls = 0;
      part.checkpoint = [&](const SearchState& s) {
        state = s;
        if (++calls == 2 && !tiles(s.done)) stop = true;  // else nothing would be left but ties
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
      if (got->tie_canonical) {
        EXPECT_EQ(got->status, SolveStatus::optimal);
        EXPECT_TRUE(tiles(got->state.done));
        EXPECT_EQ(got->error, whole->error);
        EXPECT_EQ(got->features, whole->features);
        break;
      }
      ASSERT_LT(++resumed, 3000u);
    }
  }
}

// A state keeps the order of the run that made it, which need not be the one that other bounds would choose.
TEST(SearchState, BoundsMayChangeBetweenParts) {
  std::size_t stopped_early = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Dataset d = noise(100, 14, seed);
    const Condensed c = condense(d);
    SearchOptions o;
    o.depth = 3 + seed % 4;
    const auto whole = search(c, o, {});
    ASSERT_TRUE(whole);
    std::optional<SearchState> state;
    SearchOptions first = o;
    first.effort.restarts = 0;
    first.effort.bounds.linear_cap = seed % 2 == 0;
    first.checkpoint_seconds = 1e-9;
    Control control;
    std::atomic<bool> stop{false};
    control.interrupt = &stop;
    first.checkpoint = [&](const SearchState& s) {
      state = s;
      if (!s.done.empty()) stop = true;
    };
    ASSERT_TRUE(search(c, first, control));
    if (!state || tiles(state->done)) continue;
    ++stopped_early;
    SearchOptions second = o;
    second.effort.bounds.linear_cap = !first.effort.bounds.linear_cap;
    second.resume = &*state;
    const auto got = search(c, second, {});
    ASSERT_TRUE(got) << got.error().to_string();
    EXPECT_EQ(got->status, SolveStatus::optimal);
    EXPECT_EQ(got->error, whole->error) << seed;
    EXPECT_LE(state->lower_bound, whole->error);
  }
  EXPECT_GT(stopped_early, 20U);
}

TEST(SearchState, RefusesOtherDataAndOptions) {
  const Condensed a = condense(noise(50, 8, 1)), b = condense(noise(50, 8, 2));
  SearchOptions o;
  o.depth = 3;
  o.keep_state = true;
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

// Ties by the thousand: any of the last features completes the best set.
Dataset many_ties(std::size_t spare) {
  Dataset::Parts parts;
  const std::size_t rows = 64;
  parts.class_names = {"0", "1"};
  parts.columns.assign(4 + spare, BitColumn(words_for(rows)));
  for (std::size_t f = 0; f < parts.columns.size(); ++f) parts.feature_names.push_back(fmt::format("f{}", f));
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t f = 0; f < 4; ++f)
      if ((r >> f & 1) != 0) set_bit(parts.columns[f], r);
    for (std::size_t f = 0; f < spare; ++f)
      if (r == f + 8) set_bit(parts.columns[4 + f], r);
    parts.labels.emplace_back((r & 1) ^ (r >> 1 & 1) ^ (r >> 5 & 1));
  }
  return Dataset(std::move(parts));
}

// Whatever the search does about ties, its checkpoints are states of the whole problem, and each can be gone on from.
TEST(SearchTies, CheckpointsAreOfTheWholeProblem) {
  const Condensed c = condense(many_ties(24));
  SearchOptions o;
  o.depth = 5;
  const auto whole = search(c, o, {});
  ASSERT_TRUE(whole && whole->tie_canonical);
  SearchOptions part = o;
  part.effort.max_ties = 1;
  part.effort.bounds.linear_cap = false;
  part.checkpoint_seconds = 1e-9;
  std::vector<SearchState> states;
  part.checkpoint = [&](const SearchState& s) { states.push_back(s); };
  const auto got = search(c, part, {});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->features, whole->features);
  ASSERT_FALSE(states.empty());
  EXPECT_FALSE(states.back().ties_complete);
  for (std::size_t i = 0; i < states.size(); i += 1 + states.size() / 20) {
    ASSERT_TRUE(check_state(c, o, states[i]));
    SearchOptions again = o;
    again.resume = &states[i];
    again.threads = 1 + i % 2;
    const auto resumed = search(c, again, {});
    ASSERT_TRUE(resumed);
    EXPECT_TRUE(resumed->tie_canonical);
    EXPECT_EQ(resumed->features, whole->features);
  }
}

// A limit on the work for ties never costs the proof of the error; without that work the set is any of the best.
TEST(SearchTies, BudgetCostsOnlyTheOrder) {
  Rng rng(77);
  unsigned settled = 0, left = 0;
  for (int i = 0; i < 300; ++i) {
    TableShape shape;
    shape.rows = 5 + rng.below(40);
    shape.features = 4 + rng.below(8);
    shape.noise = rng.unit() / 3;
    const Dataset d = random_table(rng, shape);
    SearchOptions o;
    o.depth = 1 + rng.below(6);
    o.effort.max_ties = rng.below(2);
    o.effort.tie_work = std::uint64_t{1} << rng.below(24);
    o.threads = 1 + static_cast<unsigned>(rng.below(2));
    const NearSet first = naive_sets(d, o).front();
    const auto got = search(condense(d), o, {});
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, SolveStatus::optimal);
    EXPECT_EQ(got->error, first.error);
    EXPECT_EQ(naive_cost(d, {}, got->features), first.error);
    if (got->tie_canonical) {
      EXPECT_EQ(got->features, first.features);
    }
    ++(got->tie_canonical ? settled : left);
    SearchOptions other = o;  // the verdict is the same for another seed and kernel
    other.seed = rng.next();
    other.kernel = Kernel::portable;
    other.threads = 3 - o.threads;
    if (o.effort.max_ties == 0) {
      EXPECT_EQ(search(condense(d), other, {})->tie_canonical, got->tie_canonical);
    }
  }
  EXPECT_GT(settled, 20u);
  EXPECT_GT(left, 20u);
}

TEST(SearchTies, EndSoonAfterTheBoundsMet) {
  const Condensed c = condense(many_ties(56));
  SearchOptions o;
  o.depth = 9;  // about 10^10 sets
  o.effort.tie_work = std::uint64_t{1} << 24;
  const testing_support::ProcessorTime clock;
  const auto got = search(c, o, {});
  EXPECT_LT(clock.seconds(), 20.0);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, SolveStatus::optimal);
}

TEST(SearchProblemTest, OneProblemForSeveralSearches) {
  const Dataset d = noise(150, 12, 5);
  SearchOptions o;
  o.forbid = {Feature{2}};
  o.require = {Feature{4}};
  const auto problem = prepare(d, o, {});
  ASSERT_TRUE(problem && problem->complete());
  for (o.depth = 1; o.depth <= 5; ++o.depth) {
    const auto shared = search(*problem, o, {}), fresh = search(condense(d), o, {});
    ASSERT_TRUE(shared && fresh);
    EXPECT_EQ(shared->features, fresh->features);
    EXPECT_EQ(shared->error, fresh->error);
    EXPECT_EQ(shared->features, naive_sets(d, o).front().features);
    NearOptions near;
    near.within = 1;
    const auto slow = search_near(*problem, o, near, {});
    near.optimum = shared->error;
    const auto quick = search_near(*problem, o, near, {});
    ASSERT_TRUE(slow && quick);
    EXPECT_EQ(slow->sets, quick->sets);
  }
  o.forbid.clear();
  EXPECT_THROW((void)search(*problem, o, {}), ContractViolation);
}

TEST(SearchProblemTest, LimitsEndThePreparation) {
  const Dataset d = noise(3000, 60, 3);
  std::atomic<bool> stop{true};
  Control control;
  control.interrupt = &stop;
  EXPECT_FALSE(condense(d, control));
  Control tight;
  tight.memory_limit = 1 << 16;
  EXPECT_FALSE(condense(d, tight));
  for (const Control& c : {control, tight}) {
    const auto problem = prepare(d, {}, c);
    ASSERT_TRUE(problem);
    EXPECT_FALSE(problem->complete());
    EXPECT_EQ(problem->memory_limit_hit(), c.memory_limit != 0);
    const auto got = search(*problem, {}, c);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, SolveStatus::unknown);
    EXPECT_EQ(got->lower_bound, 0);
    EXPECT_EQ(local_search(*problem, {}, c)->status, SolveStatus::unknown);
    EXPECT_EQ(least_depth(*problem, {}, c)->status, SolveStatus::unknown);
    NearOptions near;
    near.best = 3;
    EXPECT_EQ(search_near(*problem, {}, near, c)->status, SolveStatus::unknown);
  }
}

TEST(SearchLimits, DeadlineIsKept) {
  const Condensed c = condense(noise(3000, 60, 3));
  for (unsigned threads = 1; threads <= 2; ++threads) {
    SearchOptions o;
    o.depth = 9;
    o.threads = threads;
    Control control;
    control.deadline = Deadline::in(0.3);
    const testing_support::ProcessorTime clock;
    const auto got = search(c, o, control);
    EXPECT_LT(clock.seconds(), 3.0);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, SolveStatus::feasible);
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
  EXPECT_NE(got->status, SolveStatus::optimal);
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
  EXPECT_EQ(got->status, SolveStatus::feasible);
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
  EXPECT_NE(got->status, SolveStatus::optimal);
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
  const auto same = local_search(condense(d), o, {});
  EXPECT_EQ(same->features, got->features);
}

}  // namespace
}  // namespace beadwork
