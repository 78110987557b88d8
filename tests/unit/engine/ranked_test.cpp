// Learning from sorted columns gives what learning from all their features gives.

#include "support/repeats.hpp"
#include "unit/ordered/tables.hpp"
#include <beadwork/engine.hpp>
#include <beadwork/engine/cut_names.hpp>
#include <beadwork/engine/ranked.hpp>

#include <algorithm>
#include <array>

namespace beadwork {
namespace {

using namespace test;

std::vector<std::string> sorted_names(const Dataset& dataset, const std::vector<Feature>& features) {
  std::vector<std::string> out;
  for (const Feature f : features) out.push_back(dataset.feature_name(f));
  std::sort(out.begin(), out.end());
  return out;
}

struct Both {
  Table table;
  Binarizer binarizer;
  Dataset features;
  std::shared_ptr<const RankedData> ranks;

  explicit Both(Table t)
      : table(std::move(t)),
        binarizer(*Binarizer::fit(table, {{ThresholdRule::Kind::all, 0}})),
        features(*binarizer.apply(table)),
        ranks(std::make_shared<const RankedData>(*rank(table))) {}
};

// A question that both can be asked: names of features and of columns among the restrictions.
Request random_request(Rng& rng, const Both& data) {
  Request request;
  const std::size_t depth = rng.below(4);
  request.run.depth = {depth, rng.below(5) == 0 ? std::optional(rng.below(depth + 1)) : std::nullopt};
  request.run.threads = 1 + static_cast<std::int64_t>(rng.below(2));
  const auto name = [&] {
    return rng.below(3) == 0 ? data.binarizer.inputs()[rng.below(data.binarizer.inputs().size())].name
                             : data.features.feature_name(Feature{rng.below(data.features.num_features())});
  };
  if (data.features.num_features() == 0) return request;
  if (rng.below(3) == 0) request.pin.forbid = {name()};
  if (rng.below(4) == 0) request.choice.candidate = {name(), name(), name()};
  if (rng.below(4) == 0) request.pin.require = {name()};
  if (rng.below(8) == 0) request.pin.require.push_back(name());
  if (rng.below(4) == 0)
    for (std::size_t i = 0; i < data.ranks->num_classes() * data.ranks->num_classes(); ++i)
      request.cost.costs.push_back(
          i % (data.ranks->num_classes() + 1) == 0 ? 0 : 1 + 0.5 * static_cast<double>(rng.below(4)));
  const bool sized = request.pin.require.empty() && !request.run.depth.from && rng.below(3) == 0;
  if (const auto roll = rng.below(3); sized && roll == 0)
    request.ask<ForSearch>().max_nodes = 1 + static_cast<std::int64_t>(rng.below(8));
  else if (sized && roll == 1)
    request.ask<ForSearch>().node_penalty = 0.25 * static_cast<double>(1 + rng.below(12));
  else if (sized)
    request.ask<ForSearch>().front = true;
  else if (const auto other = rng.below(4); other == 0)
    request.ask<ForSearch>().top = 1 + static_cast<std::int64_t>(rng.below(40));
  else if (other == 1)
    request.ask<ForSearch>().within = 0.5 * static_cast<double>(rng.below(5));
  return request;
}

// The sets near the best.
void expect_near_alike(const std::optional<SetList>& one, const Outcome& other, const std::string& what) {
  ASSERT_EQ(one.has_value(), other.near.has_value()) << what;
  if (!one) return;
  EXPECT_TRUE(one->complete && other.near->complete) << what;
  EXPECT_EQ(one->num_sets, other.near->num_sets) << what;
  EXPECT_EQ(one->num_copies, other.near->num_copies) << what;
  ASSERT_EQ(one->sets.size(), other.near->sets.size()) << what;
  for (std::size_t i = 0; i < one->sets.size(); ++i) {
    const SetAnswer &a = one->sets[i], &b = other.near->sets[i];
    EXPECT_EQ(a.features, b.features) << what;
    EXPECT_EQ(a.cost, b.cost) << what;
    EXPECT_EQ(a.copies, b.copies) << what;
  }
}

// Features, nodes and costs of the points of a front.
std::vector<std::array<std::int64_t, 3>> points_of(const Outcome& outcome) {
  std::vector<std::array<std::int64_t, 3>> out;
  if (!outcome.front) return out;
  EXPECT_TRUE(outcome.front->complete);
  for (const SetAnswer& p : outcome.front->sets)
    out.push_back({static_cast<std::int64_t>(p.depth), static_cast<std::int64_t>(p.nodes), p.cost});
  return out;
}

void expect_alike(const Both& data, const Request& request, const std::string& what) {
  const auto one = learn(data.features, request);
  const auto other = learn_by_ranks(ranked_dataset(data.ranks), request, {}, {});
  ASSERT_EQ(static_cast<bool>(one), static_cast<bool>(other))
      << what << (one ? other.error().message : one.error().message);
  if (!one) {
    EXPECT_EQ(one.error().message, other.error().message) << what;
    return;
  }
  Claim claim = other->claim;
  if (!claim.scope.required_columns.empty()) claim.canonical = one->claim.canonical;  // which set is first is left open
  EXPECT_EQ(claim_json(one->claim), claim_json(claim)) << what;
  ASSERT_EQ(one->by_depth.size(), other->by_depth.size()) << what;
  for (std::size_t i = 0; i < one->by_depth.size(); ++i)
    EXPECT_EQ(one->by_depth[i].cost, other->by_depth[i].cost) << what;
  const auto& asked = request.only_of<ForSearch>();
  if (request.pin.require.empty() && !asked.max_nodes && !asked.node_penalty) {
    EXPECT_EQ(sorted_names(data.features, one->features), sorted_names(data.features, other->features)) << what;
  }
  expect_near_alike(one->near, *other, what);
  EXPECT_EQ(points_of(*one), points_of(*other)) << what;
}

TEST(Ranked, LearnsWhatAllFeaturesGive) {
  Rng rng(11);
  std::size_t columns = 0;  // that were required
  for (int i = 0; i < test::repeats(1500) && !testing::Test::HasFailure(); ++i) {
    Shape shape = random_shape(rng);
    if (rng.below(2) == 0) shape.rows += rng.below(50);
    const Both data(random_table(rng, shape));
    const Request request = random_request(rng, data);
    if (CutNames(*data.ranks).requires_in_vain(request)) continue;
    expect_alike(data, request, "table " + std::to_string(i));
    columns += CutNames(*data.ranks).columns_named(request.pin.require.empty() ? "" : request.pin.require[0]).size();
  }
  EXPECT_GT(columns, static_cast<std::size_t>(test::repeats(1500) / 100));
}

// 40 rows, two columns of as many values: depth 2 goes by ranks.
Table staircase() {
  Column a{"a", ColumnType::numeric, {}, {}, {}}, b{"b", ColumnType::numeric, {}, {}, {}};
  Column y{"y", ColumnType::nominal, {}, {}, {"no", "yes"}};
  for (std::uint32_t r = 0; r < 40; ++r) {
    a.numbers.push_back(r);
    b.numbers.push_back((r * 7) % 40);
    y.codes.push_back((r < 20) != (b.numbers.back() < 10) ? 1 : 0);
  }
  return *Table::make({a, b, y}, 2);
}

// A test has one number: that of the binarizer of all thresholds.
TEST(Ranked, FeaturesAreTheBinarizers) {
  Rng rng(12);
  for (int i = 0; i < 100; ++i) {
    const Both data(random_table(rng, random_shape(rng)));
    const Dataset sorted = ranked_dataset(data.ranks);
    const Binarizer tests = Binarizer::of(data.ranks);
    EXPECT_EQ(tests.listed(), data.binarizer);
    ASSERT_EQ(sorted.num_features(), data.features.num_features());
    ASSERT_EQ(tests.num_features(), data.features.num_features());
    EXPECT_EQ(sorted.feature_names(), data.features.feature_names());
    EXPECT_EQ(features_equal_to_label(sorted), features_equal_to_label(data.features));
    std::vector<Row> some;
    for (std::size_t r = 0; r < sorted.num_rows(); ++r)
      if (rng.below(2) == 0) some.emplace_back(r);
    const Dataset part = sorted.subset(some), same = data.features.subset(some);
    for (std::size_t i = sorted.num_features(); i-- > 0;) {
      const Feature f{i};
      EXPECT_EQ(sorted.column(f), data.features.column(f));
      EXPECT_EQ(sorted.input_name(sorted.input_of(f)), data.features.input_name(data.features.input_of(f)));
      EXPECT_EQ(tests.test(f), data.binarizer.test(f));
      EXPECT_EQ(part.column(f), same.column(f));
      for (std::size_t r = 0; r < sorted.num_rows(); ++r)
        EXPECT_EQ(sorted.value(f, Row{r}), data.features.value(f, Row{r}));
    }
    const auto made = with_bits(sorted);
    ASSERT_TRUE(made);
    EXPECT_FALSE(made->is_sorted());
    EXPECT_EQ(sha256(*made), sha256(data.features));
    EXPECT_EQ(made->feature_names(), data.features.feature_names());
    EXPECT_EQ(rows_sha256(*made), rows_sha256(sorted));
  }
}

// Answers of several threads that ask for the same bits at once.
TEST(Ranked, BitsAreMadeOnce) {
  const Both data(staircase());
  const Dataset sorted = ranked_dataset(data.ranks), copy = sorted;
  std::array<const BitColumn*, 4> first{};
  together(first.size(),
           [&](std::size_t i) {
             for (std::size_t f = sorted.num_features(); f-- > 0;)
               first[i] = &(i % 2 == 0 ? sorted : copy).column(Feature{f});
           },
           {});
  for (const BitColumn* column : first) EXPECT_EQ(column, first[0]);
  EXPECT_EQ(*first[0], data.features.column(Feature{0}));
}

TEST(Ranked, EngineDecidesByOptionsAndThresholds) {
  const Both data(staircase());
  Request request;
  request.run.depth.most = 2;
  EXPECT_TRUE(sorts_columns(data.table, {ThresholdRule::Kind::all, 0}, request));
  EXPECT_FALSE(sorts_columns(data.table, {}, request));
  EXPECT_TRUE(goes_by_ranks(ranked_dataset(data.ranks), request));
  const auto sorted = learn(ranked_dataset(data.ranks), request);
  ASSERT_TRUE(sorted);
  EXPECT_EQ(sorted->features.size(), 2u);
  EXPECT_EQ(sorted->claim.upper_bound, 0);
  EXPECT_EQ(to_words(sorted->claim),
            "optimal: no diagram on at most 2 of these 78 features makes fewer errors, over all thresholds");
  request.ask<ForSearch>().front = true;
  EXPECT_EQ(not_taken(request, Use::ranks), "");
  const auto points = learn(ranked_dataset(data.ranks), request);
  ASSERT_TRUE(points);
  EXPECT_GT(points->front->sets.size(), 2u);
  request.shape.bias = Bias::size;
  request.ask<ForSearch>().front = false;
  request.ask<ForSearch>().all_optima = true;
  EXPECT_EQ(not_taken(request, Use::ranks), "all_optima");
  std::vector<std::string> notes;
  Control control;
  control.log = [&](LogLevel, std::string_view text) { notes.emplace_back(text); };
  const auto listed = learn(ranked_dataset(data.ranks), request, control);
  ASSERT_TRUE(listed);
  EXPECT_EQ(notes, std::vector<std::string>{"with option 'all_optima' all 78 thresholds become features, one by one"});
}

// Sets near the best are those of all features, also where two tests are enough and a third is idle.
TEST(Ranked, ListsSetsNearTheBest) {
  const Both data(staircase());
  for (const std::size_t depth : {2u, 3u}) {
    Request request;
    request.run.depth.most = depth;
    request.ask<ForSearch>().top = 5;
    EXPECT_EQ(not_taken(request, Use::ranks), "");
    Control control;
    const auto listed = learn_by_ranks(ranked_dataset(data.ranks), request, {}, control);
    ASSERT_TRUE(listed);
    expect_near_alike(learn(data.features, request)->near, *listed, "top 5");
    control.memory_limit = 1;
    const auto without = learn_by_ranks(ranked_dataset(data.ranks), request, {}, control);
    ASSERT_TRUE(without && without->near);
    EXPECT_FALSE(without->near->complete);
    EXPECT_TRUE(without->out_of_memory);
  }
}

TEST(Ranked, StopsInTimeAndWithinMemory) {
  const Both data(staircase());
  Request request;
  request.run.depth.most = 2;
  request.run.time_limit = 0;
  auto outcome = learn(ranked_dataset(data.ranks), request);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status(), SolveStatus::feasible);
  EXPECT_EQ(outcome->claim.lower_bound, 0);
  request.run.time_limit = {};
  request.run.memory_limit = 1;
  outcome = learn(ranked_dataset(data.ranks), request);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->out_of_memory);
  EXPECT_EQ(outcome->status(), SolveStatus::feasible);
}

TEST(Ranked, NamesOfNothingAreRefused) {
  const Both data(staircase());
  Request request;
  request.run.depth.most = 2;
  request.pin.forbid = {"a <= 0.25"};
  auto outcome = learn(ranked_dataset(data.ranks), request);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "unknown feature 'a <= 0.25'");
  request.pin = {{"a <= 0.5"}, {"a"}};
  outcome = learn(ranked_dataset(data.ranks), request);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "'a <= 0.5' is not among the features that may be selected");
}

}  // namespace
}  // namespace beadwork
