#pragma once
// Random tables, the paper's tables, and a brute force that shares nothing with the search.

#include "shared_data.hpp"
#include <beadwork/search.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace beadwork::test {

// A file of the paper: blank-separated, class first.
inline std::optional<Dataset> load_paper(const std::string& name) {
  const auto folder = data_folder("paper");
  if (!folder) return {};
  std::ifstream in(*folder / (name + ".txt"));
  if (!in) return {};
  std::vector<std::vector<int>> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::vector<int> row;
    for (int x; words >> x;) row.push_back(x);
    if (!row.empty()) rows.push_back(row);
  }
  Dataset::Parts parts;
  parts.class_names = {"0", "1"};
  const std::size_t features = rows.at(0).size() - 1;
  parts.columns.assign(features, BitColumn(words_for(rows.size())));
  for (std::size_t f = 0; f < features; ++f) parts.feature_names.push_back(fmt::format("f{}", f));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    parts.labels.emplace_back(static_cast<std::size_t>(rows[r][0]));
    for (std::size_t f = 0; f < features; ++f)
      if (rows[r][f + 1] != 0) set_bit(parts.columns[f], r);
  }
  return Dataset(std::move(parts));
}

struct TableShape {
  std::size_t rows = 20, features = 6, classes = 2;
  std::int64_t max_weight = 1;
  std::int64_t unit = 1;  // that divides all weights
  bool skewed = false;    // most weights are far below the largest
  double density = 0.5, noise = 0.3;
};

// Labels follow a few features with noise; some features repeat others, up to complement; some are constant.
inline Dataset random_table(Rng& rng, const TableShape& shape) {
  Dataset::Parts parts;
  for (std::size_t k = 0; k < shape.classes; ++k) parts.class_names.push_back(std::to_string(k));
  parts.columns.assign(shape.features, BitColumn(words_for(shape.rows)));
  for (std::size_t f = 0; f < shape.features; ++f) {
    parts.feature_names.push_back(fmt::format("f{}", f));
    const bool repeats = f > 0 && rng.below(8) == 0, flip = rng.below(2) == 0, constant = rng.below(20) == 0;
    const std::size_t other = f > 0 ? rng.below(f) : 0;
    const double density = rng.below(3) == 0 ? shape.density / 3 : shape.density;
    for (std::size_t r = 0; r < shape.rows; ++r) {
      bool v = rng.unit() < density;
      if (repeats) v = bit(parts.columns[other], r) != flip;
      if (constant) v = flip;
      if (v) set_bit(parts.columns[f], r);
    }
  }
  for (std::size_t r = 0; r < shape.rows; ++r) {
    std::size_t code = 0;
    for (std::size_t f = 0; f < std::min<std::size_t>(3, shape.features); ++f)
      code = code * 2 + static_cast<std::size_t>(bit(parts.columns[f], r));
    const bool noisy = rng.unit() < shape.noise;
    parts.labels.emplace_back(noisy ? rng.below(shape.classes) : (code * 5 / 3) % shape.classes);
    if (shape.max_weight == 1) continue;
    auto weight = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(shape.max_weight)));
    if (shape.skewed) weight >>= rng.below(40);
    parts.weights.push_back((1 + weight) * shape.unit);
  }
  return Dataset(std::move(parts));
}

// Cost of a set of features, straight from the definition.
inline std::int64_t naive_cost(const Dataset& d, const std::vector<std::int64_t>& costs,
                               const std::vector<Feature>& set) {
  const std::size_t k = d.num_classes();
  std::map<std::vector<bool>, std::vector<std::int64_t>> cells;
  for (std::size_t r = 0; r < d.num_rows(); ++r) {
    std::vector<bool> key;
    for (const Feature f : set) key.push_back(d.value(f, Row{r}));
    auto& w = cells[key];
    w.resize(k, 0);
    w[d.label(Row{r})()] += d.weight(Row{r});
  }
  std::int64_t sum = 0;
  for (const auto& [key, w] : cells) {
    std::int64_t least = INT64_MAX;
    for (std::size_t p = 0; p < k; ++p) {
      std::int64_t c = 0;
      for (std::size_t j = 0; j < k; ++j) c += w[j] * (costs.empty() ? (j == p ? 0 : 1) : costs[j * k + p]);
      least = std::min(least, c);
    }
    sum += least;
  }
  return sum;
}

// All sets of the right size over representatives, in order of (error, list), with copies.
inline std::vector<NearSet> naive_sets(const Dataset& d, const SearchOptions& o) {
  // Families of allowed features that are equal up to complement, constants left out.
  const auto has = [](const std::vector<Feature>& v, Feature f) { return std::find(v.begin(), v.end(), f) != v.end(); };
  const auto normal = [&](Feature f) {
    std::vector<bool> v;
    for (std::size_t r = 0; r < d.num_rows(); ++r) v.push_back(d.value(f, Row{r}) != d.value(f, Row{0}));
    return v;
  };
  std::map<std::vector<bool>, std::pair<Feature, std::uint64_t>> families;
  for (std::size_t i = 0; i < d.num_features(); ++i) {
    const Feature f{i};
    if (has(o.forbid, f)) continue;
    const auto [it, fresh] = families.try_emplace(normal(f), f, 0);
    ++it->second.second;
  }
  families.erase(std::vector<bool>(d.num_rows(), false));
  for (const Feature f : o.require) families.erase(normal(f));
  std::vector<std::pair<Feature, std::uint64_t>> free;
  for (const auto& [key, family] : families) free.push_back(family);
  std::sort(free.begin(), free.end());
  const std::size_t choose = std::min(o.depth - o.require.size(), free.size());
  std::vector<NearSet> out;
  std::vector<std::size_t> at(choose);
  for (std::size_t i = 0; i < choose; ++i) at[i] = i;
  for (;;) {
    NearSet s;
    s.features = o.require;
    for (const std::size_t i : at) {
      s.features.push_back(free[i].first);
      s.copies *= free[i].second;
    }
    std::sort(s.features.begin(), s.features.end());
    s.error = naive_cost(d, o.costs, s.features);
    out.push_back(s);
    std::size_t i = choose;
    while (i > 0 && at[i - 1] == free.size() - choose + i - 1) --i;
    if (i == 0) break;
    ++at[i - 1];
    for (; i < choose; ++i) at[i] = at[i - 1] + 1;
  }
  std::sort(out.begin(), out.end(), [](const NearSet& a, const NearSet& b) {
    return a.error != b.error ? a.error < b.error : a.features < b.features;
  });
  return out;
}

// Classes by chance: hard to search for its size.
inline Dataset noise(std::size_t rows, std::size_t features, std::uint64_t seed) {
  Rng rng(seed);
  TableShape shape;
  shape.rows = rows;
  shape.features = features;
  shape.noise = 1;
  return random_table(rng, shape);
}

}  // namespace beadwork::test
