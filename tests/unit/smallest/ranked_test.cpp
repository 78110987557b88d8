// Errors against nodes over every cut point, compared with every function of every set of features that a Binarizer
// with all thresholds makes, and with the search over these features. BEADWORK_ORDERED_TABLES multiplies the number of
// tables.

#include "unit/ordered/tables.hpp"
#include "unit/smallest/functions.hpp"
#include <beadwork/smallest.hpp>
#include <beadwork/smallest/functions.hpp>

namespace beadwork {
namespace {

using namespace test;
using namespace testing_support;

struct Question {
  Table table;
  RankedData data;
  Dataset dataset;  // all features; feature f is the f-th cut
  OrderedOptions options;
  std::vector<std::size_t> distinct = {};  // allowed features, the first of those that are equal or opposite

  explicit Question(Table t) : table(std::move(t)), data(*rank(table)), dataset(all_features(table)) {}

  std::string column(std::size_t f) const {
    std::string out;
    const bool flip = dataset.value(Feature{f}, Row{0});
    for (std::size_t r = 0; r < dataset.num_rows(); ++r) out += dataset.value(Feature{f}, Row{r}) != flip ? '1' : '0';
    return out;
  }
  void find_distinct() {
    const Brute brute{data, dataset, options};
    std::set<std::string> seen = {std::string(dataset.num_rows(), '0')};
    for (std::size_t f = 0; f < brute.cuts.size(); ++f)
      if (brute.allowed(brute.cuts[f]) && seen.insert(column(f)).second) distinct.push_back(f);
  }
  std::int64_t cost(std::size_t label, std::size_t answer) const {
    return options.costs.empty() ? (label == answer ? 0 : 1) : options.costs[label * dataset.num_classes() + answer];
  }
  std::int64_t cost_of(const Diagram& d) const {
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < dataset.num_rows(); ++r)
      sum += dataset.weight(Row{r}) *
             cost(dataset.label(Row{r})(), d.classify([&](Feature f) { return dataset.value(f, Row{r}); })());
    return sum;
  }
  SearchOptions of_features() const {
    SearchOptions o;
    o.depth = options.depth;
    o.costs = options.costs;
    const Brute brute{data, dataset, options};
    for (std::size_t f = 0; f < brute.cuts.size(); ++f)
      if (!brute.allowed(brute.cuts[f])) o.forbid.emplace_back(f);
    return o;
  }
};

void add_set(const Question& q, const std::vector<Feature>& set, Errors& out) {
  const std::size_t k = q.dataset.num_classes();
  const auto counts = count_cells(q.dataset, set);
  std::vector<std::int64_t> costs(counts.size());
  for (std::size_t cell = 0; cell < counts.size() / k; ++cell)
    for (std::size_t j = 0; j < k; ++j)
      for (std::size_t p = 0; p < k; ++p) costs[cell * k + p] += counts[cell * k + j] * q.cost(j, p);
  for (const SizedFunction& f : functions(set.size(), k)) {
    std::int64_t errors = 0;
    for (std::size_t c = 0; c < f.cells.size(); ++c)
      errors += costs[c * k + static_cast<std::size_t>(f.cells[c] - '0')];
    const auto [at, added] = out.try_emplace({set.size(), f.size}, errors);
    if (!added) at->second = std::min(at->second, errors);
  }
}
void all_sets(const Question& q, std::vector<Feature>& set, std::size_t from, Errors& out) {
  add_set(q, set, out);
  for (std::size_t i = from; i < q.distinct.size() && set.size() < q.options.depth; ++i) {
    set.emplace_back(q.distinct[i]);
    all_sets(q, set, i + 1, out);
    set.pop_back();
  }
}

Question random_question(Rng& rng) {
  Shape shape = random_shape(rng);
  shape.max_weight = std::min<std::int64_t>(shape.max_weight, 50);
  Question q(random_table(rng, shape));
  q.options = random_options(rng, q.data);
  q.options.require.clear();
  q.options.require_columns.clear();
  q.find_distinct();
  return q;
}

using Points = std::set<std::tuple<std::size_t, std::size_t, std::int64_t>>;
Points points_of(const Question& q, const Front& front) {
  Points points;
  for (const FrontPoint& p : front.points) {
    EXPECT_TRUE(p.proven);
    const Diagram d = diagram_of(p.table);
    EXPECT_EQ(d.size(), p.nodes);
    EXPECT_EQ(d.used_features().size(), p.features);
    EXPECT_EQ(q.cost_of(d), p.errors);
    points.emplace(p.features, p.nodes, p.errors);
  }
  return points;
}

void compare(Rng& rng, const Question& q, const Errors& all) {
  for (std::size_t nodes = 1; nodes <= 8; ++nodes) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const auto& [at, errors] : all)
      if (at.second <= nodes) least = std::min(least, errors);
    const auto out = least_errors_within(q.data, q.options, nodes);
    ASSERT_TRUE(out) << out.error().to_string();
    ASSERT_TRUE(out->proven);
    ASSERT_EQ(out->errors, least) << nodes << " nodes";
    ASSERT_EQ(out->lower_bound, least);
    ASSERT_LE(out->diagram.size(), nodes);
    ASSERT_LE(out->diagram.used_features().size(), q.options.depth);
    ASSERT_EQ(q.cost_of(out->diagram), least);
    ASSERT_EQ(out->num_distinct, q.distinct.size());
  }
  const NodePenalty penalty{1 + static_cast<std::int64_t>(rng.below(6)), 1 + static_cast<std::int64_t>(rng.below(3))};
  const auto price = [&](std::int64_t errors, std::size_t nodes) {
    return errors * penalty.denominator + static_cast<std::int64_t>(nodes) * penalty.numerator;
  };
  std::int64_t cheapest = std::numeric_limits<std::int64_t>::max();
  for (const auto& [at, errors] : all) cheapest = std::min(cheapest, price(errors, at.second));
  const auto out = least_penalised(q.data, q.options, penalty);
  ASSERT_TRUE(out && out->proven);
  ASSERT_EQ(price(q.cost_of(out->diagram), out->diagram.size()), cheapest);
  const auto front = error_front(q.data, q.options, nullptr);
  ASSERT_TRUE(front && front->proven);
  ASSERT_EQ(points_of(q, *front), pareto(all));
}

