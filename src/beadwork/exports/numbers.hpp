#pragma once
// Numbers of other types than double, and texts as numbers, so that no answer changes.
#include <beadwork/exports/plan.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beadwork::exports {

// The largest integer of the type whose number, q / scale as a double, is at most the threshold; nothing if none is.
std::optional<std::int64_t> largest_at_most(double threshold, const ExportNumbers& numbers);
std::int64_t largest_of(unsigned bits);

// Refuses integers where answers would change on values that training must have had: a threshold lies between two of
// them. They need integers on either side of it, and between two thresholds; and where an integer stands for the number
// itself, whole values lie about a threshold that is a whole number or a half.
Status check_integers(const Plan& plan);

// x <= t is the same as x <= this for every float x. Infinite where t is below all finite floats.
float largest_float_at_most(double threshold);

// As literals with a decimal point or an exponent: 3 is 3.0.
std::string real_literal(double value);
std::string float_literal(float value);  // of C: 3.0f

// The texts of a column as numbers: 0 is missing, 1 any text that is not listed, `levels` follow.
inline constexpr std::size_t kMissingCode = 0, kOtherCode = 1, kFirstCode = 2;
struct Codes {
  std::vector<std::string> levels;
  std::size_t of(const std::string& level) const;
};
Codes codes_of(const InputColumn& column);

// Shares of the classes on every path.
std::vector<std::vector<double>> shares_of_paths(const Plan& plan);

}  // namespace beadwork::exports
