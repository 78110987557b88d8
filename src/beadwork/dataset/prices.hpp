#pragma once
#include <beadwork/base.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace beadwork {

// Weights, costs, prices of nodes and scales: here they are multiplied and added up for the first time, in arithmetic
// that notices what does not fit. What passes fits everywhere else; what does not is an Error that names the option.

// Most that all rows together may weigh, or cost where each gets its worst answer, in integers. Engines add up such
// sums for 20 features and times small factors, and stay far from 2^63.
inline constexpr std::int64_t kMostTotal = std::int64_t{1} << 56;

// A sum of amounts that are not negative.
class CheckedTotal {
 public:
  // Adds amount * times; false, and nothing is added, where the sum would pass kMostTotal.
  [[nodiscard]] bool add(std::int64_t amount, std::int64_t times = 1);
  std::int64_t value() const { return value_; }

 private:
  std::int64_t value_ = 0;
};

// a * b of two positive numbers; nothing from 2^62 on.
std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b);

// What the rows of each class weigh together, in integers to be divided by `scale`.
struct ClassTotals {
  std::vector<std::int64_t> weights;
  std::int64_t scale = 1;
  std::int64_t rounding = 0;  // of all weights together, in the same integers
};
class Dataset;
struct RankedData;
ClassTotals class_totals(const Dataset& dataset);
ClassTotals class_totals(const RankedData& data);

// What all rows cost together where each gets its worst answer; costs: of answering k for class j, at
// j * classes + k, none: each error 1. An Error where that is more than kMostTotal.
Result<std::int64_t> worst_total(std::span<const std::int64_t> class_weights, const std::vector<std::int64_t>& costs);

// What answers cost, in integers.
struct Prices {
  std::vector<std::int64_t> costs;  // times `scale`; empty: each error costs 1
  std::int64_t scale = 1;
  std::int64_t units = 1;     // integers to one of the user's units: scale times that of the weights
  std::int64_t rounding = 0;  // how far the rounding of the weights may move a cost, in integers
};
// An Error where the costs are not as many as they should be, are negative, are all 0 or have too many decimals, and
// where all rows may cost more than kMostTotal.
Result<Prices> prices_of(const ClassTotals& totals, const std::vector<double>& costs);

// price * a * b as numerator / denominator in lowest terms, exactly; a price above all that rows may cost is told as
// kMostTotal + 1. Nothing where it does not fit.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};
std::optional<Fraction> exact_price(double price, std::int64_t units);

// amount * times / per in integers, rounded down; exact where the amount has at most nine decimals. At most
// kEverything, which is more than any rows may cost.
inline constexpr std::int64_t kEverything = std::int64_t{9} * 1'000'000'000'000'000'000;
std::int64_t whole_units(double amount, std::int64_t times, std::int64_t more_times = 1, std::int64_t per = 1);

}  // namespace beadwork
