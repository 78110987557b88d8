#include <beadwork/search/problem/problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace beadwork::detail {

std::int64_t evaluate(const Problem& p, std::span<const std::uint32_t> candidates) {
  std::vector<std::uint32_t> cell = p.cell;
  std::uint32_t num_cells = cell.empty() ? 0 : *std::max_element(cell.begin(), cell.end()) + 1;
  for (const std::uint32_t i : candidates)
    num_cells = refine_cells(cell, num_cells, [&](std::size_t r) { return bit(p.columns[i], r); });
  const std::size_t k = p.num_channels;
  std::vector<std::int64_t> sums(num_cells * k, 0);
  for (std::size_t r = 0; r < p.num_rows; ++r)
    for (std::size_t c = 0; c < k; ++c) sums[cell[r] * k + c] += p.costs[r * k + c];
  return p.base + least_costs(sums, k);
}

std::uint32_t open_groups(const Problem& p, std::span<const std::uint32_t> candidates) {
  std::uint32_t open = p.groups;
  for (const std::uint32_t i : candidates) open &= ~p.candidates[i].group;
  return open;
}

Candidates with_room(const Problem& p, const Candidates& set, std::size_t choose) {
  Candidates out;
  for (const std::uint32_t i : set) {
    const std::uint32_t open = open_groups(p, out) & ~p.candidates[i].group;
    if (out.size() + 1 + static_cast<std::size_t>(std::popcount(open)) <= choose) out.push_back(i);
  }
  return out;
}

std::vector<Feature> to_features(const Problem& p, const Candidates& set) {
  std::vector<Feature> out = p.required;
  for (const std::uint32_t i : set) out.push_back(p.candidates[i].feature);
  std::sort(out.begin(), out.end());
  return out;
}

Candidates to_candidates(const Problem& p, const std::vector<Feature>& features, std::size_t most) {
  Candidates out;
  for (std::uint32_t i = 0; i < p.candidates.size() && out.size() < most; ++i)
    if (std::find(features.begin(), features.end(), p.candidates[i].feature) != features.end()) out.push_back(i);
  return out;
}

std::string fingerprint(const Problem& p, std::size_t depth) {
  const Condensed& data = *p.data;
  Sha256 h;
  std::string text = fmt::format("search 1 rows {} classes {} depth {}\n", data.num_rows, data.num_classes, depth);
  const auto add = [&](auto number, int base = 10) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number, base).ptr;
    text.append(digits, end).push_back(' ');
    if (text.size() < 4096) return;
    h.update(text);
    text.clear();
  };
  for (const std::int64_t w : data.class_weights) add(w);
  for (const std::int64_t c : p.cost_matrix) {
    text += 'c';
    add(c);
  }
  for (const Feature f : p.required) {
    text += 'r';
    add(f());
  }
  for (const Candidate& c : p.candidates) {
    text += 'f';
    add(c.feature());
    if (c.group != 0) text += fmt::format("g{} ", c.group);
    for (const std::uint64_t word : data.columns[c.column]) add(word, 16);
  }
  h.update(text);
  return h.hex_digest();
}

}  // namespace beadwork::detail
