#include <beadwork/base.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace beadwork {
namespace {

constexpr std::size_t kLongestName = 64;  // beyond it nobody mistypes a name; keeps the distance cheap

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

// Row by row; the two rows before are kept, for swaps.
std::size_t edits_between(std::string_view x, std::string_view y) {
  std::array<std::vector<std::size_t>, 3> rows;
  for (auto& row : rows) row.resize(y.size() + 1);
  std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= x.size(); ++i) {
    const auto& before = rows[(i + 2) % 3];
    auto& row = rows[i % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
        row[j] = std::min(row[j], rows[(i + 1) % 3][j - 2] + 1);
    }
  }
  return rows[x.size() % 3][y.size()];
}

}  // namespace

std::string nearest_word(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() > kLongestName) return "";
  const std::string typed = in_small_letters(name);
  const std::string* nearest = nullptr;
  std::size_t least = 1 + std::max<std::size_t>(1, name.size() / 3);
  for (const std::string& word : known) {
    const std::size_t longer = std::max(word.size(), name.size());
    if (longer - std::min(word.size(), name.size()) >= least) continue;
    const std::size_t edits = edits_between(typed, in_small_letters(word));
    if (edits >= least || edits >= name.size()) continue;  // nothing in common is no likeness
    least = edits;
    nearest = &word;
  }
  return nearest == nullptr ? "" : *nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string word = nearest_word(name, known);
  return word.empty() || word == name ? "" : fmt::format("; did you mean '{}'?", printable(word));
}

}  // namespace beadwork
