// Stopping, going on, and the text of a state. BEADWORK_ORDERED_TABLES multiplies the number of tables.

#include "support/looks.hpp"
#include "support/repeats.hpp"
#include "unit/ordered/tables.hpp"

#include <atomic>

namespace beadwork {
namespace {

using namespace test;

TEST(OrderedStates, SurviveText) {
  OrderedState s;
  s.problem = std::string(64, 'a');
  s.error = 7;
  s.incumbent = {{1, 2}, {3, 0}};
  s.lower_bound = 4;
  s.levels = {{{}, {3, 1, 2}, {{1, 0, 4}, {3, 2, 2}}}, {Cut{3, 1}, {1}, {}}};
  const std::string text = to_text(s);
  const auto back = parse_ordered_state(text);
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(*back, s);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string broken = text;
    broken[i] = broken[i] == '1' ? '2' : '1';
    EXPECT_FALSE(parse_ordered_state(broken)) << i;
    EXPECT_FALSE(parse_ordered_state(text.substr(0, i)));
  }
}

// Sealed, so that it is the content that is refused.
TEST(OrderedStates, RefuseWhatIsNoState) {
  OrderedState s;
  s.problem = "p";
  s.levels = {{{}, {0}, {{0, 1, 2}}}};
  std::string text = to_text(s);
  text.erase(text.rfind("sha256 "));
  const auto sealed = [](const std::string& t) { return t + "sha256 " + Sha256::of(t) + "\n"; };
  ASSERT_TRUE(parse_ordered_state(sealed(text)));
  const std::pair<const char*, const char*> changes[] = {{"ordered-state 1", "ordered-state 2"},
                                                         {"error 0", "error x"},
                                                         {"error 0\n", ""},
                                                         {"lower_bound 0", "lower_bound"},
                                                         {"incumbent", "incumbent 1"},
                                                         {"incumbent", "incumbent 1:"},
                                                         {"below - 1", "below - 2"},
                                                         {"below - 1", "below 3 1"},
                                                         {"below - 1", "below -"},
                                                         {"below - 1 0", "below - 1 -1"},
                                                         {"done 0:1 0:2", "done 0:1 1:2"},
                                                         {"done 0:1 0:2", "done 0:3 0:2"},
                                                         {"done 0:1 0:2", "done 0:1"},
                                                         {"done 0:1 0:2\n", "done 0:1 0:2\nmore\n"}};
  for (const auto& [from, to] : changes) {
    std::string changed = text;
    changed.replace(changed.find(from), std::string(from).size(), to);
    EXPECT_FALSE(parse_ordered_state(sealed(changed))) << to;
  }
}

RankedData random_data(Rng& rng, std::size_t rows) {
  Shape shape = random_shape(rng);
  shape.rows = rows;
  shape.columns = 2 + rng.below(3);
  shape.values = 3 + rng.below(8);
  return *rank(random_table(rng, shape));
}

std::optional<OrderedState> state_of(const RankedData& data, OrderedOptions o) {
  std::optional<OrderedState> state;
  o.checkpoint = [&](const OrderedState& s) { state = s; };
  EXPECT_TRUE(search_ordered(data, o, {}));
  return state;
}

TEST(OrderedStates, OfOtherDataOrOptionsAreRefused) {
  Rng rng(3);
  const RankedData a = random_data(rng, 30), b = random_data(rng, 30);
  OrderedOptions o;
  o.depth = 2;
  const OrderedState state = *state_of(a, o);
  const auto refused = [&](const RankedData& data, OrderedOptions other, const OrderedState& from) {
    other.resume = &from;
    const auto outcome = search_ordered(data, other, {});
    return !outcome && outcome.error().where == "resume" && outcome.error().code == ErrorCode::usage;
  };
  EXPECT_FALSE(refused(a, o, state));
  EXPECT_TRUE(refused(b, o, state));
  std::vector<OrderedOptions> others(6, o);
  others[0].depth = 3;
  others[1].forbid = {{0, 0}};
  others[2].require = {{0, 0}};
  others[3].require_columns = {0};
  others[4].candidate_columns = {0};
  others[5].costs.assign(a.num_classes() * a.num_classes(), 1);
  for (const OrderedOptions& other : others) EXPECT_TRUE(refused(a, other, state));
  o.threads = 2;  // these do not matter
  o.seed = 7;
  o.effort.linear_cap = false;
  EXPECT_FALSE(refused(a, o, state));
  std::vector<OrderedState> false_ones(7, state);
  --false_ones[0].error;
  false_ones[1].incumbent = {{0, 0}, {0, 1}, {1, 0}};
  false_ones[2].incumbent = {{99, 0}};
  false_ones[3].levels = {{Cut{0, 9999}, {}, {}}};
  false_ones[4].levels = {{{}, {99}, {}}};
  false_ones[5].levels = {{{}, {}, {{0, 0, 9999}}}};
  false_ones[6].levels = {{{}, {}, {{99, 0, 0}}}};
  for (const OrderedState& s : false_ones) EXPECT_TRUE(refused(a, o, s));
}

// Runs that are stopped at a checkpoint, each going on from the text of the state of the one before.
struct Chain {
  const RankedData& data;
  OrderedOptions options;
  Rng& rng;
  std::optional<OrderedState> state = {};
  std::size_t stops = 0, deep = 0;  // deep: states with something done below a single cut

