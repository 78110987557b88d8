#pragma once
// Every function of a few features, its size counted on strings.

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace beadwork::testing_support {

inline std::size_t count_beads(const std::string& table) {
  std::set<std::string> beads;
  for (std::size_t length = table.size(); length >= 1; length /= 2)
    for (std::size_t first = 0; first < table.size(); first += length) {
      const std::string s = table.substr(first, length);
      if (length == 1 || s.substr(0, length / 2) != s.substr(length / 2)) beads.insert(s);
    }
  return beads.size();
}

// The size of a function in its best order.
inline std::size_t best_size(const std::string& table) {
  std::size_t h = 0;
  while (std::size_t{1} << h < table.size()) ++h;
  std::vector<std::size_t> order(h);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t best = 1000;
  do {
    std::string moved(table.size(), '?');
    for (std::size_t cell = 0; cell < table.size(); ++cell) {
      std::size_t to = 0;
      for (std::size_t i = 0; i < h; ++i) to |= (cell >> i & 1) << order[i];
      moved[to] = table[cell];
    }
    best = std::min(best, count_beads(moved));
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

struct SizedFunction {
  std::string cells;
  std::size_t size;
};
inline const std::vector<SizedFunction>& functions(std::size_t h, std::size_t classes) {
  static std::map<std::pair<std::size_t, std::size_t>, std::vector<SizedFunction>> known;
  auto& out = known[{h, classes}];
  if (!out.empty()) return out;
  std::string cells(std::size_t{1} << h, '0');
  for (;;) {
    out.push_back({cells, best_size(cells)});
    std::size_t i = 0;
    while (i < cells.size() && cells[i] == static_cast<char>('0' + classes - 1)) cells[i++] = '0';
    if (i == cells.size()) return out;
    ++cells[i];
  }
}

// (features, nodes) -> least errors, exactly that many features looked at and exactly so many nodes.
using Errors = std::map<std::pair<std::size_t, std::size_t>, std::int64_t>;

inline std::set<std::tuple<std::size_t, std::size_t, std::int64_t>> pareto(const Errors& all) {
  std::set<std::tuple<std::size_t, std::size_t, std::int64_t>> out;
  for (const auto& [a, errors] : all) {
    bool beaten = false;
    for (const auto& [b, other] : all)
      beaten = beaten || (b.first <= a.first && b.second <= a.second && other <= errors && (b != a || other < errors));
    if (!beaten) out.emplace(a.first, a.second, errors);
  }
  return out;
}

}  // namespace beadwork::testing_support
