#include <beadwork/base.hpp>
#include <beadwork/table/number.hpp>
#include <beadwork/table/reading.hpp>
#include <beadwork/table/spelling.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwork {
namespace {

bool a_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

void Reading::add_missing(const std::vector<std::string>& texts) {
  missing.insert(missing.end(), texts.begin(), texts.end());
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
}

std::optional<double> number_of(const Reading& reading, std::string_view text) {
  using enum Reading::Kind;
  switch (reading.kind) {
    case plain:
    case boolean:
      return parse_number(text);
    case number: {
      const auto spelled = table::take_apart(text, reading.unit);
      if (spelled.unit != reading.unit && (!spelled.unit.empty() || !table::is_currency(reading.unit)))
        return std::nullopt;
      return table::value_of(spelled, {reading.decimal, reading.thousands});
    }
    case date:
    case moment: {
      const auto found = table::moment_of(text, reading.order);
      if (!found || found->has_time != (reading.kind == moment)) return std::nullopt;
      return reading.kind == moment ? found->seconds : found->seconds / table::kDay;
    }
    case duration:
      return table::duration_of(text, reading.fields);
    case ordinal: {
      const auto at = std::find(reading.levels.begin(), reading.levels.end(), text);
      if (at == reading.levels.end()) return std::nullopt;
      return static_cast<double>(at - reading.levels.begin());
    }
  }
  return std::nullopt;
}

std::string text_of(const Reading& reading, double x) {
  using enum Reading::Kind;
  switch (reading.kind) {
    case date:
      return table::date_text(std::floor(x) * table::kDay);
    case moment:
      return table::moment_text(x, reading.fields == 3);
    case duration:
      return table::duration_text(std::floor(x), reading.fields);
    case ordinal:
      return x >= 0 && x < static_cast<double>(reading.levels.size()) ? reading.levels[static_cast<std::size_t>(x)]
                                                                      : "?";
    default:
      return format_number(x);
  }
}

std::string words(const Reading& reading) {
  using enum Reading::Kind;
  if (reading.kind == date) return "dates";
  if (reading.kind == moment) return "dates with a time";
  if (reading.kind == duration) return "times";
  std::string out = reading.decimal == ',' ? "numbers with a decimal comma" : "numbers";
  if (reading.decimal == '.' && reading.thousands != 0)
    out += fmt::format(" with {} between thousands",
                       reading.thousands == ' ' ? "blanks" : fmt::format("{}", reading.thousands));
  if (!reading.unit.empty()) out += fmt::format(" in {}", reading.unit);
  return out;
}

bool stands_for_nothing(std::string_view text) {
  static constexpr std::array<std::string_view, 22> kTokens{
      "-",   "--",   "---", "–",   "—",    ".",      "..",   "...", "*",       "n/a",     "#n/a",
      "#na", "n.a.", "na",  "nan", "null", "#null!", "none", "nil", "missing", "unknown", "tbd"};
  if (text.find_first_not_of(" \t") == std::string_view::npos) return true;
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return std::find(kTokens.begin(), kTokens.end(), lower) != kTokens.end();
}

std::optional<bool> truth_of(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kWords{"false", "true", "no",  "yes", "f", "t",
                                                           "n",     "y",    "off", "on",  "0", "1"};
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  const auto* found = std::find(kWords.begin(), kWords.end(), lower);
  if (found == kWords.end()) return std::nullopt;
  return (found - kWords.begin()) % 2 == 1;
}

std::optional<std::string> plain_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::size_t whole = 0;
  while (whole < text.size() && a_digit(text[whole])) ++whole;
  if (whole == 0 || (whole > 1 && text.front() == '0')) return std::nullopt;
  std::size_t end = whole;
  if (end < text.size() && text[end] == '.') {
    ++end;
    while (end < text.size() && a_digit(text[end])) ++end;
  }
  if (end != text.size()) return std::nullopt;
  while (end > whole && text[end - 1] == '0') --end;
  if (end == whole + 1) end = whole;  // only the point is left
  const std::string_view shortest = text.substr(0, end);
  return negative && shortest != "0" ? "-" + std::string(shortest) : std::string(shortest);
}

std::optional<std::string> same_category(std::string_view text) {
  if (auto number = plain_decimal(text)) return number;
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  if (lower == "true" || lower == "false") return lower;
  return std::nullopt;
}

std::vector<std::string> bin_names(const std::vector<double>& cuts) {
  std::vector<std::string> names{"<= " + format_number(cuts.front())};
  for (std::size_t i = 1; i < cuts.size(); ++i)
    names.push_back(fmt::format("{} to {}", format_number(cuts[i - 1]), format_number(cuts[i])));
  names.push_back("> " + format_number(cuts.back()));
  return names;
}

std::size_t bin_of(const std::vector<double>& cuts, double number) {
  return static_cast<std::size_t>(std::lower_bound(cuts.begin(), cuts.end(), number) - cuts.begin());
}

}  // namespace beadwork
