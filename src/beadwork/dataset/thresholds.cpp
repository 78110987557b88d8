#include <beadwork/dataset.hpp>
#include <beadwork/dataset/thresholds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace beadwork {
namespace {

std::vector<double> all_thresholds(std::span<const double> values) {
  std::vector<double> cuts;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) cuts.push_back(between(values[i], values[i + 1]));
  return cuts;
}

// For each of the shares 1/(n+1) .. n/(n+1) of the weight, the cut between neighbouring values that comes closest.
std::vector<double> quantile_thresholds(const ValueCounts& counts, std::size_t count) {
  const std::vector<double>& values = counts.values;
  if (values.size() <= count + 1) return all_thresholds(values);
  std::vector<double> below(values.size());  // weight of values[0..i]
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto weights = counts.by_class(i);
    below[i] = sum += std::accumulate(weights.begin(), weights.end(), 0.0);
  }
  std::vector<double> cuts;
  for (std::size_t q = 1; q <= count; ++q) {
    const double goal = sum * static_cast<double>(q) / static_cast<double>(count + 1);
    auto i = static_cast<std::size_t>(std::lower_bound(below.begin(), below.end() - 2, goal) - below.begin());
    if (i > 0 && std::abs(below[i - 1] - goal) <= std::abs(below[i] - goal)) --i;
    const double cut = between(values[i], values[i + 1]);
    if (cuts.empty() || cuts.back() < cut) cuts.push_back(cut);
  }
  return cuts;
}

double entropy(std::span<const double> counts) {
  const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
  double h = 0;
  for (const double c : counts)
    if (c > 0) h -= c / n * std::log2(c / n);
  return h;
}
double num_present(std::span<const double> counts) {
  return static_cast<double>(std::count_if(counts.begin(), counts.end(), [](double c) { return c > 0; }));
}

// Recursive entropy splits of values[first..end-1], each accepted if it pays for its own description (Fayyad and Irani
// 1993, equation 9).
void mdlp(const ValueCounts& counts, std::size_t first, std::size_t end, const Control& control,
          std::vector<double>& cuts) {
  constexpr std::size_t kPoll = 1024;
  if (end - first < 2) return;
  const std::size_t classes = counts.num_classes;
  std::vector<double> all(classes);
  for (std::size_t i = first; i < end; ++i)
    for (std::size_t k = 0; k < classes; ++k) all[k] += counts.by_class(i)[k];
  const double n = std::accumulate(all.begin(), all.end(), 0.0);
  if (n <= 1) return;
  std::vector<double> left(classes);
  std::vector<double> best_left;
  std::size_t best = first;
  double best_entropy = INFINITY;
  for (std::size_t i = first; i + 1 < end; ++i) {
    if (i % kPoll == 0 && control.stopping()) return;
    for (std::size_t k = 0; k < classes; ++k) left[k] += counts.by_class(i)[k];
    std::vector<double> right(classes);
    for (std::size_t k = 0; k < classes; ++k) right[k] = all[k] - left[k];
    const double nl = std::accumulate(left.begin(), left.end(), 0.0);
    const double h = (nl * entropy(left) + (n - nl) * entropy(right)) / n;
    if (h < best_entropy) {
      best_entropy = h;
      best = i;
      best_left = left;
    }
  }
  std::vector<double> best_right(classes);
  for (std::size_t k = 0; k < classes; ++k) best_right[k] = all[k] - best_left[k];
  const double delta = std::log2(std::pow(3.0, num_present(all)) - 2) -
                       (num_present(all) * entropy(all) - num_present(best_left) * entropy(best_left) -
                        num_present(best_right) * entropy(best_right));
  const double gain = entropy(all) - best_entropy;
  if (gain <= (std::log2(n - 1) + delta) / n) return;
  mdlp(counts, first, best + 1, control, cuts);
  cuts.push_back(between(counts.values[best], counts.values[best + 1]));
  mdlp(counts, best + 1, end, control, cuts);
}

}  // namespace

double between(double a, double b) {
  const double middle = a + (b - a) / 2;
  const double finite = std::isfinite(middle) ? middle : a / 2 + b / 2;
  const double tidy = parse_number(fmt::format("{:.15g}", finite)).value_or(finite);
  if (a <= tidy && tidy < b) return tidy;
  return finite < b ? finite : a;
}

std::vector<double> choose_thresholds(const ValueCounts& counts, const ThresholdRule& rule, const Control& control) {
  switch (rule.kind) {
    case ThresholdRule::Kind::all:
      return all_thresholds(counts.values);
    case ThresholdRule::Kind::quantiles:
      return quantile_thresholds(counts, rule.count);
    case ThresholdRule::Kind::mdlp:
      break;
  }
  std::vector<double> cuts;
  mdlp(counts, 0, counts.size(), control, cuts);
  return cuts;
}

Result<ThresholdRule> parse_threshold_rule(std::string_view text) {
  using Kind = ThresholdRule::Kind;
  if (text == "all") return ThresholdRule{Kind::all, 0};
  if (text == "mdlp") return ThresholdRule{Kind::mdlp, 0};
  if (text == "quantiles") return ThresholdRule{};
  constexpr std::string_view kStart = "quantiles:";
  if (text.starts_with(kStart)) {
    const std::string_view number = text.substr(kStart.size());
    std::size_t count = 0;
    const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (status == std::errc{} && end == number.data() + number.size() && count >= 1 && count <= 1000000)
      return ThresholdRule{Kind::quantiles, count};
  }
  return option_error(
      fmt::format("expected all, mdlp, quantiles or quantiles:N (N from 1 to 1000000), got '{}'", printable(text)),
      "thresholds");
}

ThresholdRule automatic_thresholds(std::size_t rows, std::size_t columns, std::size_t depth) {
  constexpr double kMost = 4e7;
  const auto c = static_cast<double>(columns);
  const bool many = depth <= 3 && rows >= 500 && c * c * c * static_cast<double>(rows) <= kMost;
  return {ThresholdRule::Kind::quantiles, many ? std::size_t{32} : std::size_t{8}};
}

ThresholdRule automatic_thresholds(const Table& table, std::size_t depth) {
  const std::size_t others = (table.target() ? 1U : 0U) + (table.weight() ? 1U : 0U);
  return automatic_thresholds(table.num_rows(), table.num_columns() - others, depth);
}

std::string to_string(const ThresholdRule& rule) {
  switch (rule.kind) {
    case ThresholdRule::Kind::all:
      return "all";
    case ThresholdRule::Kind::mdlp:
      return "mdlp";
    case ThresholdRule::Kind::quantiles:
      break;
  }
  return fmt::format("quantiles:{}", rule.count);
}

}  // namespace beadwork
