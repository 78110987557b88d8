#include <beadwork/dataset.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
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

Error no_room() {
  return {ErrorCode::limit, "the memory limit leaves no room for its features", {}};
}

// What a copy of so many bits is done under: no limit is too short for a small one.
Control limits_of_copy(std::size_t features, std::size_t rows, Control control) {
  constexpr std::size_t kFree = std::size_t{1} << 24;
  if (features * rows > kFree) return control;
  control.deadline = Deadline::never();
  control.memory_limit = 0;
  return control;
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

Dataset::Dataset(Parts parts) : parts_(std::move(parts)) {
  const std::size_t rows = parts_.labels.size();
  require(parts_.feature_names.size() == parts_.columns.size(), "Dataset: a name for every feature");
  require(!parts_.class_names.empty(), "Dataset: at least one class");
  require(parts_.weights.empty() || parts_.weights.size() == rows, "Dataset: a weight for every row, or none");
  require(parts_.places.empty() || parts_.places.size() == parts_.columns.size(), "Dataset: a place for every feature");
  require(parts_.inputs.empty() || parts_.inputs.size() == parts_.columns.size(), "Dataset: an input of every feature");
  for (const std::size_t input : parts_.inputs)
    require(input < parts_.input_names.size(), "Dataset: a name for every input");
  require(parts_.weight_scale >= 1, "Dataset: weight_scale is positive");
  require(parts_.weight_rounding >= 0, "Dataset: weight_rounding is not negative");
  for (const Class k : parts_.labels) require(k() < parts_.class_names.size(), "Dataset: labels name classes");
  for (const BitColumn& c : parts_.columns) {
    require(c.size() == words_for(rows), "Dataset: bit columns have a bit for every row");
    require(rows % 64 == 0 || c.back() >> (rows % 64) == 0, "Dataset: bits past the last row are zero");
  }
  CheckedTotal sum;
  for (const std::int64_t w : parts_.weights) {
    require(w >= 0, "Dataset: weights are not negative");
    require(sum.add(w), "Dataset: the sum of the weights is at most 2^56");
  }
  if (std::all_of(parts_.weights.begin(), parts_.weights.end(), [](std::int64_t w) { return w == 1; }))
    parts_.weights.clear();
  total_weight_ = parts_.weights.empty() ? static_cast<std::int64_t>(rows) : sum.value();
}

BitColumn compress(const BitColumn& from, const BitColumn& mask, std::size_t rows) {
  BitColumn out(words_for(rows) + 1);
  std::size_t at = 0;
  for (std::size_t w = 0; w < from.size(); ++w) {
    std::uint64_t bits = from[w];
    if (mask[w] != ~std::uint64_t{0}) {
      bits = 0;
      for (std::uint64_t left = from[w] & mask[w]; left != 0; left &= left - 1) {
        const std::uint64_t below = (left & (~left + 1)) - 1;
        bits |= std::uint64_t{1} << std::popcount(mask[w] & below);
      }
    }
    out[at / 64] |= bits << at % 64;
    if (at % 64 != 0) out[at / 64 + 1] |= bits >> (64 - at % 64);
    at += static_cast<std::size_t>(std::popcount(mask[w]));
  }
  out.pop_back();
  return out;
}

std::size_t Dataset::num_features_in_all() const {
  return parts_.ranks ? parts_.ranks->num_features() : num_features();
}

Dataset Dataset::subset(std::span<const Row> rows) const {
  return *subset(rows, Control{});
}

Result<Dataset> Dataset::subset(std::span<const Row> rows, const Control& given) const {
  const Control control = limits_of_copy(num_features(), num_rows(), given);
  Parts p{{},
          parts_.feature_names,
          {},
          parts_.class_names,
          {},
          parts_.weight_scale,
          parts_.weight_rounding,
          parts_.thresholds,
          {},
          {},
          0,
          parts_.inputs,
          parts_.input_names,
          parts_.lacks_features};
  for (const Row r : rows) require(r() < num_rows(), "Dataset::subset: rows of the dataset");
  if (control.no_room_for(num_features() * (words_for(rows.size()) * 8 + 32) + 16 * rows.size())) return no_room();
  const bool in_order = std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) == rows.end();
  BitColumn mask;
  if (in_order) mask.resize(words_for(num_rows()));
  for (std::size_t i = 0; i < rows.size() && in_order; ++i) set_bit(mask, rows[i]());
  p.columns.reserve(num_features());
  for (const BitColumn& from : parts_.columns) {
    if (control.stopping()) return Error{ErrorCode::limit, "stopped while parting its rows", {}};
    BitColumn to = in_order ? compress(from, mask, rows.size()) : BitColumn(words_for(rows.size()));
    for (std::size_t i = 0; i < rows.size() && !in_order; ++i)
      if (bit(from, rows[i]())) set_bit(to, i);
    p.columns.push_back(std::move(to));
  }
  for (const Row r : rows) p.labels.push_back(label(r));
  if (!unit_weights())
    for (const Row r : rows) p.weights.push_back(weight(r));
  return Dataset(std::move(p));
}

