#include <beadwork/exports/numbers.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace beadwork::exports {

std::int64_t largest_of(unsigned bits) {
  return static_cast<std::int64_t>((std::uint64_t{1} << (bits - 1)) - 1);
}

// q / scale grows with q, rounded or not, so the last one is found by halving.
std::optional<std::int64_t> largest_at_most(double threshold, const ExportNumbers& numbers) {
  const auto holds = [&](std::int64_t q) {
    return static_cast<double>(q) / static_cast<double>(numbers.scale) <= threshold;
  };
  std::int64_t low = -largest_of(numbers.bits) - 1, high = largest_of(numbers.bits);
  if (!holds(low)) return std::nullopt;
  while (low < high) {
    const std::int64_t middle =
        high - static_cast<std::int64_t>((static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) / 2);
    if (holds(middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

float largest_float_at_most(double threshold) {
  constexpr float kMost = std::numeric_limits<float>::max(), kInfinite = std::numeric_limits<float>::infinity();
  if (threshold >= static_cast<double>(kMost)) return kMost;
  if (threshold < -static_cast<double>(kMost)) return -kInfinite;
  const auto near = static_cast<float>(threshold);
  return static_cast<double>(near) <= threshold ? near : std::nextafter(near, -kInfinite);
}

std::string real_literal(double value) {
  const std::string text = format_number(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string float_literal(float value) {
  std::array<char, 32> buffer{};
  const auto [end, status] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  require(status == std::errc{}, "float_literal: a float fits in 32 characters");
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

std::size_t Codes::of(const std::string& level) const {
  return kFirstCode + static_cast<std::size_t>(std::find(levels.begin(), levels.end(), level) - levels.begin());
}

Codes codes_of(const InputColumn& column) {
  return {column.ordinal() ? column.reading.levels : column.levels};
}

std::vector<std::vector<double>> shares_of_paths(const Plan& plan) {
  std::vector<std::vector<double>> out;
  for (std::uint64_t p = 0; p < plan.diagram.num_paths(); ++p) out.push_back(probabilities(plan.model, p));
  return out;
}

}  // namespace beadwork::exports
