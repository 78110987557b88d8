#include <beadwork/table/number.hpp>
#include <beadwork/table/spelling.hpp>

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

namespace beadwork::table {
namespace {

// Reads from the front of a text; every take leaves it as it was where it does not find what it looks for.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}
  bool done() const { return at_ == text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  // A number of `least` to `most` digits.
  std::optional<int> number(int least, int most) {
    int value = 0;
    int count = 0;
    std::size_t i = at_;
    for (; count < most && i < text_.size() && text_[i] >= '0' && text_[i] <= '9'; ++i, ++count)
      value = value * 10 + (text_[i] - '0');
    const bool more = i < text_.size() && text_[i] >= '0' && text_[i] <= '9';
    if (count < least || more) return std::nullopt;
    at_ = i;
    return value;
  }
  std::string_view digits() {
    const std::size_t start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return text_.substr(start, at_ - start);
  }
  // jan, February, ...: 1 to 12.
  std::optional<int> month() {
    static constexpr std::array<std::string_view, 12> kMonths{"january",   "february", "march",    "april",
                                                              "may",       "june",     "july",     "august",
                                                              "september", "october",  "november", "december"};
    std::string word;
    std::size_t i = at_;
    for (; i < text_.size() && ((text_[i] | 0x20) >= 'a' && (text_[i] | 0x20) <= 'z'); ++i)
      word += static_cast<char>(text_[i] | 0x20);
    for (std::size_t m = 0; m < kMonths.size(); ++m)
      if (word == kMonths[m] || (word.size() == 3 && kMonths[m].starts_with(word))) {
        at_ = i;
        return static_cast<int>(m) + 1;
      }
    return std::nullopt;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<double> seconds_of(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days{date}.time_since_epoch().count()) * kDay;
}

// Three fields with the same separator between them, - / or . (or blank before and behind a month's name).
std::optional<double> date_of(Cursor& in, Reading::Order order) {
  const bool year_first = order == Reading::Order::year_first;
  const auto first = year_first ? in.number(4, 4) : in.number(1, 2);
  const char separator = in.peek();
  if (!first || (separator != '-' && separator != '/' && separator != '.' && (year_first || separator != ' ')))
    return std::nullopt;
  in.take(separator);
  const auto name = order == Reading::Order::day_first ? in.month() : std::nullopt;
  if (!name && separator == ' ') return std::nullopt;
  const auto second = name ? name : in.number(year_first ? 2 : 1, 2);
  if (!second || !in.take(separator)) return std::nullopt;
  const auto third = year_first ? in.number(2, 2) : in.number(4, 4);
  if (!third) return std::nullopt;
  if (year_first) return seconds_of(*first, *second, *third);
  return order == Reading::Order::day_first ? seconds_of(*third, *second, *first) : seconds_of(*third, *first, *second);
}

// 12:30, 12:30:15, 12:30:15.25: whole seconds, and the digits behind the point.
std::optional<double> time_of(Cursor& in, std::string_view& fraction) {
  const auto hour = in.number(1, 2);
  if (!hour || *hour > 23 || !in.take(':')) return std::nullopt;
  const auto minute = in.number(2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  double seconds = *hour * 3600.0 + *minute * 60.0;
  if (!in.take(':')) return seconds;
  const auto second = in.number(2, 2);
  if (!second || *second > 60) return std::nullopt;
  seconds += *second;
  if (!in.take('.')) return seconds;
  if (in.done()) return std::nullopt;
  fraction = in.digits();
  fraction = fraction.substr(0, fraction.find_last_not_of('0') + 1);
  return seconds;
}

// Z, +02:00, -0530: seconds to subtract; nothing where there is none.
std::optional<double> zone_of(Cursor& in) {
  if (in.take('Z')) return 0.0;
  const bool west = in.peek() == '-';
  if (!in.take('-') && !in.take('+')) return std::nullopt;
  auto hours = in.number(2, 2);
  int minutes = 0;
  if (hours && in.take(':')) {
    minutes = in.number(2, 2).value_or(99);
  } else if (!hours) {
    const auto both = in.number(4, 4);
    if (!both) return std::nullopt;
    hours = *both / 100;
    minutes = *both % 100;
  }
  if (*hours > 14 || minutes > 59) return std::nullopt;
  return (west ? -1 : 1) * (*hours * 3600.0 + minutes * 60.0);
}

}  // namespace

std::optional<Moment> moment_of(std::string_view text, Reading::Order order) {
  Cursor in(text);
  const auto day = date_of(in, order);
  if (!day) return std::nullopt;
  Moment out{*day};
  if (in.done()) return out;
  if (!in.take('T') && !in.take(' ')) return std::nullopt;
  const auto time = time_of(in, out.fraction);
  if (!time) return std::nullopt;
  out.seconds += *time;
  out.has_time = true;
  if (!in.done()) {
    const auto zone = zone_of(in);
    if (!zone || !in.done()) return std::nullopt;
    out.seconds -= *zone;
    out.has_zone = true;
  }
  if (!out.fraction.empty()) out.seconds += parse_number("0." + std::string(out.fraction)).value_or(0);
  return out;
}

std::optional<double> duration_of(std::string_view text, int fields) {
  Cursor in(text);
  const bool negative = in.take('-');
  const auto first = in.number(1, 6);
  if (!first) return std::nullopt;
  double value = *first;
  for (int i = 1; i < fields; ++i) {
    if (!in.take(':')) return std::nullopt;
    const auto next = in.number(2, 2);
    if (!next || *next > 59) return std::nullopt;
    value = value * 60 + *next;
  }
  if (!in.done()) return std::nullopt;
  return negative ? -value : value;
}

std::string date_text(double seconds) {
  const std::chrono::sys_days day{std::chrono::days{static_cast<int>(std::floor(seconds / kDay))}};
  const std::chrono::year_month_day date{day};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::string moment_text(double seconds, bool decimals) {
  const double whole = std::floor(seconds);
  const auto of_day = static_cast<int>(whole - std::floor(whole / kDay) * kDay);
  std::string out = date_text(whole);
  out += fmt::format(" {:02}:{:02}", of_day / 3600, of_day / 60 % 60);
  if (of_day % 60 != 0 || decimals) out += fmt::format(":{:02}", of_day % 60);
  if (decimals) out += fmt::format(".{:06}", static_cast<int>((seconds - whole) * 1e6));
  return out;
}

std::string duration_text(double value, int fields) {
  const auto whole = static_cast<std::int64_t>(std::abs(value));
  const std::string sign = value < 0 ? "-" : "";
  if (fields == 2) return fmt::format("{}{}:{:02}", sign, whole / 60, whole % 60);
  return fmt::format("{}{}:{:02}:{:02}", sign, whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace beadwork::table
