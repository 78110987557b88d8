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

// Of a text in a column of two truths.
std::optional<bool> truth_meant(std::string_view text) {
  const auto number = plain_decimal(text);
  return truth_of(number ? std::string_view(*number) : text);
}

}  // namespace

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
  std::unordered_map<std::string, std::size_t> alike;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    names_.emplace(levels_[i], i);
    if (const auto same = same_category(levels_[i])) ++alike[*same];
    if (!column.reading.other.empty() && levels_[i] == column.reading.other) rest_ = i;
  }
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    using enum Spelling::Kind;
    if (truths) {
      (*truth(i) ? yes_ : no_) = i;
      spellings_.push_back({*truth(i) ? yes : no});
    } else if (const auto same = same_category(levels_[i]); same && alike[*same] == 1) {
      numbers_.emplace(*same, i);
      spellings_.push_back({plain_decimal(levels_[i]) ? Spelling::Kind::number : any_case, *same});
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
  const auto same = same_category(text);
  if (const auto alike = same ? numbers_.find(*same) : numbers_.end(); alike != numbers_.end()) return alike->second;
  return rest_;
}

std::size_t Meanings::place(std::string_view level) const {
  const auto at = names_.find(std::string(level));
  require(at != names_.end(), "Meanings::place: a level of the column");
  return at->second;
}

}  // namespace beadwork
