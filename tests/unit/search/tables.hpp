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

// Where one question is all.
inline Result<SearchOutcome> search(const Condensed& data, const SearchOptions& options, const Control& control) {
  const auto problem = prepare(data, options, control);
  if (!problem) return problem.error();
  return beadwork::search(*problem, options, control);
}
inline Result<SearchOutcome> local_search(const Condensed& data, const SearchOptions& options, const Control& control) {
  const auto problem = prepare(data, options, control);
  if (!problem) return problem.error();
  return beadwork::local_search(*problem, options, control);
}
inline Result<LeastDepth> least_depth(const Condensed& data, const SearchOptions& options, const Control& control) {
  const auto problem = prepare(data, options, control);
  if (!problem) return problem.error();
  return beadwork::least_depth(*problem, options, control);
}
inline Status check_state(const Condensed& data, const SearchOptions& options, const SearchState& state) {
  const auto problem = prepare(data, options, {});
  if (!problem) return problem.error();
  return beadwork::check_state(*problem, options, state);
}

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
  // Families of allowed features that are equal up to complement and of one group, constants left out.
  const auto has = [](const std::vector<Feature>& v, Feature f) { return std::find(v.begin(), v.end(), f) != v.end(); };
  const auto normal = [&](Feature f) {
    std::vector<bool> v;
    for (std::size_t r = 0; r < d.num_rows(); ++r) v.push_back(d.value(f, Row{r}) != d.value(f, Row{0}));
    return v;
  };
  const auto met = [&](const std::vector<Feature>& group) {
    return std::any_of(group.begin(), group.end(), [&](Feature f) { return has(o.require, f); });
  };
  const auto group_of = [&](Feature f) {
    for (std::size_t g = 0; g < o.require_any.size(); ++g)
      if (has(o.require_any[g], f) && !met(o.require_any[g])) return g + 1;
    return std::size_t{0};
  };
  std::map<std::pair<std::vector<bool>, std::size_t>, std::pair<Feature, std::uint64_t>> families;
  for (std::size_t i = 0; i < d.num_features(); ++i) {
    const Feature f{i};
    if (has(o.forbid, f)) continue;
    const auto [it, fresh] = families.try_emplace({normal(f), group_of(f)}, f, 0);
    ++it->second.second;
  }
  for (std::size_t g = 0; g <= o.require_any.size(); ++g) {
    families.erase({std::vector<bool>(d.num_rows(), false), g});
    for (const Feature f : o.require) families.erase({normal(f), g});
  }
  std::vector<std::pair<Feature, std::uint64_t>> free;
  for (const auto& [key, family] : families) free.push_back(family);
  std::sort(free.begin(), free.end());
  // A group of constants and of copies of what is required has its least feature in every set.
  std::vector<Feature> required = o.require;
  std::vector<std::size_t> open;
  for (std::size_t g = 1; g <= o.require_any.size(); ++g) {
    auto group = o.require_any[g - 1];
    std::erase_if(group, [&](Feature f) { return has(o.forbid, f); });
    if (met(group)) continue;
    if (std::any_of(free.begin(), free.end(), [&](const auto& f) { return group_of(f.first) == g; }))
      open.push_back(g);
    else
      required.push_back(*std::min_element(group.begin(), group.end()));
  }
  const std::size_t choose = std::min(o.depth - required.size(), free.size());
  std::vector<NearSet> out;
  std::vector<std::size_t> at(choose);
  for (std::size_t i = 0; i < choose; ++i) at[i] = i;
  for (;;) {
    NearSet s;
    s.features = required;
    for (const std::size_t i : at) {
      s.features.push_back(free[i].first);
      s.copies *= free[i].second;
    }
    std::sort(s.features.begin(), s.features.end());
    const bool whole = std::all_of(open.begin(), open.end(), [&](std::size_t g) {
      return std::any_of(s.features.begin(), s.features.end(), [&](Feature f) { return group_of(f) == g; });
    });
    if (whole) s.error = naive_cost(d, o.costs, s.features);
    if (whole) out.push_back(s);
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

// Up to three groups of features, of each of which one must be there: with room for that, and something allowed in
// each.
inline void add_groups(Rng& rng, const Dataset& d, SearchOptions& o) {
  std::vector<std::vector<Feature>> groups(1 + rng.below(3));
  const std::size_t share = 1 + rng.below(4);
  for (std::size_t f = 0; f < d.num_features(); ++f)
    if (rng.below(share + 1) != 0) groups[rng.below(groups.size())].emplace_back(f);
  for (auto& group : groups) {
    const bool empty = std::all_of(group.begin(), group.end(), [&](Feature f) {
      return std::find(o.forbid.begin(), o.forbid.end(), f) != o.forbid.end();
    });
    o.require_any.push_back(std::move(group));
    if (empty || num_required(o) > o.depth) o.require_any.pop_back();
  }
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
