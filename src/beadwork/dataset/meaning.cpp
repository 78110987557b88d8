#include <beadwork/dataset/meaning.hpp>

#include <algorithm>
#include <array>

namespace beadwork {
namespace {

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

bool a_digit(char c) {
  return c >= '0' && c <= '9';
}

// Of a text in a column of two truths.
std::optional<bool> truth_meant(std::string_view text) {
  const auto number = plain_decimal(text);
  return truth_of(number ? std::string_view(*number) : text);
}

}  // namespace

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

bool spells(const Spelling& spelling, std::string_view text) {
  switch (spelling.kind) {
    case Spelling::Kind::exact:
      return text == spelling.text;
    case Spelling::Kind::any_case:
      return in_lower_case(text) == spelling.text;
    case Spelling::Kind::number:
      return plain_decimal(text) == spelling.text;
    case Spelling::Kind::yes:
      return truth_meant(text) == true;
    case Spelling::Kind::no:
      return truth_meant(text) == false;
  }
  return false;
}

Meanings::Meanings(const InputColumn& column)
    : levels_(column.ordinal() ? column.reading.levels : column.levels), missing_(column.reading.missing) {
  const auto truth = [&](std::size_t i) { return truth_of(levels_[i]); };
  const bool truths = !column.ordinal() && levels_.size() == 2 && truth(0) && truth(1) && *truth(0) != *truth(1);
  std::unordered_map<std::string, std::size_t> alike;  // levels of the same number, or the same truth in any case
  const auto number_of_level = [&](std::size_t i) { return plain_decimal(levels_[i]); };
  const auto word_of_level = [&](std::size_t i) -> std::optional<std::string> {
    std::string word = in_lower_case(levels_[i]);
    if (word == "true" || word == "false") return word;
    return std::nullopt;
  };
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    names_.emplace(levels_[i], i);
    if (const auto number = number_of_level(i)) ++alike[*number];
    if (const auto word = word_of_level(i)) ++alike[*word];
    if (!column.reading.other.empty() && levels_[i] == column.reading.other) rest_ = i;
  }
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    using enum Spelling::Kind;
    if (truths) {
      (*truth(i) ? yes_ : no_) = i;
      spellings_.push_back({*truth(i) ? yes : no});
    } else if (const auto number = number_of_level(i); number && alike[*number] == 1) {
      numbers_.emplace(*number, i);
      spellings_.push_back({Spelling::Kind::number, *number});
    } else if (const auto word = word_of_level(i); word && alike[*word] == 1) {
      numbers_.emplace(*word, i);
      spellings_.push_back({any_case, *word});
    } else {
      spellings_.push_back({exact, levels_[i]});
    }
  }
}

bool Meanings::missing(std::string_view text) const {
  return std::find(missing_.begin(), missing_.end(), text) != missing_.end();
}

std::optional<std::size_t> Meanings::level_of(std::string_view text) const {
  if (const auto name = names_.find(std::string(text)); name != names_.end()) return name->second;
  if (yes_)
    if (const auto truth = truth_meant(text)) return *truth ? yes_ : no_;
  const auto number = plain_decimal(text);
  if (const auto alike = numbers_.find(number ? *number : in_lower_case(text)); alike != numbers_.end())
    return alike->second;
  return rest_;
}

std::size_t Meanings::place(std::string_view level) const {
  const auto at = names_.find(std::string(level));
  require(at != names_.end(), "Meanings::place: a level of the column");
  return at->second;
}

}  // namespace beadwork