Dataset Dataset::without_features() const {
  Dataset out = select({});
  out.parts_.ranks = nullptr;
  out.parts_.thresholds.clear();
  out.parts_.input_names.clear();
  out.parts_.lacks_features = true;
  return out;
}

Dataset Dataset::select(std::span<const Feature> features) const {
  return *select(features, Control{});
}

Result<Dataset> Dataset::select(std::span<const Feature> features, const Control& given) const {
  const Control control = limits_of_copy(features.size(), num_rows(), given);
  if (control.no_room_for(features.size() * (words_for(num_rows()) * 8 + 64) + 16 * num_rows())) return no_room();
  Parts p{{},
          {},
          parts_.labels,
          parts_.class_names,
          parts_.weights,
          parts_.weight_scale,
          parts_.weight_rounding,
          parts_.thresholds,
          parts_.ranks,
          {},
          parts_.given_rows,
          {},
          {},
          parts_.lacks_features};
  for (std::size_t i = 0; i < num_inputs(); ++i) p.input_names.push_back(input_name(i));
  for (const Feature f : features) {
    require(f() < num_features(), "Dataset::select: features of the dataset");
    if (control.stopping()) return Error{ErrorCode::limit, "stopped while selecting its features", {}};
    p.columns.push_back(column(f));
    p.feature_names.push_back(feature_name(f));
    p.inputs.push_back(input_of(f));
    if (p.ranks) p.places.push_back(number_in_all(f));
  }
  return Dataset(std::move(p));
}

namespace {

template <class Take>
void for_each_canonical_line(const Dataset& dataset, Take&& take) {
  std::string line;
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) {
    line = fmt::format("{} {} ", dataset.label(Row{r})(), dataset.weight(Row{r}));
    for (std::size_t f = 0; f < dataset.num_features(); ++f) line += dataset.value(Feature{f}, Row{r}) ? '1' : '0';
    line += '\n';
    if (!take(line)) return;
  }
}

}  // namespace

std::string canonical_text(const Dataset& dataset) {
  std::string text;
  for_each_canonical_line(dataset, [&](const std::string& line) {
    text += line;
    return true;
  });
  return text;
}

std::string sha256(const Dataset& dataset) {
  return *sha256(dataset, Control{});
}

Result<std::string> sha256(const Dataset& dataset, const Control& control) {
  Sha256 hash;
  for_each_canonical_line(dataset, [&](const std::string& line) {
    hash.update(line);
    return !control.stopping();
  });
  if (control.stopping()) return Error{ErrorCode::limit, "stopped while hashing its rows", {}};
  return hash.hex_digest();
}

std::string matrix_text(const Dataset& dataset) {
  std::string text = "# beadwork matrix 1\n";
  for (std::size_t k = 0; k < dataset.num_classes(); ++k)
    text += fmt::format("# class {} {}\n", k, spelled(dataset.class_name(Class{k})));
  for (std::size_t f = 0; f < dataset.num_features(); ++f)
    text += fmt::format("# feature {} {}\n", f, spelled(dataset.feature_name(Feature{f})));
  const bool weights = !dataset.unit_weights() || dataset.weight_scale() != 1;
  if (weights) text += "# weights\n";
  if (dataset.weight_scale() != 1) text += fmt::format("# weight-scale {}\n", dataset.weight_scale());
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) {
    text += fmt::format("{}", dataset.label(Row{r})());
    if (weights) text += fmt::format(" {}", dataset.weight(Row{r}));
    for (std::size_t f = 0; f < dataset.num_features(); ++f) text += dataset.value(Feature{f}, Row{r}) ? " 1" : " 0";
    text += '\n';
  }
  return text;
}

std::vector<Feature> all_zero_features(const Dataset& dataset) {
  std::vector<Feature> out;
  for (std::size_t f = 0; f < dataset.num_features(); ++f) {
    const BitColumn& c = dataset.column(Feature{f});
    if (std::all_of(c.begin(), c.end(), [](std::uint64_t w) { return w == 0; })) out.emplace_back(f);
  }
  return out;
}

}  // namespace beadwork
