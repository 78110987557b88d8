#include <beadwork/table/number.hpp>
#include <beadwork/table/spelling.hpp>

#include <array>

namespace beadwork::table {
namespace {

// Longest first: US$ before $.
constexpr std::array<std::string_view, 26> kUnits{"US$", "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "CAD",
                                                  "AUD", "SEK", "NOK", "DKK", "PLN", "CZK", "BRL", "Fr.", "R$",
                                                  "kr",  "zł",  "$",   "€",   "£",   "¥",   "₹",   "%"};
// Blank, no-break space, narrow no-break space, thin space.
constexpr std::array<std::string_view, 4> kAllBlanks{" ", "\u00A0", "\u202F", "\u2009"};
constexpr std::string_view kMinus = "\u2212";

bool take_front(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

bool take_back(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

std::string_view trimmed(std::string_view text) {
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view blank : kAllBlanks) more = take_front(text, blank) || take_back(text, blank) || more;
  }
  return text;
}

// -, a typesetter's minus, +, or parentheses around the whole.
bool take_sign(std::string_view& text, bool& negative) {
  if (text.size() > 2 && text.front() == '(' && text.back() == ')')
    text = text.substr(1, text.size() - 2);
  else if (take_front(text, "+"))
    return true;
  else if (!take_front(text, "-") && !take_front(text, kMinus))
    return false;
  text = trimmed(text);
  negative = true;
  return true;
}

std::string_view take_unit(std::string_view& text) {
  for (const std::string_view unit : kUnits)
    if (take_front(text, unit) || take_back(text, unit)) {
      text = trimmed(text);
      return unit;
    }
  return {};
}

bool digit(char c) { return c >= '0' && c <= '9'; }

// The digits before the decimal sign, without separators; nothing if these do not stand at every third digit.
bool take_whole(std::string_view& body, char thousands, std::string& out) {
  std::size_t group = 0;
  bool separated = false;
  while (!body.empty()) {
    if (digit(body.front())) {
      out += body.front();
      ++group;
    } else if (thousands != 0 && body.front() == thousands) {
      const bool first_fits = group >= 1 && group <= 3 && out.front() != '0';
      if (separated ? group != 3 : !first_fits) return false;
      separated = true;
      group = 0;
    } else {
      break;
    }
    body.remove_prefix(1);
  }
  return !separated || group == 3;
}

}  // namespace

Spelled take_apart(std::string_view text) {
  Spelled out;
  text = trimmed(text);
  const bool sign_first = take_sign(text, out.negative);
  out.unit = take_unit(text);
  if (!sign_first) take_sign(text, out.negative);
  for (std::size_t i = 0; i < text.size();) {
    std::size_t blank = 0;
    for (const std::string_view b : kAllBlanks)
      if (text.substr(i).starts_with(b)) blank = b.size();
    out.body += blank != 0 ? ' ' : text[i];
    i += blank != 0 ? blank : 1;
  }
  return out;
}

std::optional<double> value_of(const Spelled& spelled, const Convention& convention) {
  std::string_view body = spelled.body;
  std::string plain;
  if (!take_whole(body, convention.thousands, plain)) return std::nullopt;
  if (!body.empty() && body.front() == convention.decimal) {
    plain += '.';
    body.remove_prefix(1);
    while (!body.empty() && digit(body.front())) {
      plain += body.front();
      body.remove_prefix(1);
    }
  }
  if (plain.empty() || plain == "." || (!body.empty() && body.front() != 'e' && body.front() != 'E'))
    return std::nullopt;
  plain += body;
  double number = 0;
  if (!read_number(plain, number)) return std::nullopt;
  return spelled.negative ? -number : number;
}

}  // namespace beadwork::table