  std::optional<OrderedOutcome> next() {
    OrderedOptions part = options;
    part.threads = 1 + static_cast<unsigned>(rng.below(2));
    part.seed = rng.next();
    part.effort.linear_cap = rng.below(4) != 0;
    part.effort.poll_steps = rng.below(2) == 0 ? 1 : 1 + rng.below(5000);
    if (rng.below(2) == 0) part.effort.short_run = 1 + rng.below(3000);
    part.checkpoint_seconds = 1e-9;
    std::atomic<bool> stop{false};
    Control control;
    control.interrupt = &stop;
    std::size_t left = 1 + rng.below(4 + 2 * stops);
    OrderedState from;
    if (state) {
      from = *parse_ordered_state(to_text(*state));
      part.resume = &from;
    }
    part.checkpoint = [&](const OrderedState& s) {
      state = s;
      if (--left == 0) stop = true;
      if (left == 0) left = 1;
    };
    auto outcome = search_ordered(data, part, control);
    EXPECT_TRUE(outcome) << outcome.error().to_string();
    if (stop) {
      ++stops;
      for (const OrderedLevel& level : state->levels) deep += level.below && !level.done.empty() ? 1 : 0;
    }
    return outcome ? std::optional(*std::move(outcome)) : std::nullopt;
  }
};

// Below a cut of a required column and below one that parts nothing, two threads each have their own account of what is
// done. With a column of two values both are under way at once.
TEST(OrderedStates, ACutThatPartsNothingHasAnAccountOfItsOwn) {
  Rng rng(14);
  for (std::size_t i = 0; i < tables(static_cast<std::size_t>(test::repeats(6000))) && !testing::Test::HasFailure();
       ++i) {
    RankedData data = random_data(rng, 20 + rng.below(40));
    for (std::uint32_t& r : data.columns[0].ranks) r = static_cast<std::uint32_t>(rng.below(2));
    data.columns[0].ranks[0] = 0;
    data.columns[0].ranks[1] = 1;
    data.columns[0].num_ranks = 2;
    OrderedOptions o;
    o.depth = 3;
    o.require_columns = {0};
    o.effort.restarts = 0;
    const auto one = search_ordered(data, o, {});
    o.threads = 2;
    o.effort.poll_steps = 1;
    o.checkpoint = [](const OrderedState&) {};
    const auto two = search_ordered(data, o, {});
    ASSERT_TRUE(one && two);
    EXPECT_EQ(two->error, one->error) << i;
  }
}

TEST(OrderedStates, ResumedRunsAgree) {
  Rng rng(1);
  std::size_t stops = 0, deep = 0;
  for (std::size_t i = 0; i < tables(2500) && !testing::Test::HasFailure(); ++i) {
    const RankedData data = random_data(rng, 10 + rng.below(40));
    OrderedOptions o = random_options(rng, data);
    o.depth = 2 + rng.below(3);
    const auto whole = search_ordered(data, o, {});
    ASSERT_TRUE(whole);
    Chain chain{data, o, rng};
    for (std::size_t runs = 0;; ++runs) {
      ASSERT_LT(runs, 400U) << i;
      const auto got = chain.next();
      ASSERT_TRUE(got) << i;
      if (whole->status == OrderedStatus::infeasible) {
        EXPECT_EQ(got->status, OrderedStatus::infeasible) << i;
        break;
      }
      EXPECT_LE(got->lower_bound, whole->error) << i;
      EXPECT_GE(got->error, whole->error) << i;
      if (got->status != OrderedStatus::optimal) continue;
      EXPECT_EQ(got->error, whole->error) << i;
      EXPECT_EQ(got->lower_bound, whole->error) << i;
      if (whole->first && !got->first) continue;  // stopped while it looked for the first set
      EXPECT_TRUE(!whole->first || got->cuts == whole->cuts) << i;
      break;
    }
    stops += chain.stops;
    deep += chain.deep;
  }
  EXPECT_GT(stops, tables(1000));
  EXPECT_GT(deep, tables(50));
}

// A state of another version may have another order of columns: the search keeps to it.
TEST(OrderedStates, AnyOrderOfColumnsWillDo) {
  Rng rng(4);
  for (std::size_t i = 0; i < tables(400) && !testing::Test::HasFailure(); ++i) {
    const RankedData data = random_data(rng, 10 + rng.below(40));
    OrderedOptions o = random_options(rng, data);
    o.depth = 2 + rng.below(2);
    const auto whole = search_ordered(data, o, {});
    ASSERT_TRUE(whole);
    Chain chain{data, o, rng};
    if (!chain.next() || !chain.state || chain.state->levels.empty()) continue;
    OrderedState state = *chain.state;
    state.lower_bound = 0;
    state.levels.resize(1);
    state.levels[0].done.clear();
    rng.shuffle(std::span(state.levels[0].order));
    for (const Cut& cut : state.incumbent)
      if (!contains(o.require, cut)) state.levels.push_back({cut, state.levels[0].order, {}});
    o.resume = &state;
    const auto got = search_ordered(data, o, {});
    ASSERT_TRUE(got) << i << got.error().to_string();
    EXPECT_EQ(got->error, whole->error) << i;
    EXPECT_TRUE(!whole->first || got->cuts == whole->cuts) << i;
  }
}

// What a state says of the sets whose first cut, or first two cuts, lie in its ranges, set by set.
struct Claims {
  const Brute& brute;
  const OrderedState& state;
  std::size_t checked = 0;