TEST(RankedErrorsAgainstNodes, EqualBruteForceOverAllDiagrams) {
  Rng rng(21);
  for (std::size_t round = 0; round < tables(2500); ++round) {
    Question q = random_question(rng);
    if (q.distinct.size() > 14 && q.dataset.num_classes() > 2) continue;
    q.options.depth = std::min<std::size_t>(q.options.depth, q.dataset.num_classes() > 3 ? 2 : 3);
    SCOPED_TRACE("round " + std::to_string(round));
    Errors all;
    std::vector<Feature> set;
    all_sets(q, set, 0, all);
    compare(rng, q, all);
    if (HasFatalFailure() || HasFailure()) return;
  }
}

bool depends_on_all(const std::string& cells) {
  for (std::size_t bit = 1; bit < cells.size(); bit *= 2) {
    bool differs = false;
    for (std::size_t c = 0; c < cells.size(); ++c) differs = differs || cells[c] != cells[c ^ bit];
    if (!differs) return false;
  }
  return true;
}

TEST(FunctionsBySize, FindTheCheapestOfEverySize) {
  Rng rng(24);
  for (const auto& [h, k] : {std::pair{1, 2}, {2, 2}, {3, 2}, {1, 3}, {2, 3}, {3, 3}, {2, 4}, {1, 7}}) {
    const auto features = static_cast<std::size_t>(h), classes = static_cast<std::size_t>(k);
    ASSERT_TRUE(FunctionsBySize::few(features, classes));
    FunctionsBySize all(features, classes);
    for (int round = 0; round < 30; ++round) {
      std::vector<std::int64_t> costs(classes << features), limits(all.largest() + 1);
      for (std::int64_t& c : costs) c = static_cast<std::int64_t>(rng.below(20));
      for (std::int64_t& l : limits) l = static_cast<std::int64_t>(rng.below(30)) - 5;
      std::int64_t least = 1000;
      for (const SizedFunction& f : functions(features, classes)) {
        if (!depends_on_all(f.cells) || limits.at(f.size) < 0) continue;
        std::int64_t cost = -limits[f.size];
        for (std::size_t c = 0; c < f.cells.size(); ++c)
          cost += costs[c * classes + static_cast<std::size_t>(f.cells[c] - '0')];
        least = std::min(least, cost);
      }
      ASSERT_EQ(all.least(costs, limits, 1000), least) << h << " features, " << k << " classes";
    }
  }
  EXPECT_TRUE(FunctionsBySize::few(4, 2));
  EXPECT_FALSE(FunctionsBySize::few(4, 3));
  EXPECT_FALSE(FunctionsBySize::few(5, 2));
  EXPECT_FALSE(FunctionsBySize::few(0, 2));
}

