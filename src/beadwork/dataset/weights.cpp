#include <beadwork/dataset.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace beadwork {
namespace {

__extension__ using Int128 = __int128;  // pedantic warnings

// mantissa * 10^exponent: a whole number as it is, else the shortest decimal that is read as this double, which is what
// somebody wrote. Of 83756870731.1 the double itself is 0.000006 too large, which five more decimals would show.
struct Decimal {
  std::int64_t mantissa = 0;
  int exponent = 0;
};
Decimal decimal_of(double x) {
  if (x == std::floor(x) && x <= static_cast<double>(kMostTotal)) return {static_cast<std::int64_t>(x), 0};
  std::array<char, 32> text{};  // "8.37568707311e+10"
  const char* begin = text.data();
  const char* end = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::scientific).ptr;
  const char* e = std::find(begin, end, 'e');
  Decimal out;
  for (const char* at = begin; at != e; ++at)
    if (*at != '.') out.mantissa = 10 * out.mantissa + (*at - '0');
  const char* digits = e + (e[1] == '+' ? 2 : 1);
  std::from_chars(digits, end, out.exponent);
  if (e - begin > 2) out.exponent -= static_cast<int>(e - begin) - 2;
  return out;
}

// decimal * factor where that is whole and at most kMostTotal.
std::optional<std::int64_t> times(const Decimal& decimal, std::int64_t factor) {
  Int128 product = Int128{decimal.mantissa} * factor;
  for (int i = 0; i < decimal.exponent && product <= kMostTotal; ++i) product *= 10;
  for (int i = 0; i > decimal.exponent; --i) {
    if (product % 10 != 0) return std::nullopt;
    product /= 10;
  }
  return product <= kMostTotal ? std::optional(static_cast<std::int64_t>(product)) : std::nullopt;
}

// All of them in integers, by `scaled`; nothing where one of them, or their sum, is none.
template <class Scaled>
std::optional<std::vector<std::int64_t>> whole(std::span<const double> weights, Scaled&& scaled) {
  std::vector<std::int64_t> out;
  out.reserve(weights.size());
  CheckedTotal total;
  for (const double w : weights) {
    const std::optional<std::int64_t> integer = scaled(w);
    if (!integer || !total.add(*integer)) return std::nullopt;
    out.push_back(*integer);
  }
  return out;
}

// In lowest terms, so that the same weights are the same integers wherever they come from.
void divide_out(ScaledWeights& s) {
  std::int64_t common = s.scale;
  for (const std::int64_t w : s.weights) common = std::gcd(common, w);
  for (std::int64_t& w : s.weights) w /= common;
  s.scale /= common;
  s.rounding = s.rounding / common + (s.rounding % common != 0 ? 1 : 0);
}

Status check_weights(std::span<const double> weights) {
  bool any = false;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i]) || weights[i] < 0)
      return input_error(fmt::format("weight {} of row {} is not a finite number >= 0", weights[i], i + 1));
    any = any || weights[i] > 0;
  }
  if (!any && !weights.empty()) return input_error("all weights are zero");
  return Done{};
}

std::optional<ScaledWeights> exact_weights(std::span<const double> weights) {
  const auto in_lowest_terms = [](std::vector<std::int64_t> integers, std::int64_t scale) {
    ScaledWeights s{std::move(integers), scale};
    divide_out(s);
    return s;
  };
  std::int64_t scale = 1;
  for (int digits = 0; digits <= 9; ++digits, scale *= 10)
    if (auto integers = whole(weights, [&](double w) { return times(decimal_of(w), scale); }))
      return in_lowest_terms(*std::move(integers), scale);
  for (int bits = 1; bits <= 52; ++bits) {
    const auto scaled = [&](double w) {
      constexpr std::int64_t kWritten = 1'000'000'000'000'000;  // more digits come out of a computation
      if (const Decimal decimal = decimal_of(w); decimal.mantissa < kWritten)
        return times(decimal, std::int64_t{1} << bits);
      const double exact = std::ldexp(w, bits);
      const bool fits = exact == std::floor(exact) && exact <= static_cast<double>(kMostTotal);
      return fits ? std::optional(static_cast<std::int64_t>(exact)) : std::nullopt;
    };
    if (auto integers = whole(weights, scaled)) return in_lowest_terms(*std::move(integers), std::int64_t{1} << bits);
  }
  return std::nullopt;
}

constexpr const char* kTooHeavy = "the weights add up to more than 2^56; scale them down";

// Of the power of two that rounded weights are multiplied by.
Result<int> bits_for(double sum) {
  constexpr int kBits = 30;
  int exponent = 0;
  std::frexp(sum, &exponent);  // sum < 2^exponent
  const int bits = std::max(0, kBits - exponent);
  if (bits > 61) return input_error("the weights are too small; scale them up");
  return bits;
}

// Does the sum of the weights, of so many rows each, fit?
bool sum_fits(const ScaledWeights& s, auto&& rows) {
  CheckedTotal total;
  for (std::size_t i = 0; i < s.weights.size(); ++i)
    if (!total.add(s.weights[i], rows(i))) return false;
  return true;
}

// Exactly where that fits, else rounded; weight i is that of rows(i) rows.
Result<ScaledWeights> integers_for(std::span<const double> weights, auto&& rows) {
  if (auto exact = exact_weights(weights); exact && sum_fits(*exact, rows)) return *std::move(exact);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * static_cast<double>(rows(i));
  if (!(sum < static_cast<double>(kMostTotal))) return input_error(kTooHeavy);
  TRY(const auto bits, bits_for(sum));
  ScaledWeights s{{}, std::int64_t{1} << bits, 0};
  double rounding = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double scaled = std::ldexp(weights[i], bits);
    s.weights.push_back(static_cast<std::int64_t>(std::nearbyint(scaled)));
    rounding += std::abs(scaled - std::nearbyint(scaled)) * static_cast<double>(rows(i));
  }
  s.rounding = static_cast<std::int64_t>(std::ceil(rounding * (1 + 1e-9)));
  divide_out(s);
  if (!sum_fits(s, rows)) return input_error(kTooHeavy);  // each was rounded up
  return s;
}

}  // namespace

Result<ScaledWeights> scale_weights(std::span<const double> weights) {
  TRY_DONE(check_weights(weights));
  if (auto exact = exact_weights(weights)) return *std::move(exact);
  return input_error("weights cannot be scaled exactly to integers whose sum is at most 2^56; round them first");
}

Result<ScaledWeights> round_weights(std::span<const double> weights, std::span<const std::int64_t> times) {
  TRY_DONE(check_weights(weights));
  return integers_for(weights, [&](std::size_t i) { return times.empty() ? 1 : times[i]; });
}

std::int64_t WeightScale::of(double weight) const {
  if (const auto exact = times(decimal_of(weight), scale)) return *exact;
  return static_cast<std::int64_t>(std::nearbyint(weight * static_cast<double>(scale)));
}

Result<WeightScale> weight_scale_of(std::span<const double> distinct, std::span<const std::uint64_t> counts) {
  require(distinct.size() == counts.size(), "weight_scale_of: a count for every weight");
  TRY_DONE(check_weights(distinct));
  TRY(const auto whole, integers_for(distinct, [&](std::size_t i) { return static_cast<std::int64_t>(counts[i]); }));
  return WeightScale{whole.scale, whole.rounding};
}

}  // namespace beadwork