  static bool in(const OrderedLevel& level, const Cut& cut) {
    return std::any_of(level.done.begin(), level.done.end(), [&](const OrderedLevel::Range& r) {
      return r.column == cut.column && r.from <= cut.rank && cut.rank <= r.to;
    });
  }
  // Nothing where a column is not listed.
  static std::optional<Cut> first(const OrderedLevel& level, const std::vector<Cut>& set) {
    const auto place = [&](const Cut& c) {
      return std::find(level.order.begin(), level.order.end(), c.column) - level.order.begin();
    };
    const auto least = std::min_element(set.begin(), set.end(), [&](const Cut& a, const Cut& b) {
      return std::pair(place(a), a) < std::pair(place(b), b);
    });
    const bool listed =
        std::all_of(set.begin(), set.end(), [&](const Cut& c) { return contains(level.order, c.column); });
    return listed && least != set.end() ? std::optional(*least) : std::nullopt;
  }
  bool done(std::vector<Cut> set) const {
    const OrderedLevel* level = find({});
    auto cut = level != nullptr ? first(*level, set) : std::nullopt;
    if (!cut || in(*level, *cut)) return cut.has_value();
    std::erase(set, *cut);
    level = find(cut);
    cut = level != nullptr ? first(*level, set) : std::nullopt;
    return cut && in(*level, *cut);
  }
  const OrderedLevel* find(const std::optional<Cut>& below) const {
    for (const OrderedLevel& level : state.levels)
      if (level.below == below) return &level;
    return nullptr;
  }
  void check(std::vector<std::size_t>& set, std::size_t from) {
    judge(set);
    if (set.size() == brute.options.depth) return;
    for (std::size_t i = from; i < brute.cuts.size(); ++i) {
      if (!brute.allowed(brute.cuts[i])) continue;
      set.push_back(i);
      check(set, i + 1);
      set.pop_back();
    }
  }
  void judge(const std::vector<std::size_t>& set) {
    std::vector<Cut> all, chosen;
    std::vector<Feature> features;
    for (const std::size_t i : set) {
      all.push_back(brute.cuts[i]);
      if (!contains(brute.options.require, brute.cuts[i])) chosen.push_back(brute.cuts[i]);
      features.emplace_back(i);
    }
    for (const Cut& c : brute.options.require)
      if (!contains(all, c)) return;
    for (const std::uint32_t column : brute.options.require_columns)
      if (std::none_of(all.begin(), all.end(), [&](Cut c) { return c.column == column; })) return;
    if (!done(chosen)) return;
    ++checked;
    EXPECT_GE(brute_error(brute.dataset, brute.options.costs, features), state.error);
  }
};

TEST(OrderedStates, WhatIsDoneIsDone) {
  Rng rng(2);
  std::size_t checked = 0, below = 0;
  for (std::size_t i = 0; i < tables(1500) && !testing::Test::HasFailure(); ++i) {
    Shape shape = random_shape(rng);
    shape.rows = 8 + rng.below(20);
    const Table table = random_table(rng, shape);
    const auto data = rank(table);
    ASSERT_TRUE(data);
    OrderedOptions o = random_options(rng, *data);
    o.depth = 2 + rng.below(all_cuts(*data).size() > 16 ? 2 : 3);
    o.effort.restarts = 0;  // a poor incumbent: there is more to search
    const Dataset dataset = all_features(table);
    const Brute brute{*data, dataset, o};
    Chain chain{*data, o, rng};
    for (std::size_t runs = 0; runs < 4; ++runs) {
      const auto got = chain.next();
      if (!got || !chain.state || got->status != OrderedStatus::feasible) break;
      Claims claims{brute, *chain.state};
      std::vector<std::size_t> set;
      claims.check(set, 0);
      checked += claims.checked;
      below += chain.state->levels.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(checked, tables(10000));
  EXPECT_GT(below, tables(20));
}

// Stopped again and again, each time after an eighth of the looks at the clock that the whole takes; bounds do not fall
// from one part to the next.
TEST(OrderedStates, AChainOfShortRunsGetsThere) {
  Rng rng(5);
  RankedData data;
  data.class_names = {"n", "p"};
  const std::uint32_t rows = 250;
  for (std::size_t c = 0; c < 4; ++c) {
    data.inputs.push_back({"x" + std::to_string(c), ColumnType::numeric, {}});
    RankedColumn column{c, rows, false, {}, {}, {}};
    for (std::uint32_t r = 0; r < rows; ++r) column.ranks.push_back(r);
    rng.shuffle(std::span(column.ranks));
    data.columns.push_back(std::move(column));
  }
  for (std::size_t r = 0; r < rows; ++r) data.labels.emplace_back(rng.below(2));
  OrderedOptions o;
  o.depth = 3;
  const testing_support::Looks in_all;
  const auto whole = search_ordered(data, o, in_all.never_stopping());
  ASSERT_TRUE(whole && whole->status == OrderedStatus::optimal);
  std::optional<OrderedState> state;
  o.checkpoint = [&](const OrderedState& s) { state = s; };
  OrderedState from;
  std::int64_t lower = 0;
  for (int runs = 0; runs < 2000; ++runs) {
    const testing_support::Looks looks;
    const Control control = looks.stopping_at(in_all.made() / 8);
    if (state) from = *state;
    o.resume = state ? &from : nullptr;
    const auto got = search_ordered(data, o, control);
    ASSERT_TRUE(got);
    EXPECT_GE(got->lower_bound, lower);
    lower = got->lower_bound;
    if (got->status != OrderedStatus::optimal) continue;
    EXPECT_EQ(got->error, whole->error);
    EXPECT_GT(runs, 1);
    return;
  }
  FAIL() << "no end";
}

}  // namespace
}  // namespace beadwork
