#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// Which of the known words somebody who typed `name` most likely meant: the first of the nearest by characters that are
// inserted, left out, changed or swapped with their neighbour (Damerau and Levenshtein), blind to case. Empty where
// none is near: at most a third of the characters may differ (one of a short name), and some must agree.
std::string nearest_word(std::string_view name, const std::vector<std::string>& known);

// "; did you mean 'depth'?", or nothing where no word is near, or it is the very one.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace beadwork
