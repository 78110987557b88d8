#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace beadwork {

// A whole decimal number ("12", "-3.5", "1e-3"); nothing for anything else, NaN and infinities included.
std::optional<double> parse_number(std::string_view text);

// The shortest decimal that reads back as the same double: 37.5, 1e+20, 0.1.
std::string format_number(double value);

// Where the first byte that is not UTF-8 stands, if any.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// For messages and pictures: control characters, bidi overrides and line breaks as \u{..}, cut at `most` characters.
std::string printable(std::string_view text, std::size_t most = 80);

// A name for a line of a file: as printable, whole, and with each \ as \u{5c}, so that different names stay different.
// unspelled gives the name back; a \ that begins no such sign stands for itself.
std::string spelled(std::string_view name);
std::string unspelled(std::string_view text);

// The text with something else for some of its characters: escaped("a<b", {{'<', "&lt;"}}).
std::string escaped(std::string_view text, std::initializer_list<std::pair<char, std::string_view>> by);

}  // namespace beadwork
