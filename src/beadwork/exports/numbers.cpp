#include <beadwork/exports/numbers.hpp>

#include <fmt/format.h>

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

namespace {

bool wholly(double x) {
  return std::abs(x - std::round(x)) <= 1e-9 * std::max(1.0, std::abs(x));
}

// A power of ten by which values about all these thresholds are whole.
std::string scale_that_fits(const std::vector<double>& thresholds, const ExportNumbers& numbers) {
  for (std::int64_t scale = 10; scale <= 1'000'000'000; scale *= 10) {
    const double most = static_cast<double>(largest_of(numbers.bits)) / static_cast<double>(scale);
    if (std::all_of(thresholds.begin(), thresholds.end(),
                    [&](double t) { return std::abs(t) < most && wholly(2 * t * static_cast<double>(scale)); }))
      return fmt::format("give a scale ({} fits), or take doubles", scale);
  }
  return "give a scale, or take doubles";
}

Status check_cuts(const InputColumn& column, const std::vector<double>& cuts, const ExportNumbers& numbers) {
  const auto refuse = [&](const std::string& what) {
    return option_error(fmt::format("column {}: {}", in_quotes(column.name, 40), what), "numbers");
  };
  std::optional<std::int64_t> before;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const auto last = largest_at_most(cuts[i], numbers);
    const std::string shown = format_number(cuts[i]);
    if (!last || *last == largest_of(numbers.bits))
      return refuse(fmt::format("training had values on both sides of {}, integers of {} bits{} have not", shown,
                                numbers.bits, numbers.scale == 1 ? "" : fmt::format(" over {}", numbers.scale)));
    if (numbers.scale == 1 && std::abs(cuts[i]) < 0x1p52 && 2 * cuts[i] != std::trunc(2 * cuts[i]))
      return refuse(fmt::format("the threshold {} lies between values that are not whole: {}", shown,
                                scale_that_fits(cuts, numbers)));
    if (before == last)
      return refuse(fmt::format("no integer{} lies between the thresholds {} and {}: {}",
                                numbers.scale == 1 ? "" : fmt::format(" over {}", numbers.scale),
                                format_number(cuts[i - 1]), shown, scale_that_fits(cuts, numbers)));
    before = last;
  }
  return Done{};
}

}  // namespace

Status check_integers(const Plan& plan) {
  if (!plan.raw() || !plan.options.numbers.integer()) return Done{};
  std::vector<std::vector<double>> cuts(plan.columns().size());
  for (const Test& test : plan.tests())
    if (test.kind == TestKind::at_most && !plan.columns()[test.column].text())
      cuts[test.column].push_back(test.threshold);
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    std::sort(cuts[c].begin(), cuts[c].end());
    cuts[c].erase(std::unique(cuts[c].begin(), cuts[c].end()), cuts[c].end());
    TRY_DONE(check_cuts(plan.columns()[c], cuts[c], plan.options.numbers));
  }
  return Done{};
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
  const BranchCounts branches(plan.model.diagram(), plan.model.counts());
  for (std::uint64_t p = 0; p < plan.diagram.num_paths(); ++p) out.push_back(shares_of(branches.of(p)));
  return out;
}

}  // namespace beadwork::exports
