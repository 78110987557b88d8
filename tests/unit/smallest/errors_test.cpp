// Errors against nodes, compared with every function of every set of at most three features, its size counted on
// strings.

#include "support/datasets.hpp"
#include "unit/smallest/functions.hpp"
#include <beadwork/smallest.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace beadwork {
namespace {

using namespace testing_support;

Errors brute_force(const std::vector<BitRow>& rows, std::size_t features, std::size_t classes, std::size_t depth) {
  Errors out;
  for (unsigned mask = 0; mask < 1U << features; ++mask) {
    std::vector<std::size_t> set;
    for (std::size_t f = 0; f < features; ++f)
      if ((mask >> f & 1U) != 0) set.push_back(f);
    if (set.size() > depth) continue;
    std::vector<std::int64_t> counts(classes << set.size());
    std::int64_t total = 0;
    for (const BitRow& r : rows) {
      std::size_t cell = 0;
      for (const std::size_t f : set) cell = 2 * cell + (r.bits[f] == '1' ? 1 : 0);
      counts[cell * classes + r.label] += r.weight;
      total += r.weight;
    }
    for (const SizedFunction& f : functions(set.size(), classes)) {
      std::int64_t errors = total;
      for (std::size_t c = 0; c < f.cells.size(); ++c)
        errors -= counts[c * classes + static_cast<std::size_t>(f.cells[c] - '0')];
      const auto [at, added] = out.try_emplace({set.size(), f.size}, errors);
      if (!added) at->second = std::min(at->second, errors);
    }
  }
  return out;
}

std::int64_t errors_on(const std::vector<BitRow>& rows, const Diagram& d) {
  std::int64_t errors = 0;
  for (const BitRow& r : rows)
    if (d.classify([&](Feature f) { return r.bits[f()] == '1'; })() != r.label) errors += r.weight;
  return errors;
}

// Every combination of the features, with a random class and weight: diagrams of all shapes are worth having, those
// that share nodes and need a certain order among them.
std::vector<BitRow> all_cells(Rng& rng, std::size_t features, std::size_t classes) {
  std::vector<BitRow> rows;
  for (std::size_t cell = 0; cell < std::size_t{1} << features; ++cell) {
    BitRow row;
    for (std::size_t f = 0; f < features; ++f) row.bits += (cell >> f & 1) != 0 ? '1' : '0';
    row.label = rng.below(classes);
    row.weight = static_cast<std::int64_t>(rng.below(5));
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST(ErrorsAgainstNodes, EqualBruteForceOverAllDiagrams) {
  Rng rng(11);
  for (int round = 0; round < 1000; ++round) {
    const bool whole = round % 2 == 0;
    const std::size_t classes = 2 + rng.below(2);
    const std::size_t features = whole ? 3 + rng.below(2) : 1 + rng.below(classes == 2 ? 5 : 4);
    const std::size_t depth = whole ? 3 : rng.below(4);
    const auto rows =
        whole ? all_cells(rng, features, classes) : random_rows(rng, 1 + rng.below(20), features, classes, true);
    SCOPED_TRACE(fmt::format("depth {}, {} classes\n{}", depth, classes, describe(rows)));
    const Dataset data = dataset_of(rows, features, classes);
    const Errors all = brute_force(rows, features, classes, depth);
    SearchOptions options;
    options.depth = depth;
    for (std::size_t nodes = 1; nodes <= 10; ++nodes) {
      std::int64_t least = data.total_weight();
      for (const auto& [at, errors] : all)
        if (at.second <= nodes) least = std::min(least, errors);
      const auto out = least_errors_within(data, options, nodes);
      ASSERT_TRUE(out) << out.error().to_string();
      ASSERT_TRUE(out->proven);
      ASSERT_EQ(out->errors, least) << nodes;
      ASSERT_EQ(out->lower_bound, least);
      ASSERT_LE(out->diagram.size(), nodes);
      ASSERT_LE(out->diagram.used_features().size(), depth);
      ASSERT_EQ(errors_on(rows, out->diagram), least);
    }
    const NodePenalty penalty{1 + static_cast<std::int64_t>(rng.below(6)), 1 + static_cast<std::int64_t>(rng.below(3))};
    const auto price = [&](std::int64_t errors, std::size_t nodes) {
      return errors * penalty.denominator + static_cast<std::int64_t>(nodes) * penalty.numerator;
    };
    std::int64_t cheapest = std::numeric_limits<std::int64_t>::max();
    for (const auto& [at, errors] : all) cheapest = std::min(cheapest, price(errors, at.second));
    const auto out = least_penalised(data, options, penalty);
    ASSERT_TRUE(out) << out.error().to_string();
    ASSERT_TRUE(out->proven);
    ASSERT_EQ(price(errors_on(rows, out->diagram), out->diagram.size()), cheapest);

    const auto front = error_front(data, options);
    ASSERT_TRUE(front) << front.error().to_string();
    ASSERT_TRUE(front->proven);
    std::set<std::tuple<std::size_t, std::size_t, std::int64_t>> points;
    for (const FrontPoint& p : front->points) {
      ASSERT_TRUE(p.proven);
      const Diagram d = diagram_of(p.table);
      ASSERT_EQ(d.size(), p.nodes);
      ASSERT_EQ(errors_on(rows, d), p.errors);
      points.emplace(p.features, p.nodes, p.errors);
    }
    ASSERT_EQ(points, pareto(all));
  }
}

// Sums of costs and prices that 64 bits do not hold.
TEST(ErrorsAgainstNodes, PricesOfLargeWeightsDoNotOverflow) {
  __extension__ using Wide = __int128;
  Rng rng(21);
  for (int round = 0; round < 100; ++round) {
    const std::size_t features = 1 + rng.below(3);
    auto rows = random_rows(rng, 2 + rng.below(12), features, 2, true);
    const std::int64_t large = std::int64_t{1} << (20 + rng.below(29));
    for (BitRow& row : rows)
      row.weight = static_cast<std::int64_t>(rng.below(5)) * large + static_cast<std::int64_t>(rng.below(7));
    const Dataset data = dataset_of(rows, features, 2);
    SearchOptions options;
    options.depth = features;
    const NodePenalty penalty{large * static_cast<std::int64_t>(1 + rng.below(9)) + 1,
                              static_cast<std::int64_t>(1 + rng.below(1'000'000'000))};
    const auto price = [&](std::int64_t errors, std::size_t nodes) {
      return Wide{errors} * penalty.denominator + Wide{static_cast<std::int64_t>(nodes)} * penalty.numerator;
    };
    std::optional<Wide> cheapest;
    for (const auto& [at, errors] : brute_force(rows, features, 2, features))
      cheapest = std::min(cheapest.value_or(price(errors, at.second)), price(errors, at.second));
    const auto out = least_penalised(data, options, penalty);
    ASSERT_TRUE(out && out->proven);
    ASSERT_TRUE(price(errors_on(rows, out->diagram), out->diagram.size()) == *cheapest) << describe(rows);
  }
}

// With no time nothing is proven, and what is said holds.
TEST(ErrorsAgainstNodes, PastTheDeadlineBoundsHold) {
  Rng rng(12);
  const auto rows = random_rows(rng, 200, 12, 2, false);
  const Dataset data = dataset_of(rows, 12);
  SearchOptions options;
  options.depth = 4;
  const auto exact = least_errors_within(data, options, 7);
  ASSERT_TRUE(exact && exact->proven);
  for (const double seconds : {0.0, 0.001, 0.003, 0.01}) {
    Control control;
    control.deadline = Deadline::in(seconds);
    const auto out = least_errors_within(data, options, 7, control);
    if (!out) continue;  // nothing found yet
    EXPECT_LE(out->lower_bound, exact->errors);
    EXPECT_GE(out->errors, exact->errors);
    EXPECT_TRUE(!out->proven || out->errors == exact->errors);
    const auto front = error_front(data, options, control);
    ASSERT_TRUE(front);
    for (const FrontPoint& p : front->points) EXPECT_EQ(p.proven, p.lower_bound == p.errors);
  }
}

// Stopped at any moment, also within the lists of sets: the bound is below what can be had, of limits and of prices.
TEST(ErrorsAgainstNodes, StoppedAnywhereBoundsHold) {
  Rng rng(13);
  for (int round = 0; round < 40; ++round) {
    const std::size_t features = 8 + rng.below(8);
    const Dataset data = dataset_of(random_rows(rng, 60 + rng.below(200), features, 2, false), features);
    SearchOptions options;
    options.depth = 2 + rng.below(3);
    const std::size_t nodes = 4 + rng.below(5);
    const NodePenalty penalty{1 + static_cast<std::int64_t>(rng.below(4)), 2};
    const auto within = least_errors_within(data, options, nodes);
    const auto priced = least_penalised(data, options, penalty);
    ASSERT_TRUE(within && priced && within->proven && priced->proven);
    for (int part = 0; part < 5; ++part) {
      Control control;
      control.deadline = Deadline::in(1e-5 * static_cast<double>(rng.below(1500)));
      if (const auto out = least_errors_within(data, options, nodes, control)) {
        EXPECT_LE(out->lower_bound, within->errors);
        EXPECT_GE(out->errors, within->errors);
        EXPECT_EQ(out->proven, out->lower_bound == out->errors);
      }
      if (const auto out = least_penalised(data, options, penalty, control); out && out->proven) {
        EXPECT_EQ(
            out->errors * penalty.denominator + static_cast<std::int64_t>(out->diagram.size()) * penalty.numerator,
            priced->errors * penalty.denominator +
                static_cast<std::int64_t>(priced->diagram.size()) * penalty.numerator);
      }
    }
  }
}

}  // namespace
}  // namespace beadwork
