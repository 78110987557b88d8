#pragma once
#include <beadwork/dataset/binarizer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace beadwork {

// What a value of a column of texts means, by the type that it is held in. predict reads tables by this, and every
// export that meets such values holds what it needs of it (docs/formats.md):
//
//   text      the category of that name, to the letter; or else
//             in a column of two truths (yes and no, 0 and 1): that truth, however and in whichever case it is spelled;
//             the category true, or false, in whichever case, where only one is;
//             a plain decimal (1, 1.0, -0, 2.50): the category that is the same number, where only one is;
//             the rest of the categories, where only the most frequent stay; or nothing that training had
//   integer   its digits as text
//   decimal   a whole one as an integer, any other in its shortest digits as text; NaN is missing
//   boolean   true or false as text
//
// Words with an order are texts like these.
struct Spelling {
  enum class Kind {
    exact,     // this text
    any_case,  // this text, in whichever case
    number,    // plain decimals of the same number as this text, which is the shortest of them
    yes,       // true, yes, t, y, on in whichever case, and plain decimals of 1
    no,        // false, no, f, n, off in whichever case, and plain decimals of 0
  };
  Kind kind = Kind::exact;
  std::string text = {};
  friend bool operator==(const Spelling&, const Spelling&) = default;
};
bool spells(const Spelling& spelling, std::string_view text);

class Meanings {
 public:
  explicit Meanings(const InputColumn& column);

  const std::vector<std::string>& levels() const { return levels_; }  // words in their order, where they have one
  const Spelling& spelling(std::size_t level) const { return spellings_[level]; }
  // The level of all texts that are neither a level nor missing.
  std::optional<std::size_t> rest() const { return rest_; }
  const std::vector<std::string>& missing() const { return missing_; }  // texts that mean no value

  bool missing(std::string_view text) const;
  // Of a text that is not missing; nothing: training had none of it.
  std::optional<std::size_t> level_of(std::string_view text) const;
  std::size_t place(std::string_view level) const;  // of a level by its name

 private:
  std::vector<std::string> levels_, missing_;
  std::vector<Spelling> spellings_;
  std::unordered_map<std::string, std::size_t> names_, numbers_;
  std::optional<std::size_t> rest_, yes_, no_;
};

}  // namespace beadwork
