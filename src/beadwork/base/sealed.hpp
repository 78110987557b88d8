#pragma once
#include <beadwork/base/result.hpp>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// The text with a last line that holds its SHA-256.
std::string seal(std::string text);

// The lines of a text as lines of another one.
std::string nested(std::string_view text);
// Any text as one word of visible characters, and back; nothing for what is no such word.
std::string as_word(std::string_view text);
std::optional<std::string> from_word(std::string_view word);

// The lines of a sealed text, each a name and words, one after the other. They point into the text.
class SealedLines {
 public:
  // The Error says in a few words why this is no sealed text that begins with the line `kind`.
  static Result<SealedLines> open(std::string_view text, std::string_view kind);
  // The words of the next line, if it has this name.
  std::optional<std::vector<std::string_view>> next(std::string_view name);
  // A text that `nested` put here; empty if there is none.
  std::string next_nested();
  bool at_end() const { return at_ == lines_.size(); }

 private:
  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
};

std::vector<std::string_view> split(std::string_view text, char by);

// A whole integer of this type; nothing for anything else.
template <class T>
std::optional<T> parse_integer(std::string_view text) {
  T out{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return out;
}

}  // namespace beadwork
