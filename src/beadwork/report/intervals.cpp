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

Lift lift_over(std::span<const Class> truth, std::span<const Class> first, std::span<const Class> second,
               std::span<const double> weights, double n) {
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
