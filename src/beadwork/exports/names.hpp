#pragma once
// Identifiers made of names, and names in the quotes and comments of other languages.
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace beadwork::exports {

// Hands out identifiers: `prefix` and what can be kept of the name; each only once, regardless of case.
class Identifiers {
 public:
  explicit Identifiers(std::string prefix) : prefix_(std::move(prefix)) {}
  std::string of(std::string_view name);
  std::vector<std::string> of(const std::vector<std::string>& names);

 private:
  std::string prefix_;
  std::unordered_set<std::string> taken_;  // in lower case
};

// The names, with identifiers instead of those that are not usable.
std::vector<std::string> usable_names(const std::vector<std::string>& names, bool (*usable)(const std::string&));

bool is_identifier(std::string_view text);

// A name in a comment: printable, in double quotes, cut at `most` characters.
std::string in_quotes(std::string_view name, std::size_t most = 200);

// Bytes beyond ASCII as \xHH, for formats that know no others.
std::string ascii(std::string_view text);

// Its characters, U+FFFD for bytes that are none.
std::u32string code_points(std::string_view text);
std::string utf8_of(char32_t c);

// String literals.
std::string c_string(std::string_view text);     // bytes beyond ASCII as octal, no trigraphs
std::string json_string(std::string_view text);  // ASCII, and without <: for JSON and JavaScript
std::string python_string(std::string_view text);
std::string rust_string(std::string_view text);
std::string go_string(std::string_view text);
std::string java_string(std::string_view text);  // ASCII
std::string r_string(std::string_view text);     // no NUL
std::string sql_string(std::string_view text);
std::string sql_name(std::string_view name);
// All of them in such quotes.
std::vector<std::string> quoted(std::vector<std::string> names, std::string (*quote)(std::string_view));

}  // namespace beadwork::exports
