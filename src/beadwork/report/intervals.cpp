#include <beadwork/report.hpp>

#include <algorithm>
#include <cmath>

namespace beadwork {
namespace {

constexpr double kZ = 1.959963984540054;  // 95 %

}  // namespace

// E. B. Wilson, JASA 1927: where the share would lie two standard errors off, were it true.
Interval wilson_interval(double share, double n) {
  if (n <= 0) return {};
  const double z2 = kZ * kZ / n;
  const double middle = (share + z2 / 2) / (1 + z2);
  const double half = kZ / (1 + z2) * std::sqrt(share * (1 - share) / n + z2 / (4 * n));
  return {share <= 0 ? 0 : std::max(0.0, middle - half), share >= 1 ? 1 : std::min(1.0, middle + half)};
}

// D. G. Bonett and R. M. Price, J. Educ. Behav. Stat. 2012: Wald's interval after one row more is counted for either
// side. Unlike Wald's own it keeps its level in small samples, and has a width where nobody differs.
Interval paired_interval(double only_first, double only_second, double n) {
  if (n <= 0) return {-1, 1};
  const double first = (only_first + 1) / (n + 2);
  const double second = (only_second + 1) / (n + 2);
  const double half = kZ * std::sqrt((first + second - (first - second) * (first - second)) / (n + 2));
  return {std::max(-1.0, first - second - half), std::min(1.0, first - second + half)};
}

double effective_rows(std::span<const double> weights, std::size_t num_rows) {
  if (weights.empty()) return static_cast<double>(num_rows);
  double sum = 0;
  double squares = 0;
  for (const double w : weights) sum += w, squares += w * w;
  return squares > 0 ? sum * sum / squares : 0;
}

namespace {

// Wald's interval of a mean difference after one row more is counted for either side, at the largest difference that
// there can be: with costs of 0 and 1 it is paired_interval.
Lift saving_over(std::span<const Class> truth, std::span<const Class> first, std::span<const Class> second,
                 std::span<const double> weights, double n, std::span<const double> costs) {
  std::size_t classes = 0;
  while (classes * classes < costs.size()) ++classes;
  double total = 0, sum = 0, squares = 0;
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const double weight = weights.empty() ? 1 : weights[r];
    const auto row = costs.subspan(truth[r]() * classes, classes);
    const double saved = row[second[r]()] - row[first[r]()];
    total += weight;
    sum += weight * saved;
    squares += weight * saved * saved;
  }
  double most = 0;
  for (std::size_t j = 0; j < classes; ++j) {
    const auto row = costs.subspan(j * classes, classes);
    const auto [low, high] = std::minmax_element(row.begin(), row.end());
    most = std::max(most, *high - *low);
  }
  if (total <= 0 || n <= 0) return {0, {-most, most}, true};
  const double mean = sum / total * n / (n + 2);
  const double square = (squares / total * n + 2 * most * most) / (n + 2);
  const double half = kZ * std::sqrt(std::max(0.0, square - mean * mean) / (n + 2));
  return {sum / total, {std::max(-most, mean - half), std::min(most, mean + half)}, true};
}

}  // namespace

Class best_constant(std::span<const double> class_weights, std::span<const double> costs) {
  const std::size_t classes = class_weights.size();
  std::vector<double> lost(classes);
  for (std::size_t j = 0; j < classes; ++j)
    for (std::size_t k = 0; k < classes; ++k)
      lost[k] += class_weights[j] * (costs.empty() ? (j == k ? -1 : 0) : costs[j * classes + k]);
  return Class{static_cast<std::size_t>(std::min_element(lost.begin(), lost.end()) - lost.begin())};
}

Lift lift_over(std::span<const Class> truth, std::span<const Class> first, std::span<const Class> second,
               std::span<const double> weights, double n, std::span<const double> costs) {
  if (!costs.empty()) return saving_over(truth, first, second, weights, n, costs);
  double total = 0;
  double only_first = 0;
  double only_second = 0;
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const double weight = weights.empty() ? 1 : weights[r];
    total += weight;
    if (first[r] == truth[r] && second[r] != truth[r]) only_first += weight;
    if (first[r] != truth[r] && second[r] == truth[r]) only_second += weight;
  }
  if (total <= 0) return {};
  return {(only_first - only_second) / total, paired_interval(only_first / total * n, only_second / total * n, n)};
}

}  // namespace beadwork
