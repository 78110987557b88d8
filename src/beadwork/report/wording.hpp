#pragma once
// The words that all reports share: tests, classes, counts and the line that sums a model up.
#include <beadwork/model.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace beadwork::report {

// How a name is shown: made printable and shortened as the place allows.
using Shorten = std::function<std::string(std::string_view)>;
std::string shown(std::string_view name);  // for running text: at most 200 characters

// A column of 0 and 1, which is named by itself where it holds 1.
bool stands_for_itself(const InputColumn& input, const Test& test);

// Signs of comparison: typeset in pictures and on the page, plain where text may be typed or parsed.
struct Signs {
  std::string_view at_most, unequal;
};
inline constexpr Signs kTypeset{"\u2264", "\u2260"};
inline constexpr Signs kPlain{"<=", "!="};

// The test of a feature, or its negation: age <= 37.5, age > 37.5, color != red, income is present, not f3.
std::string test_words(const Model& model, Feature f, bool passed = true, const Shorten& shorten = shown,
                       const Signs& signs = kTypeset);
// text_rules with these signs.
std::string rules_words(const Model& model, const Signs& signs);

// The answer of a sink.
std::string answer_words(const Model& model, const std::optional<Class>& answer, const Shorten& shorten = shown);

// Do all training rows weigh 1, so that sums of weights are rows?
bool unweighted(const Model& model);
// 14, 2.5: weight in the user's units.
std::string weight_words(const Model& model, std::int64_t weight);
// 14 of 15 rows, or "14.5 of 20 by weight" where rows do not all weigh 1.
std::string share_words(const Model& model, std::int64_t part, std::int64_t whole);
// 15 rows, 1 row, weight 14.5.
std::string rows_words(const Model& model, std::int64_t weight);
// 7 as it stands, 12k, 3.4M: at most five characters.
std::string short_weight(const Model& model, std::int64_t weight);

// 0.93 and 93%; a share that is not 0 or 1 is never rounded to it: >0.99, <1%.
std::string probability_words(std::int64_t part, std::int64_t whole);
std::string percent_words(std::int64_t part, std::int64_t whole);

// Weight of the rows that a sink's answer is right about.
std::int64_t right_weight(std::span<const std::int64_t> counts, const std::optional<Class>& answer);

// training accuracy 93.3% (7 errors in 105 rows), optimal
std::string summary(const Model& model);

}  // namespace beadwork::report
