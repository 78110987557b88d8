// One search over sorted columns in parts: the answer of the undivided one.

#include "unit/ordered/tables.hpp"

#include <algorithm>
#include <atomic>

namespace beadwork {
namespace {

using namespace test;

RankedData data_to_divide(Rng& rng) {
  Shape shape = random_shape(rng);
  shape.rows = 8 + rng.below(30);
  shape.columns = 2 + rng.below(3);
  shape.classes = 2 + rng.below(2);
  return *rank(random_table(rng, shape));
}

// All parts, in a random order, each as text; some are stopped at their first checkpoint and go on from it.
std::vector<OrderedPartState> all_parts(Rng& rng, const RankedData& data, const OrderedOptions& options,
                                        const OrderedPlan& plan, std::size_t& stops) {
  std::vector<OrderedPartState> out;
  std::vector<std::size_t> order(plan.parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  rng.shuffle(std::span(order));
  for (const std::size_t part : order) {
    std::optional<OrderedState> state;
    for (bool complete = false; !complete;) {
      std::atomic<bool> stop{false};
      Control control;
      control.interrupt = &stop;
      OrderedOptions at = options;
      at.effort.poll_steps = 1;
      at.checkpoint_seconds = 1e-9;
      const bool stopping = rng.below(2) == 0 && stops < 2000;
      at.checkpoint = [&](const OrderedState& s) {
        if (stopping && (!state || s.levels != state->levels)) stop = true;
      };
      at.exchange_seconds = 0;
      at.exchange = [](const std::vector<Cut>&, std::int64_t) { return std::optional<std::vector<Cut>>{}; };
      if (state) at.resume = &*state;
      const auto got = search_part(data, at, plan, part, control);
      EXPECT_TRUE(got) << got.error().to_string();
      if (!got) return out;
      state = *parse_ordered_state(to_text(got->state));
      complete = got->complete;
      stops += complete ? 0 : 1;
    }
    out.push_back({part, true, *state});
  }
  return out;
}

TEST(OrderedPlans, PartsGiveTheAnswerOfTheWhole) {
  Rng rng(2026);
  std::size_t real = 0, stops = 0;
  for (std::size_t i = 0; i < tables(500) && !testing::Test::HasFailure(); ++i) {
    const RankedData data = data_to_divide(rng);
    OrderedOptions o = random_options(rng, data);
    o.depth = 1 + rng.below(3);
    const auto whole = search_ordered(data, o, {});
    ASSERT_TRUE(whole);
    const std::size_t n = std::vector<std::size_t>{1, 2, 7, 64}[rng.below(4)];
    auto plan = plan_ordered(data, o, n, {});
    ASSERT_EQ(static_cast<bool>(plan), whole->status != OrderedStatus::infeasible);
    if (!plan) continue;
    ASSERT_EQ(plan->parts.size(), n);
    const auto text = parse_ordered_plan(to_text(*plan));
    ASSERT_TRUE(text) << text.error().to_string();
    EXPECT_EQ(text->parts, plan->parts);
    if (rng.below(3) == 0 && o.require.empty() && o.require_columns.empty()) {  // the poorest incumbent
      plan->start.incumbent.clear();
      plan->start.error = *cuts_error(data, o, {});
    }
    for (std::size_t part = 0; part < n; ++part) real += is_empty(*plan, part) ? 0 : 1;
    const auto merged = merge_parts(*plan, all_parts(rng, data, o, *plan, stops));
    ASSERT_TRUE(merged) << merged.error().to_string();
    EXPECT_TRUE(merged->missing.empty());
    OrderedOptions at = o;
    at.resume = &merged->state;
    const auto got = search_ordered(data, at, {});
    ASSERT_TRUE(got) << got.error().to_string();
    EXPECT_EQ(got->status, OrderedStatus::optimal) << i;
    EXPECT_EQ(merged->state.error, whole->error) << i;  // the parts alone have found it
    EXPECT_EQ(got->error, whole->error) << i;
    if (whole->first && got->first) {
      EXPECT_EQ(got->cuts, whole->cuts) << i;
    }
  }
  EXPECT_GT(real, 600U);
  EXPECT_GT(stops, 20U);
}

TEST(OrderedPlans, WhatIsMissingIsSearchedByWhoResumes) {
  Rng rng(5);
  for (std::size_t i = 0; i < tables(150) && !testing::Test::HasFailure(); ++i) {
    const RankedData data = data_to_divide(rng);
    OrderedOptions o;
    o.depth = 2;
    const auto whole = search_ordered(data, o, {});
    const auto plan = plan_ordered(data, o, 5, {});
    ASSERT_TRUE(whole && plan);
    std::size_t stops = 0;
    auto parts = all_parts(rng, data, o, *plan, stops);
    const std::size_t lost = rng.below(parts.size());
    parts[lost].complete = false;
    const auto merged = merge_parts(*plan, parts);
    ASSERT_TRUE(merged);
    EXPECT_EQ(merged->missing.empty(), is_empty(*plan, parts[lost].part));
    EXPECT_LE(merged->state.lower_bound, whole->error);
    OrderedOptions at = o;
    at.resume = &merged->state;
    const auto got = search_ordered(data, at, {});
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, OrderedStatus::optimal);
    EXPECT_EQ(got->error, whole->error);
    parts.push_back(parts.front());
    EXPECT_FALSE(merge_parts(*plan, parts));  // there twice
    parts.pop_back();
    parts.front().state.problem = "another";
    EXPECT_FALSE(merge_parts(*plan, parts));
  }
}

}  // namespace
}  // namespace beadwork
