#include "support/processor_time.hpp"
#include "unit/ordered/tables.hpp"

#include <atomic>

namespace beadwork {
namespace {

using namespace test;

// Rows and columns of noise in which the class follows three cuts, now and then not.
RankedData made(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Rng rng(seed);
  RankedData data;
  data.class_names = {"n", "p"};
  for (std::size_t c = 0; c < columns; ++c) {
    data.inputs.push_back({"x" + std::to_string(c), ColumnType::numeric, {}});
    RankedColumn column{c, static_cast<std::uint32_t>(rows), false, {}, {}, {}};
    for (std::uint32_t r = 0; r < rows; ++r) column.ranks.push_back(r);
    rng.shuffle(std::span(column.ranks));
    data.columns.push_back(std::move(column));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const bool a = data.columns[0].ranks[r] < rows / 3, b = data.columns[1].ranks[r] < rows / 2;
    data.labels.emplace_back(static_cast<std::size_t>((a != b) != (rng.unit() < 0.1)));
  }
  return data;
}

TEST(OrderedSearch, TheExampleOfTheManual) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < 40; ++i)
    text +=
        std::to_string(i % 7) + "," + std::to_string(i % 11) + "," + (i % 7 > 2 && i % 11 < 6 ? "yes" : "no") + "\n";
  const Table table = parse_table(text, "t.csv")->table;
  auto data = rank(table);
  OrderedOptions options;
  options.depth = 3;
  auto outcome = search_ordered(*data, options, {});
  ASSERT_TRUE(outcome && outcome->status == OrderedStatus::optimal);
  EXPECT_EQ(outcome->error, 0);
  ASSERT_EQ(outcome->cuts.size(), 2u);  // the fewest that do
  EXPECT_EQ(to_test(*data, outcome->cuts[0]).threshold, 2.5);
  EXPECT_EQ(to_test(*data, outcome->cuts[1]).threshold, 5.5);
}

TEST(OrderedSearch, ThreadsAndSeedsDoNotChangeTheAnswer) {
  const RankedData data = made(400, 4, 3);
  OrderedOptions options;
  const auto one = search_ordered(data, options, {});
  ASSERT_TRUE(one && one->status == OrderedStatus::optimal && one->first);
  for (const std::uint64_t seed : {2U, 3U}) {
    options.threads = static_cast<unsigned>(seed);
    options.seed = seed;
    const auto other = search_ordered(data, options, {});
    ASSERT_TRUE(other);
    EXPECT_EQ(other->error, one->error);
    EXPECT_EQ(other->cuts, one->cuts);
    EXPECT_TRUE(other->first);
  }
}

// Several threads look for the first set under the budget of one: whether it is enough depends on the table alone.
TEST(OrderedSearch, ThreadsDoNotChangeWhetherTheFirstSetIsFound) {
  Rng rng(12);
  std::size_t found = 0, given_up = 0;
  for (std::size_t i = 0; i < tables(300) && !HasFailure(); ++i) {
    const RankedData data = made(10 + rng.below(60), 2 + rng.below(4), rng.next());
    OrderedOptions options;
    options.depth = 2 + rng.below(3);
    options.effort.poll_steps = 1 + rng.below(200);
    options.effort.first_budget = std::uint64_t{1} << (6 + rng.below(12));
    const auto one = search_ordered(data, options, {});
    ASSERT_TRUE(one && one->status == OrderedStatus::optimal);
    (one->first ? found : given_up) += 1;
    for (const unsigned threads : {2U, 3U}) {
      options.threads = threads;
      options.seed = rng.next();
      const auto other = search_ordered(data, options, {});
      ASSERT_TRUE(other);
      EXPECT_EQ(other->error, one->error) << i;
      EXPECT_EQ(other->first, one->first) << i;
      if (one->first) {
        EXPECT_EQ(other->cuts, one->cuts) << i;
      }
    }
  }
  EXPECT_GT(found, tables(50));
  EXPECT_GT(given_up, tables(50));
}

TEST(OrderedSearch, StopsInTimeWithBoundsThatHold) {
  const RankedData data = made(3000, 12, 4);
  OrderedOptions options;
  options.depth = 6;
  Control control;
  control.deadline = Deadline::in(0.5);
  const testing_support::ProcessorTime clock;
  const auto outcome = search_ordered(data, options, control);
  ASSERT_TRUE(outcome);
  EXPECT_LT(clock.seconds(), 5);
  EXPECT_EQ(outcome->status, OrderedStatus::feasible);
  EXPECT_LE(outcome->lower_bound, outcome->error);
  EXPECT_EQ(outcome->error, *cuts_error(data, options, outcome->cuts));
  EXPECT_LE(outcome->error, 600);  // noise is a tenth; without a cut it is a half
}

TEST(OrderedSearch, ABoundIsReportedBeforeTheEnd) {
  const RankedData data = made(1500, 5, 6);
  std::int64_t early = 0;
  Control control;
  control.progress = [&](const Progress& p) {
    EXPECT_LE(p.lower_bound, *p.upper_bound);
    early = std::max(early, p.lower_bound);
    return early == 0;
  };
  OrderedOptions options;
  options.depth = 4;
  const auto outcome = search_ordered(data, options, control);
  ASSERT_TRUE(outcome);
  EXPECT_GT(early, 0);
  EXPECT_EQ(outcome->status, OrderedStatus::feasible);  // the sink asked to stop
  EXPECT_GE(outcome->lower_bound, early);
}

