#include "columns.hpp"
#include <beadwork/dataset/thresholds.hpp>

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numeric>

namespace beadwork {
namespace {

using namespace testing_support;
using Kind = ThresholdRule::Kind;

TEST(ThresholdRule, ByRowsColumnsAndDepth) {
  const auto count = [](std::size_t rows, std::size_t columns, std::size_t depth) {
    return automatic_thresholds(rows, columns, depth).count;
  };
  EXPECT_EQ(count(500, 4, 0), 32);
  EXPECT_EQ(count(500, 4, 3), 32);
  EXPECT_EQ(count(500, 4, 4), 8);
  EXPECT_EQ(count(499, 4, 3), 8);
  EXPECT_EQ(count(40'000, 10, 3), 32);
  EXPECT_EQ(count(40'001, 10, 3), 8);
  EXPECT_EQ(count(1'000'000, 20, 2), 8);
  EXPECT_EQ(count(300, 1000, 2), 8);
}

TEST(ThresholdRule, ReadsAndPrints) {
  EXPECT_EQ(*parse_threshold_rule("all"), (ThresholdRule{Kind::all, 0}));
  EXPECT_EQ(parse_threshold_rule("mdlp")->kind, Kind::mdlp);
  EXPECT_EQ(*parse_threshold_rule("quantiles"), ThresholdRule{});
  EXPECT_EQ(*parse_threshold_rule("quantiles:3"), (ThresholdRule{Kind::quantiles, 3}));
  for (const char* text : {"all", "mdlp", "quantiles:8", "quantiles:1000000"})
    EXPECT_EQ(to_string(*parse_threshold_rule(text)), text);
  for (const char* bad : {"", "some", "quantiles:", "quantiles:0", "quantiles:-1", "quantiles:1000001", "quantiles:3x",
                          "quantiles:+3", "quantiles: 3", "All", "quantiles:99999999999999999999"})
    EXPECT_FALSE(parse_threshold_rule(bad)) << bad;
}

struct Point {
  double value;
  std::size_t label;
  double weight;
};

struct Value {
  double value;
  std::vector<double> by_class;
  double total() const { return std::accumulate(by_class.begin(), by_class.end(), 0.0); }
};

std::vector<double> choose(const std::vector<Value>& values, const ThresholdRule& rule) {
  ValueCounts counts{{}, values.empty() ? 0 : values[0].by_class.size(), {}};
  for (const Value& v : values) {
    counts.values.push_back(v.value);
    counts.weights.insert(counts.weights.end(), v.by_class.begin(), v.by_class.end());
  }
  return choose_thresholds(counts, rule);
}

std::vector<Value> counts_of(const std::vector<Point>& points, std::size_t classes) {
  std::map<double, std::vector<double>> by_value;
  for (const Point& p : points) {
    auto& c = by_value[p.value];
    c.resize(classes);
    c[p.label] += p.weight;
  }
  std::vector<Value> out;
  for (const auto& [value, c] : by_value) out.push_back({value, c});
  return out;
}

void expect_cuts_lie_between(const std::vector<Value>& values, const std::vector<double>& cuts) {
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    EXPECT_TRUE(i == 0 || cuts[i - 1] < cuts[i]);
    EXPECT_LE(values.front().value, cuts[i]);
    EXPECT_LT(cuts[i], values.back().value);
  }
}

// Each share of the weight has a cut as near to it as any could be, and each cut is there for some share.
void check_quantiles(const std::vector<Value>& values, std::size_t count) {
  const auto cuts = choose(values, {Kind::quantiles, count});
  expect_cuts_lie_between(values, cuts);
  if (values.size() <= count + 1) {
    ASSERT_EQ(cuts.size(), values.empty() ? 0 : values.size() - 1);
    return;
  }
  ASSERT_LE(cuts.size(), count);
  double total = 0;
  for (const Value& v : values) total += v.total();
  const auto below = [&](double cut) {
    double sum = 0;
    for (const Value& v : values)
      if (v.value <= cut) sum += v.total();
    return sum;
  };
  std::vector<bool> used(cuts.size());
  for (std::size_t q = 1; q <= count; ++q) {
    const double goal = total * static_cast<double>(q) / static_cast<double>(count + 1);
    double least = INFINITY;
    for (std::size_t i = 0; i + 1 < values.size(); ++i)
      least = std::min(least, std::abs(below(values[i].value) - goal));
    bool attained = false;
    for (std::size_t i = 0; i < cuts.size(); ++i)
      if (std::abs(below(cuts[i]) - goal) < least + 1e-9) attained = used[i] = true;
    ASSERT_TRUE(attained) << "share " << q << " of " << count;
  }
  for (std::size_t i = 0; i < cuts.size(); ++i) ASSERT_TRUE(used[i]);
}

TEST(Quantiles, AreAsBalancedAsCanBe) {
  Rng rng(21);
  for (int round = 0; round < 1000; ++round) {
    std::vector<Point> points;
    const std::size_t n = 1 + rng.below(60);
    const std::uint64_t range = 1 + rng.below(60);
    const bool zeros = rng.below(2) == 0;
    for (std::size_t i = 0; i < n; ++i)
      points.push_back({static_cast<double>(rng.below(range)), rng.below(2),
                        zeros && rng.below(2) == 0 ? 0.0 : static_cast<double>(1 + rng.below(3))});
    const std::size_t count = 1 + rng.below(9);
    std::string trace = fmt::format("count {}:", count);
    for (const Value& v : counts_of(points, 2)) trace += fmt::format(" {}*{}", v.value, v.total());
    SCOPED_TRACE(trace);
    check_quantiles(counts_of(points, 2), count);
    if (HasFatalFailure() || HasFailure()) return;
  }
}

TEST(Quantiles, PassOverValuesWithoutWeight) {
  std::vector<Point> points;
  for (int i = 0; i < 20; ++i) points.push_back({static_cast<double>(i), 0, i >= 1 && i <= 5 ? 0.0 : 1.0});
  const auto cuts = choose(counts_of(points, 1), {Kind::quantiles, 1});
  ASSERT_EQ(cuts.size(), 1U);
  EXPECT_GT(cuts[0], 11);
  EXPECT_LT(cuts[0], 14);
}

TEST(Quantiles, OfEvenlySpacedRows) {
  std::vector<Point> points;
  for (int i = 1; i <= 12; ++i) points.push_back({static_cast<double>(i), 0, 1});
  EXPECT_EQ(choose(counts_of(points, 1), {Kind::quantiles, 3}), (std::vector{3.5, 6.5, 9.5}));
  EXPECT_TRUE(choose({}, {Kind::quantiles, 3}).empty());
}

// Fayyad and Irani on the rows themselves.
class SlowMdlp {
 public:
  SlowMdlp(std::vector<Point> points, std::vector<double> cuts) : points_(std::move(points)), cuts_(std::move(cuts)) {}

  // Are `cuts_` within (low, high] those that the criterion accepts? Ties and near-misses are the engine's
  // choice.
  bool agrees(double low, double high) const {
    std::vector<Point> here;
    for (const Point& p : points_)
      if (p.value > low && p.value <= high) here.push_back(p);
    std::vector<double> ours;
    for (const double c : cuts_)
      if (c > low && c < high) ours.push_back(c);
    std::map<double, double> entropy_of_cut;  // the largest value on its left -> weighted entropy
    for (const Point& p : here) entropy_of_cut[p.value] = 0;
    if (!entropy_of_cut.empty()) entropy_of_cut.erase(std::prev(entropy_of_cut.end()));
    double least = INFINITY;
    for (auto& [value, e] : entropy_of_cut) {
      e = split_entropy(here, value);
      least = std::min(least, e);
    }
    if (entropy_of_cut.empty() || weight(here) <= 1) return ours.empty();
    bool near = false;  // some best split is on the border of the criterion
    bool accepted = false;
    for (const auto& [value, e] : entropy_of_cut)
      if (e < least + 1e-12) {
        const double margin = gain_margin(here, value);
        near = near || std::abs(margin) < 1e-9;
        accepted = accepted || margin > 0;
      }
    if (near) return true;
    if (ours.empty()) return !accepted;
    for (const double cut : ours)
      if (split_entropy(here, cut) < least + 1e-9 && gain_margin(here, cut) > -1e-9)
        if (agrees(low, cut) && agrees(cut, high)) return true;
    return false;
  }

 private:
  static std::map<std::size_t, double> classes(const std::vector<Point>& points) {
    std::map<std::size_t, double> out;
    for (const Point& p : points)
      if (p.weight > 0) out[p.label] += p.weight;
    return out;
  }
  static double weight(const std::vector<Point>& points) {
    double sum = 0;
    for (const Point& p : points) sum += p.weight;
    return sum;
  }
  static double entropy(const std::vector<Point>& points) {
    double h = 0;
    for (const auto& [label, w] : classes(points)) h += w / weight(points) * std::log2(weight(points) / w);
    return h;
  }
  static std::pair<std::vector<Point>, std::vector<Point>> split(const std::vector<Point>& points, double cut) {
    std::pair<std::vector<Point>, std::vector<Point>> out;
    for (const Point& p : points) (p.value <= cut ? out.first : out.second).push_back(p);
    return out;
  }
  static double split_entropy(const std::vector<Point>& points, double cut) {
    const auto [left, right] = split(points, cut);
    return (weight(left) * entropy(left) + weight(right) * entropy(right)) / weight(points);
  }
  // Gain less what the criterion asks of it.
  static double gain_margin(const std::vector<Point>& points, double cut) {
    const auto [left, right] = split(points, cut);
    const double n = weight(points);
    const auto k = static_cast<double>(classes(points).size());
    const auto k1 = static_cast<double>(classes(left).size());
    const auto k2 = static_cast<double>(classes(right).size());
    const double delta =
        std::log2(std::pow(3, k) - 2) - (k * entropy(points) - k1 * entropy(left) - k2 * entropy(right));
    return entropy(points) - split_entropy(points, cut) - (std::log2(n - 1) + delta) / n;
  }

  std::vector<Point> points_;
  std::vector<double> cuts_;
};

TEST(Mdlp, AcceptsWhatTheCriterionAccepts) {
  Rng rng(22);
  std::size_t total = 0;
  for (int round = 0; round < 600; ++round) {
    std::vector<Point> points;
    const std::size_t n = 1 + rng.below(60);
    const std::size_t classes = 1 + rng.below(3);
    const std::uint64_t range = 1 + rng.below(30);
    const bool weighted = rng.below(3) == 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double value = static_cast<double>(rng.below(range)) / 4;
      const std::size_t stripe = static_cast<std::size_t>(value / 3) % classes;
      points.push_back(
          {value, rng.below(6) == 0 ? rng.below(classes) : stripe, weighted ? static_cast<double>(rng.below(4)) : 1.0});
    }
    const auto values = counts_of(points, classes);
    const auto cuts = choose(values, {Kind::mdlp, 0});
    expect_cuts_lie_between(values, cuts);
    ASSERT_TRUE(SlowMdlp(points, cuts).agrees(-INFINITY, INFINITY)) << "round " << round;
    total += cuts.size();
  }
  EXPECT_GT(total, 200U);
}

TEST(Mdlp, SeesNothingInNoWeight) {
  EXPECT_TRUE(choose(counts_of({{1, 0, 0}, {2, 1, 0}, {3, 0, 0}}, 2), {Kind::mdlp, 0}).empty());
  EXPECT_TRUE(choose({}, {Kind::mdlp, 0}).empty());
}

TEST(Between, LiesBetween) {
  EXPECT_EQ(between(30, 45), 37.5);
  EXPECT_EQ(between(0.1, 0.2), 0.15);
  EXPECT_EQ(between(-1, 1), 0);
  const double big = std::numeric_limits<double>::max();
  Rng rng(23);
  const std::vector<double> starts{0,     1,   -1,   0.1,    1e16,    -1e16,
                                   1e300, big, -big, 5e-324, -5e-324, 2.2250738585072014e-308};
  for (const double a : starts)
    for (const double b : {std::nextafter(a, big), std::nextafter(std::nextafter(a, big), big), big, 1.0, 0.0}) {
      if (!(a < b)) continue;
      const double t = between(a, b);
      EXPECT_LE(a, t);
      EXPECT_LT(t, b) << a;
    }
  for (const double b : starts) {
    const double a = std::nextafter(b, -big);
    if (!(a < b)) continue;
    EXPECT_EQ(between(a, b), a) << b;
  }
}

}  // namespace
}  // namespace beadwork
