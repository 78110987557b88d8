#include <beadwork/base.hpp>
#include <beadwork/exports/names.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>

namespace beadwork::exports {
namespace {

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool digit(char c) {
  return c >= '0' && c <= '9';
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

// Two underscores in a row are reserved in C++, so a run of what cannot be kept becomes one.
std::string kept(std::string_view name) {
  constexpr std::size_t kMost = 48;
  std::string out;
  for (const char c : name) {
    if (out.size() == kMost) break;
    if (letter(c) || digit(c))
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out.empty() ? "unnamed" : out;
}

// In double quotes, printable ASCII as it is, and whatever else as `other` writes it.
template <class Other>
std::string literal_of(std::string_view text, Other other) {
  std::string out = "\"";
  for (const char32_t c : code_points(text)) {
    if (c == U'"' || c == U'\\')
      out.append("\\").append(1, static_cast<char>(c));
    else if (c >= 0x20 && c < 0x7F)
      out += static_cast<char>(c);
    else
      out += other(static_cast<std::uint32_t>(c));
  }
  return out + '"';
}

}  // namespace

std::string Identifiers::of(std::string_view name) {
  const std::string base = prefix_ + kept(name);
  std::string id = base;
  for (std::size_t i = 2; !taken_.insert(lower(id)).second; ++i) id = fmt::format("{}_{}", base, i);
  return id;
}

std::vector<std::string> Identifiers::of(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(of(name));
  return out;
}

std::vector<std::string> usable_names(const std::vector<std::string>& names, bool (*usable)(const std::string&)) {
  std::unordered_set<std::string> taken(names.begin(), names.end());
  Identifiers identifiers("x_");
  std::vector<std::string> out;
  for (const std::string& name : names) {
    if (usable(name)) {
      out.push_back(name);
      continue;
    }
    do out.push_back(identifiers.of(name));
    while (!taken.insert(out.back()).second && (out.pop_back(), true));
  }
  return out;
}

bool is_identifier(std::string_view text) {
  if (text.empty() || !letter(text.front())) return false;
  for (const char c : text)
    if (!letter(c) && !digit(c) && c != '_') return false;
  return text.find("__") == std::string_view::npos;
}

std::string in_quotes(std::string_view name, std::size_t most) {
  return '"' + printable(name, most) + '"';
}

std::string ascii(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x80 ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

std::string c_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?')
      out.append("\\").append(1, c);
    else if (byte < 0x20 || byte >= 0x7F)
      out += fmt::format("\\{:03o}", byte);
    else
      out += c;
  }
  return out + '"';
}

std::string json_string(std::string_view text) {
  return escaped(nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace),
                 {{'<', "\\u003c"}});
}

// As JSON, but a character beyond 16 bits is one escape, not two.
std::string python_string(std::string_view text) {
  const std::string json = json_string(text);
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto unit = [&](std::size_t at) { return std::stoul(json.substr(at + 2, 4), nullptr, 16); };
    if (json[i] == '\\' && json[i + 1] == 'u' && unit(i) >= 0xD800 && unit(i) < 0xDC00) {
      out += fmt::format("\\U{:08x}", 0x10000 + ((unit(i) - 0xD800) << 10) + (unit(i + 6) - 0xDC00));
      i += 11;
    } else {
      out += json[i];
      if (json[i] == '\\') out += json[++i];  // so that \\u is not taken for an escape
    }
  }
  return out;
}

std::u32string code_points(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::string_view one = text.substr(i, length);
    if (one.size() < length || find_invalid_utf8(one)) {
      out += U'\uFFFD';
      ++i;
      continue;
    }
    char32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    for (const char next : one.substr(1)) c = (c << 6) | (static_cast<unsigned char>(next) & 0x3FU);
    out += c;
    i += length;
  }
  return out;
}

std::string utf8_of(char32_t c) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
  const auto value = static_cast<std::uint32_t>(c);
  if (value < 0x80) return {byte(value)};
  if (value < 0x800) return {byte(0xC0 | (value >> 6)), byte(0x80 | (value & 0x3F))};
  const char last = byte(0x80 | (value & 0x3F)), middle = byte(0x80 | ((value >> 6) & 0x3F));
  if (value < 0x10000) return {byte(0xE0 | (value >> 12)), middle, last};
  return {byte(0xF0 | (value >> 18)), byte(0x80 | ((value >> 12) & 0x3F)), middle, last};
}

std::string rust_string(std::string_view text) {
  return literal_of(text, [](std::uint32_t c) { return fmt::format("\\u{{{:x}}}", c); });
}

std::string go_string(std::string_view text) {
  return literal_of(
      text, [](std::uint32_t c) { return c < 0x10000 ? fmt::format("\\u{:04x}", c) : fmt::format("\\U{:08x}", c); });
}

// Java reads \uHHHH before it reads literals, so control characters are octal.
std::string java_string(std::string_view text) {
  return literal_of(text, [](std::uint32_t c) {
    if (c < 0x80) return fmt::format("\\{:03o}", c);
    if (c < 0x10000) return fmt::format("\\u{:04x}", c);
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((c - 0x10000) >> 10), 0xDC00 + ((c - 0x10000) & 0x3FF));
  });
}

std::string r_string(std::string_view text) {
  return go_string(text);
}

std::string sql_string(std::string_view text) {
  return fmt::format("'{}'", escaped(text, {{'\'', "''"}}));
}

std::string sql_name(std::string_view name) {
  return fmt::format("\"{}\"", escaped(name, {{'"', "\"\""}}));
}

std::vector<std::string> quoted(std::vector<std::string> names, std::string (*quote)(std::string_view)) {
  for (std::string& name : names) name = quote(name);
  return names;
}

}  // namespace beadwork::exports