// Where a pass at half of the incumbent's error is long, limits rise from low ones: each bound must hold at the end.
TEST(OrderedSearch, BoundsRiseFromLowLimits) {
  const RankedData data = made(300, 8, 9);
  std::vector<std::int64_t> bounds;
  Control control;
  control.progress = [&](const Progress& p) {
    if (bounds.empty() || bounds.back() < p.lower_bound) bounds.push_back(p.lower_bound);
    return bounds.size() < 3;
  };
  OrderedOptions options;
  options.depth = 5;
  const auto outcome = search_ordered(data, options, control);
  ASSERT_TRUE(outcome);
  EXPECT_GE(bounds.size(), 3u);
  EXPECT_LE(bounds.back(), outcome->lower_bound);
  EXPECT_LE(outcome->lower_bound, outcome->error);
}

// Some rows that are there twice are searched as two; as one of weight 2 they give the same answer.
TEST(OrderedSearch, RowsThatAreThereTwice) {
  RankedData twice = made(300, 3, 10);
  RankedData weighted = twice;
  weighted.weights.assign(300, 1);
  for (std::size_t r = 0; r < 20; ++r) {
    weighted.weights[r] = 2;
    twice.labels.push_back(twice.labels[r]);
    for (RankedColumn& c : twice.columns) c.ranks.push_back(c.ranks[r]);
  }
  RankedData apart = weighted;  // weights times 3: nothing is repeated, and no lanes are used
  for (std::int64_t& w : apart.weights) w *= 3;
  const auto a = search_ordered(twice, {}, {}), b = search_ordered(weighted, {}, {}), c = search_ordered(apart, {}, {});
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->error, b->error);
  EXPECT_EQ(a->cuts, b->cuts);
  EXPECT_EQ(3 * a->error, c->error);
  EXPECT_EQ(a->cuts, c->cuts);
  EXPECT_EQ(a->error, *cuts_error(twice, {}, a->cuts));
}

TEST(OrderedSearch, InterruptedAndShortOfMemory) {
  const RankedData data = made(500, 5, 7);
  const std::atomic<bool> interrupt = true;
  Control control;
  control.interrupt = &interrupt;
  EXPECT_EQ(search_ordered(data, {}, control)->status, OrderedStatus::feasible);
  Control small;
  small.memory_limit = 1;
  const auto outcome = search_ordered(data, {}, small);
  EXPECT_EQ(outcome->status, OrderedStatus::feasible);
  EXPECT_TRUE(outcome->memory_limit_hit);
  EXPECT_EQ(outcome->error, *cuts_error(data, {}, outcome->cuts));
}

// Each thread has nodes of its own: a limit that has no room for so many brings fewer threads, not the end of the
// search.
TEST(OrderedSearch, FewerThreadsWhereMemoryIsShort) {
  const RankedData data = made(20000, 5, 7);
  OrderedOptions options;
  options.depth = 2;
  const auto one = search_ordered(data, options, {});
  options.threads = 64;
  Control control;
  control.memory_limit = current_memory() + (std::size_t{60} << 20);
  const auto many = search_ordered(data, options, control);
  ASSERT_TRUE(one && many);
  EXPECT_EQ(many->status, OrderedStatus::optimal);
  EXPECT_FALSE(many->memory_limit_hit);
  EXPECT_EQ(many->cuts, one->cuts);
}

TEST(OrderedSearch, BadOptions) {
  const RankedData data = made(20, 2, 8);
  OrderedOptions options;
  options.depth = 21;
  EXPECT_FALSE(search_ordered(data, options, {}));
  options = {};
  options.costs = {0, 1, 1};
  EXPECT_FALSE(search_ordered(data, options, {}));
  options.costs = {0, -1, 1, 0};
  EXPECT_FALSE(search_ordered(data, options, {}));
  options = {};
  options.require = options.forbid = {{0, 3}};
  EXPECT_FALSE(search_ordered(data, options, {}));
  options = {};
  options.forbid = {{0, 19}};
  EXPECT_THROW((void)search_ordered(data, options, {}), ContractViolation);
  options = {};
  options.depth = 1;
  options.require_columns = {0, 1};
  EXPECT_EQ(search_ordered(data, options, {})->status, OrderedStatus::infeasible);
}

// The local search alone: CART's tests and better.
TEST(OrderedSearch, LocalSearchHasNoProof) {
  const RankedData data = made(400, 4, 3);
  OrderedOptions options;
  const auto local = local_ordered(data, options, {});
  ASSERT_TRUE(local);
  EXPECT_EQ(local->status, OrderedStatus::feasible);
  EXPECT_EQ(local->error, *cuts_error(data, options, local->cuts));
  EXPECT_GE(local->error, search_ordered(data, options, {})->error);
  options.effort.restarts = 1;  // from CART's tests
  EXPECT_LE(local_ordered(data, options, {})->error, 100);
}

}  // namespace
}  // namespace beadwork
