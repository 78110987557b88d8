#include <beadwork/table/collisions.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace beadwork::table {

std::string exact_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view rest = text;
  if (negative || text.starts_with('+')) rest.remove_prefix(1);
  const std::size_t e = std::min(rest.find_first_of("eE"), rest.size());
  long long exponent = 0;
  if (e != rest.size()) {
    std::string_view power = rest.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto [end, bad] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (bad != std::errc{} || end != power.data() + power.size()) return std::string(text);
  }
  std::string digits;
  bool point = false;
  for (const char c : rest.substr(0, e)) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::string(text);
    if (!digits.empty() || c != '0') digits += c;
    if (point) --exponent;
  }
  while (digits.ends_with('0')) {
    digits.pop_back();
    ++exponent;
  }
  if (digits.empty()) return "0";
  return fmt::format("{}{}e{}", negative ? "-" : "", digits, exponent);
}

bool Collisions::worth_a_look(std::string_view text) {
  constexpr std::size_t kWritten = 17;  // digits of any double written out
  if (text.size() <= kSure) return false;
  if (text.size() <= kWritten + 2 && text.find('.') != std::string_view::npos) return false;  // with a sign, at most
  std::size_t digits = 0;
  bool whole = true;
  for (const char c : text) {
    if (c == 'e' || c == 'E') break;
    whole = whole && c != '.';
    digits += c >= '1' && c <= '9' ? 1U : c == '0' && digits != 0 ? 1U : 0U;
  }
  return digits > (whole ? kSure : kWritten);
}

void Collisions::add(std::string_view text, double number) {
  constexpr std::size_t kMost = 8192;  // numbers to remember: of so many, some collide if any do
  if (found_) return;
  auto at = first_.find(number);
  if (at == first_.end()) {
    if (first_.size() < kMost) first_.emplace(number, text);
    return;
  }
  if (at->second != text && exact_number(at->second) != exact_number(text))
    found_ = std::minmax(at->second, std::string(text));
}

}  // namespace beadwork::table
