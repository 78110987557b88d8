#pragma once
#include <beadwork/base.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace beadwork::table {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// parse_number, quicker for the plain decimals that files are full of: up to 15 digits make an integer that a
// double holds exactly, and so is the power of ten it is divided by; one rounding makes the result the
// nearest double (Clinger 1990). Anything else takes the general road.
inline bool read_number(std::string_view text, double& out) {
  static constexpr std::array<double, 16> kPower{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* p = text.data();
  const char* const end = p + text.size();
  const bool negative = p != end && *p == '-';
  if (negative) ++p;
  std::uint64_t mantissa = 0;
  const char* const first = p;
  const char* point = nullptr;
  for (; p != end; ++p) {
    const auto digit = static_cast<unsigned>(*p) - unsigned{'0'};
    if (digit < 10)
      mantissa = mantissa * 10 + digit;
    else if (*p == '.' && point == nullptr)
      point = p;
    else
      break;
  }
  const auto digits = (p - first) - (point != nullptr ? 1 : 0);
  if (p == end && digits > 0 && digits <= 15) {
    const auto decimals = point != nullptr ? static_cast<std::size_t>(end - point - 1) : 0;
    const double size = static_cast<double>(mantissa) / kPower[decimals];
    out = negative ? -size : size;
    return true;
  }
  const auto number = parse_number(text);
  if (number) out = *number;
  return number.has_value();
}

// "nan", "-inf", "Infinity", in any case.
bool names_no_finite_number(std::string_view text);
Error not_finite(std::string_view text, const std::string& column, std::string where);

}  // namespace beadwork::table