TEST(RankedErrorsAgainstNodes, EqualThoseOfAllFeatures) {
  Rng rng(22);
  for (std::size_t round = 0; round < tables(40); ++round) {
    Question q = random_question(rng);
    q.options.depth = 4;
    SCOPED_TRACE("round " + std::to_string(round));
    const auto whole = error_front(q.dataset, q.of_features());
    const auto front = error_front(q.data, q.options, nullptr);
    ASSERT_TRUE(whole && front && whole->proven && front->proven);
    ASSERT_EQ(points_of(q, *front), points_of(q, *whole));
    for (const std::size_t nodes : {std::size_t{5}, std::size_t{7}, std::size_t{9}}) {
      const auto a = least_errors_within(q.data, q.options, nodes);
      const auto b = least_errors_within(q.dataset, q.of_features(), nodes);
      ASSERT_TRUE(a && b && a->proven && b->proven);
      ASSERT_EQ(a->errors, b->errors) << nodes << " nodes";
    }
  }
}

// Where a budget ends before the first of the best sets is known, another run may start from another one.
TEST(RankedErrorsAgainstNodes, SaysWhetherAnotherRunMayGiveAnother) {
  Rng rng(24);
  Shape shape;
  shape.rows = 60;
  Question q(random_table(rng, shape));
  q.options.depth = 2;
  const auto canonical = least_errors_within(q.data, q.options, 5);
  ASSERT_TRUE(canonical && canonical->proven);
  EXPECT_TRUE(canonical->canonical);
  q.options.effort.first_budget = 0;
  const auto any = least_errors_within(q.data, q.options, 5);
  ASSERT_TRUE(any && any->proven);
  EXPECT_FALSE(any->canonical);
  EXPECT_EQ(any->errors, canonical->errors);
}

// With little time what is said holds.
TEST(RankedErrorsAgainstNodes, PastTheDeadlineBoundsHold) {
  Rng rng(23);
  Shape shape;
  shape.rows = 300;
  shape.columns = 3;
  shape.values = 60;
  Question q(random_table(rng, shape));
  q.options.depth = 3;
  const auto exact = least_errors_within(q.data, q.options, 5);
  ASSERT_TRUE(exact && exact->proven);
  const auto whole = least_errors_within(q.dataset, q.of_features(), 5);
  ASSERT_TRUE(whole && whole->proven);
  EXPECT_EQ(exact->errors, whole->errors);
  for (const double seconds : {0.0, 0.001, 0.003, 0.01, 0.03}) {
    Control control;
    control.deadline = Deadline::in(seconds);
    const auto out = least_errors_within(q.data, q.options, 5, control);
    ASSERT_TRUE(out);
    EXPECT_LE(out->lower_bound, exact->errors);
    EXPECT_GE(out->errors, exact->errors);
    EXPECT_EQ(q.cost_of(out->diagram), out->errors);
    EXPECT_LE(out->diagram.size(), 5U);
    EXPECT_EQ(out->proven, out->lower_bound == out->errors);
    const auto front = error_front(q.data, q.options, nullptr, control);
    ASSERT_TRUE(front);
    for (const FrontPoint& p : front->points) {
      EXPECT_EQ(q.cost_of(diagram_of(p.table)), p.errors);
      EXPECT_LE(p.lower_bound, p.nodes == 5 && p.features == 3 ? exact->errors : p.errors);
    }
  }
}

}  // namespace
}  // namespace beadwork
