#include <beadwork/dataset.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwork {
namespace {

__extension__ using Wide128 = __int128;  // pedantic warnings

Status check_costs(const std::vector<double>& costs, std::size_t classes) {
  if (costs.size() != classes * classes)
    return option_error(fmt::format("expected {} x {} costs, got {} numbers", classes, classes, costs.size()), "costs");
  for (const double cost : costs)
    if (!(cost >= 0)) return option_error(fmt::format("expected a number of at least 0, got {}", cost), "costs");
  if (std::all_of(costs.begin(), costs.end(), [](double c) { return c == 0; }))
    return option_error("all costs are 0", "costs");
  return Done{};
}

Wide128 greatest_divisor(Wide128 a, Wide128 b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

template <class Data>
ClassTotals totals_of(const Data& data, std::int64_t scale, std::int64_t rounding, auto&& label, auto&& weight) {
  ClassTotals out{std::vector<std::int64_t>(data.num_classes()), scale, rounding};
  for (std::size_t r = 0; r < data.num_rows(); ++r) out.weights[label(r)] += weight(r);  // at most kMostTotal
  return out;
}

}  // namespace

bool CheckedTotal::add(std::int64_t amount, std::int64_t times) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(amount, times, &product) || product > kMostTotal - value_) return false;
  value_ += product;
  return true;
}

std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product >= std::int64_t{1} << 62) return std::nullopt;
  return product;
}

ClassTotals class_totals(const Dataset& dataset) {
  return totals_of(
      dataset, dataset.weight_scale(), dataset.weight_rounding(),
      [&](std::size_t r) { return dataset.label(Row{r})(); }, [&](std::size_t r) { return dataset.weight(Row{r}); });
}

ClassTotals class_totals(const RankedData& data) {
  return totals_of(
      data, data.weight_scale, data.weight_rounding, [&](std::size_t r) { return data.labels[r](); },
      [&](std::size_t r) { return data.weight(r); });
}

Result<std::int64_t> worst_total(std::span<const std::int64_t> class_weights, const std::vector<std::int64_t>& costs) {
  const std::size_t classes = class_weights.size();
  CheckedTotal total;
  for (std::size_t j = 0; j < classes; ++j) {
    std::int64_t worst = classes > 1 ? 1 : 0;
    if (!costs.empty()) {
      const auto row = std::span(costs).subspan(j * classes, classes);
      worst = *std::max_element(row.begin(), row.end());
    }
    if (total.add(class_weights[j], worst)) continue;
    return costs.empty()
               ? input_error("the weights add up to more than 2^56; scale them down")
               : option_error(
                     "weights times costs add up to more than 2^56, counted in the last decimals of both; use "
                     "fewer digits or smaller numbers",
                     "costs");
  }
  return total.value();
}

Result<Prices> prices_of(const ClassTotals& totals, const std::vector<double>& costs) {
  Prices out;
  if (!costs.empty()) {
    TRY_DONE(check_costs(costs, totals.weights.size()));
    const auto scaled = scale_weights(costs);
    if (!scaled) return option_error("the costs have too many decimals or are too large", "costs");
    out.costs = scaled->weights;
    out.scale = scaled->scale;
  }
  TRY_DONE(worst_total(totals.weights, out.costs));
  const auto units = checked_product(totals.scale, out.scale);
  const auto rounding =
      checked_product(totals.rounding, costs.empty() ? 1 : *std::max_element(out.costs.begin(), out.costs.end()));
  if (!units || !rounding)
    return option_error("the weights are too small, or have too many decimals, for costs with so many; scale them up",
                        "costs");
  out.units = *units;
  out.rounding = *rounding;
  return out;
}

std::optional<Fraction> exact_price(double price, std::int64_t units) {
  const auto scaled = scale_weights(std::vector{price});
  if (!scaled) return std::nullopt;
  const Wide128 product = Wide128{scaled->weights[0]} * units;  // below 2^56 * 2^62
  const Wide128 common = greatest_divisor(product, scaled->scale);
  const Wide128 numerator = product / common, denominator = scaled->scale / common;
  if (numerator / denominator > kMostTotal) return Fraction{kMostTotal + 1, 1};
  if (numerator > INT64_MAX) return std::nullopt;
  return Fraction{static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

std::int64_t whole_units(double amount, std::int64_t times, std::int64_t more_times, std::int64_t per) {
  if (!(amount > 0) || times == 0) return 0;
  if (const auto exact = scale_weights(std::vector{amount})) {
    Wide128 product = 0;
    if (__builtin_mul_overflow(Wide128{exact->weights[0]} * times, more_times, &product)) return kEverything;
    return static_cast<std::int64_t>(std::min<Wide128>(product / exact->scale / per, kEverything));
  }
  // 0.3 of scale 10 is 3, though the product may be a hair less.
  const double units = amount * static_cast<double>(times) * static_cast<double>(more_times) / static_cast<double>(per);
  const double nearest = std::round(units);
  const double down = std::abs(units - nearest) <= 1e-9 * nearest ? nearest : std::floor(units);
  return down < static_cast<double>(kEverything) ? static_cast<std::int64_t>(down) : kEverything;
}

}  // namespace beadwork
