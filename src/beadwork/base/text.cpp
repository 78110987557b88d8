#include <beadwork/base.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace beadwork {
namespace {

// Length of the well-formed UTF-8 sequence at the start of `s` (Unicode table 3-7), 0 if there is none.
std::size_t sequence_length(std::string_view s) {
  const auto at = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0U; };
  const auto tail = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return at(i) >= low && at(i) <= high;
  };
  const unsigned c = at(0);
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c <= 0xDF) return tail(1) ? 2 : 0;
  if (c >= 0xE0 && c <= 0xEF) return tail(1, c == 0xE0 ? 0xA0 : 0x80, c == 0xED ? 0x9F : 0xBF) && tail(2) ? 3 : 0;
  if (c >= 0xF0 && c <= 0xF4)
    return tail(1, c == 0xF0 ? 0x90 : 0x80, c == 0xF4 ? 0x8F : 0xBF) && tail(2) && tail(3) ? 4 : 0;
  return 0;
}

std::uint32_t decode(std::string_view s) {
  if (s.size() == 1) return static_cast<unsigned char>(s[0]);
  std::uint32_t value = static_cast<unsigned char>(s[0]) & (0x7FU >> s.size());
  for (std::size_t i = 1; i < s.size(); ++i) value = (value << 6) | (static_cast<unsigned char>(s[i]) & 0x3FU);
  return value;
}

bool unseen(std::uint32_t c) {  // moves or hides text instead of showing itself, or is no character at all
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c & 0xFFFE) == 0xFFFE || (c >= 0xE0000 && c <= 0xE007F);
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+' && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string format_number(double value) {
  std::array<char, 32> buffer{};
  const auto [end, status] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  require(status == std::errc{}, "format_number: a double fits in 32 characters");
  return {buffer.data(), end};
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const std::size_t n = sequence_length(text.substr(i));
    if (n == 0) return i;
    i += n;
  }
  return std::nullopt;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t shown = 0;
  while (!text.empty()) {
    if (shown++ == most) return out + "...";
    const std::size_t n = sequence_length(text);
    if (n == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (const std::uint32_t c = decode(text.substr(0, n)); unseen(c)) {
      out += fmt::format("\\u{{{:x}}}", c);
    } else {
      out += text.substr(0, n);
    }
    text.remove_prefix(n == 0 ? 1 : n);
  }
  return out;
}

std::string spelled(std::string_view name) {
  std::string out;
  for (;;) {
    const std::size_t end = std::min(name.find('\\'), name.size());
    out += printable(name.substr(0, end), std::string::npos);
    if (end == name.size()) return out;
    out += "\\u{5c}";
    name.remove_prefix(end + 1);
  }
}

namespace {

void append_utf8(std::uint32_t c, std::string& out) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80U | (c >> shift & 0x3FU)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0U | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0U | c >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0U | c >> 18);
    tail(12), tail(6), tail(0);
  }
}

}  // namespace

std::string unspelled(std::string_view text) {
  constexpr std::string_view kBegin = "\\u{";
  std::string out;
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t end = text.starts_with(kBegin) ? std::min(text.find('}'), text.size()) : 0;
    const char* const digits = text.data() + std::min(kBegin.size(), end);
    const bool sign = end > kBegin.size() && end < text.size() &&
                      std::from_chars(digits, text.data() + end, code, 16).ptr == text.data() + end &&
                      code <= 0x10FFFF && code >> 11 != 0x1B;  // no surrogate
    if (sign)
      append_utf8(code, out);
    else
      out += text.front();
    text.remove_prefix(sign ? end + 1 : 1);
  }
  return out;
}

std::string escaped(std::string_view text, std::initializer_list<std::pair<char, std::string_view>> by) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto* found = std::find_if(by.begin(), by.end(), [&](const auto& entry) { return entry.first == c; });
    out += found == by.end() ? std::string_view(&c, 1) : found->second;
  }
  return out;
}

}  // namespace beadwork
