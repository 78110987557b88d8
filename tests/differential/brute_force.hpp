#pragma once
// Slow and plain: the least training errors by trying everything, on rows as strings. Shares nothing with the
// engines.

#include "support/datasets.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace beadwork::testing_support {

using Set = std::vector<std::size_t>;

// Errors of the best labelling of the cells that a set of features makes.
inline std::int64_t errors_of_set(const std::vector<BitRow>& rows, const Set& set) {
  std::map<std::string, std::map<std::size_t, std::int64_t>> cells;
  std::int64_t total = 0;
  for (const BitRow& r : rows) {
    std::string cell;
    for (const std::size_t f : set) cell += r.bits[f];
    cells[cell][r.label] += r.weight;
    total += r.weight;
  }
  for (const auto& [cell, labels] : cells) {
    std::int64_t most = 0;
    for (const auto& [label, weight] : labels) most = std::max(most, weight);
    total -= most;
  }
  return total;
}

inline std::string column_of(const std::vector<BitRow>& rows, std::size_t f) {
  std::string column;
  for (const BitRow& r : rows) column += r.bits[f];
  return column;
}
inline std::string flipped(std::string column) {
  for (char& c : column) c = c == '0' ? '1' : '0';
  return column;
}

// The least feature of each family of equal or complementary ones, without constants.
inline Set representatives(const std::vector<BitRow>& rows, std::size_t features) {
  Set out;
  std::set<std::string> seen;
  for (std::size_t f = 0; f < features; ++f) {
    const std::string column = column_of(rows, f);
    if (column.find('0') == std::string::npos || column.find('1') == std::string::npos) continue;
    if (seen.count(column) + seen.count(flipped(column)) == 0) out.push_back(f);
    seen.insert(column);
  }
  return out;
}

// All subsets of `from` with `size` elements, in lexicographic order.
inline void for_each_subset(const Set& from, std::size_t size, const std::function<void(const Set&)>& take,
                            Set chosen = {}, std::size_t next = 0) {
  if (chosen.size() == size) return take(chosen);
  for (std::size_t i = next; i < from.size(); ++i) {
    chosen.push_back(from[i]);
    for_each_subset(from, size, take, chosen, i + 1);
    chosen.pop_back();
  }
}

struct Best {
  std::int64_t errors = 0;
  Set set;  // sorted; the least of the best
};

// The least errors of any set of at most `depth` features: tried over all features, repeated or not.
inline std::int64_t least_errors(const std::vector<BitRow>& rows, std::size_t features, std::size_t depth) {
  std::optional<std::int64_t> best;
  for (unsigned mask = 0; mask < 1U << features; ++mask) {
    Set set;
    for (std::size_t f = 0; f < features; ++f)
      if ((mask >> f & 1U) != 0) set.push_back(f);
    if (set.size() > depth) continue;
    const std::int64_t errors = errors_of_set(rows, set);
    if (!best || errors < *best) best = errors;
  }
  return *best;
}

inline Best best_set(const std::vector<BitRow>& rows, const Set& from, std::size_t size) {
  std::optional<Best> best;
  for_each_subset(from, size, [&](const Set& set) {
    const std::int64_t errors = errors_of_set(rows, set);
    if (!best || errors < best->errors) best = Best{errors, set};
  });
  return *best;
}

// The paper's reading: exactly `depth` columns that are not all zero, in any order, any table whose halves
// differ.
inline std::optional<Best> best_faithful(const std::vector<BitRow>& rows, std::size_t features, std::size_t depth,
                                         std::size_t classes) {
  Set from;
  for (std::size_t f = 0; f < features; ++f)
    if (column_of(rows, f).find('1') != std::string::npos) from.push_back(f);
  std::vector<std::string> tables{""};
  for (std::size_t cell = 0; cell < std::size_t{1} << depth; ++cell) {
    std::vector<std::string> longer;
    for (const std::string& t : tables)
      for (std::size_t k = 0; k < classes; ++k) longer.push_back(t + static_cast<char>('0' + k));
    tables = std::move(longer);
  }
  std::optional<Best> best;
  for_each_subset(from, depth, [&](Set set) {
    const Set sorted = set;
    do {
      std::vector<std::size_t> cell_of;
      for (const BitRow& r : rows) {
        std::size_t cell = 0;
        for (const std::size_t f : set) cell = 2 * cell + (r.bits[f] == '1' ? 1U : 0U);
        cell_of.push_back(cell);
      }
      for (const std::string& t : tables) {
        const std::size_t half = t.size() / 2;
        if (depth > 0 && t.compare(0, half, t, half, half) == 0) continue;  // the root is no bead
        std::int64_t errors = 0;
        for (std::size_t r = 0; r < rows.size(); ++r)
          if (t[cell_of[r]] != static_cast<char>('0' + rows[r].label)) errors += rows[r].weight;
        if (!best || errors < best->errors) best = Best{errors, sorted};
      }
    } while (std::next_permutation(set.begin(), set.end()));
  });
  return best;
}

}  // namespace beadwork::testing_support
