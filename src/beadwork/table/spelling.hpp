#pragma once
// Texts that people and spreadsheets write for numbers, dates and times.
#include <beadwork/table/reading.hpp>

namespace beadwork::table {

struct Convention {
  char decimal = '.';
  char thousands = 0;
  friend bool operator==(const Convention&, const Convention&) = default;
};
inline constexpr Convention kConventions[] = {{'.', 0}, {'.', ','}, {'.', ' '}, {'.', '\''},
                                              {',', 0}, {',', '.'}, {',', ' '}, {',', '\''}};

// A text without blanks around it, its sign (-, a minus sign of typesetters, or parentheses around it) and its unit.
// Blanks of every kind inside the body are plain ones.
struct Spelled {
  bool negative = false;
  std::string body;
  std::string_view unit;  // a currency or %; empty if there is none
};
// `unit`, where given, is one more that may stand behind.
Spelled take_apart(std::string_view text, std::string_view unit = {});
bool is_currency(std::string_view unit);
std::optional<double> value_of(const Spelled& spelled, const Convention& convention);

inline constexpr double kDay = 86400;
struct Moment {
  double seconds = 0;
  bool has_time = false;
  bool has_zone = false;
  std::string_view fraction = {};  // the digits behind the point of its seconds, without zeros at the end
};
// 2024-03-01, 1.3.2024, 03/01/2024, 2024-03-01T12:30, 01-Mar-2024 12:30:15.5, ...; a time zone is subtracted.
std::optional<Moment> moment_of(std::string_view text, Reading::Order order);
// 007: more than one digit, the first a zero, as codes of places and articles have.
inline bool looks_like_code(std::string_view text) {
  return text.size() > 1 && text.front() == '0' && text[1] >= '0' && text[1] <= '9' &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}
// 12:30 (two fields) or 1:02:03 (three), in units of the last field.
std::optional<double> duration_of(std::string_view text, int fields);

std::string date_text(double seconds);
std::string moment_text(double seconds, bool decimals);
std::string duration_text(double value, int fields);

}  // namespace beadwork::table
