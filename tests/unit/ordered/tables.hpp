#pragma once
// Random tables and questions, and a brute force over the features of a Binarizer with all thresholds: it shares no
// code with the ordered layer. Feature f of that Binarizer is the f-th cut in the order of columns and ranks.

#include <beadwork/ordered.hpp>
#include <beadwork/table.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace beadwork::test {

// BEADWORK_ORDERED_TABLES multiplies the number of tables.
inline std::size_t tables(std::size_t n) {
  const char* factor = std::getenv("BEADWORK_ORDERED_TABLES");
  return factor != nullptr ? n * static_cast<std::size_t>(std::atoi(factor)) : n;
}

struct Shape {
  std::size_t rows = 10, columns = 3, classes = 2, values = 6;
  std::int64_t max_weight = 1;
  double missing = 0, noise = 0.3;
};

inline Shape random_shape(Rng& rng) {
  Shape s;
  s.rows = 1 + rng.below(18);
  s.columns = 1 + rng.below(4);
  s.classes = 1 + rng.below(4);
  s.values = 2 + rng.below(7);
  const std::int64_t weights[] = {1, 1, 3, 50, std::int64_t{1} << 40};
  s.max_weight = weights[rng.below(5)];
  s.missing = rng.below(3) == 0 ? 0.2 : 0;
  s.noise = rng.unit();
  return s;
}

// Numeric, 0/1 and nominal columns; labels follow two of them, with noise.
inline Table random_table(Rng& rng, const Shape& s) {
  std::vector<Column> columns;
  std::vector<std::size_t> sum(s.rows);
  for (std::size_t c = 0; c < s.columns; ++c) {
    Column column{"x" + std::to_string(c), rng.below(3) == 0 ? ColumnType::nominal : ColumnType::numeric, {}, {}, {}};
    const std::size_t values = rng.below(3) == 0 ? 2 : s.values;
    const bool nominal = column.type == ColumnType::nominal;
    if (nominal)
      for (std::size_t v = 0; v < values; ++v)
        column.levels.push_back(values == 2 ? std::to_string(v) : "v" + std::to_string(v));
    for (std::size_t r = 0; r < s.rows; ++r) {
      const auto v = static_cast<std::uint32_t>(rng.below(values));
      const bool missing = rng.unit() < s.missing && r > 0;  // the Binarizer tests an empty column, rank() does not
      if (nominal)
        column.codes.push_back(missing ? Codes::kMissing : v);
      else
        column.numbers.push_back(missing ? std::numeric_limits<double>::quiet_NaN() : 0.1 * v - 0.2);
      if (c < 2) sum[r] += 2 * v >= values ? c + 1 : 0;
    }
    columns.push_back(std::move(column));
  }
  Column target{"y", ColumnType::nominal, {}, {}, {}};
  for (std::size_t k = 0; k < s.classes; ++k) target.levels.push_back("c" + std::to_string(k));
  for (std::size_t r = 0; r < s.rows; ++r)
    target.codes.push_back(
        static_cast<std::uint32_t>(rng.unit() < s.noise ? rng.below(s.classes) : sum[r] % s.classes));
  columns.push_back(std::move(target));
  if (s.max_weight > 1) {
    Column weight{"w", ColumnType::numeric, {}, {}, {}};
    for (std::size_t r = 0; r < s.rows; ++r)
      weight.numbers.push_back(static_cast<double>(1 + rng.below(static_cast<std::uint64_t>(s.max_weight))));
    columns.push_back(std::move(weight));
  }
  return *Table::make(std::move(columns), s.columns,
                      s.max_weight > 1 ? std::optional<std::size_t>(s.columns + 1) : std::nullopt);
}

inline std::vector<Cut> all_cuts(const RankedData& data) {
  std::vector<Cut> out;
  for (std::uint32_t c = 0; c < data.columns.size(); ++c)
    for (std::uint32_t k = 0; k < data.columns[c].num_cuts(); ++k) out.push_back({c, k});
  return out;
}

inline Dataset all_features(const Table& table) {
  return *Binarizer::fit(table, {{ThresholdRule::Kind::all, 0}})->apply(table);
}

inline std::int64_t brute_error(const Dataset& d, const std::vector<std::int64_t>& costs,
                                const std::vector<Feature>& set) {
  const auto weights = count_cells(d, set);
  const std::size_t k = d.num_classes();
  std::int64_t sum = 0;
  for (std::size_t cell = 0; cell * k < weights.size(); ++cell) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t p = 0; p < k; ++p) {
      std::int64_t cost = 0;
      for (std::size_t j = 0; j < k; ++j)
        cost += weights[cell * k + j] * (costs.empty() ? (j == p ? 0 : 1) : costs[j * k + p]);
      least = std::min(least, cost);
    }
    sum += least;
  }
  return sum;
}

inline bool contains(const std::vector<std::uint32_t>& list, std::uint32_t x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}
inline bool contains(const std::vector<Cut>& list, Cut x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

inline void restrict_columns(Rng& rng, const RankedData& data, OrderedOptions& o) {
  for (std::uint32_t c = 0; c < data.columns.size(); ++c) {
    const auto roll = rng.below(8);
    if (roll == 0) o.forbid_columns.push_back(c);
    if (roll == 1) o.require_columns.push_back(c);
    if (roll <= 4) o.candidate_columns.push_back(c);
  }
  if (rng.below(2) == 0) o.candidate_columns.clear();
  if (rng.below(2) == 0) o.require_columns.clear();
}

inline void restrict_cuts(Rng& rng, const RankedData& data, OrderedOptions& o) {
  for (const Cut& cut : all_cuts(data)) {
    const auto roll = rng.below(10);
    if (roll == 0) o.forbid.push_back(cut);
    if (roll == 1 && o.require.size() < 2 && !contains(o.forbid_columns, cut.column)) o.require.push_back(cut);
    if (roll <= 6) o.candidates.push_back(cut);
  }
  if (rng.below(2) == 0) o.candidates.clear();
  if (rng.below(2) == 0) o.require.clear();
}

inline OrderedOptions random_options(Rng& rng, const RankedData& data) {
  OrderedOptions o;
  o.depth = rng.below(all_cuts(data).size() > 16 ? 4 : 5);
  o.seed = rng.next();
  o.effort.restarts = rng.below(3);
  o.threads = rng.below(4) == 0 ? 2 : 1;
  if (rng.below(2) == 0) restrict_columns(rng, data, o);
  if (rng.below(2) == 0) restrict_cuts(rng, data, o);
  const std::size_t k = data.num_classes();
  if (rng.below(3) == 0)
    for (std::size_t i = 0; i < k * k; ++i)
      o.costs.push_back(static_cast<std::int64_t>(rng.below(i % (k + 1) == 0 ? 2 : 9)));
  bool OrderedEffort::*const bounds[] = {&OrderedEffort::linear_cap, &OrderedEffort::hulls};
  if (const auto off = rng.below(6); off < 2) o.effort.*bounds[off] = false;
  for (const Cut& c : o.require) std::erase(o.forbid, c);
  return o;
}

// Every set of allowed cuts with all that is required, by size and then in lexicographic order; the first of the best.
struct Brute {
  const RankedData& data;
  const Dataset& dataset;
  const OrderedOptions& options;
  std::vector<Cut> cuts = all_cuts(data);
  std::vector<std::size_t> set = {};
  std::optional<std::int64_t> error = {};
  std::vector<Cut> best = {};

  bool allowed(Cut c) const {
    if (contains(options.require, c)) return true;
    const bool listed = !options.candidate_columns.empty() || !options.candidates.empty();
    return !contains(options.forbid, c) && !contains(options.forbid_columns, c.column) &&
           (!listed || contains(options.candidate_columns, c.column) || contains(options.candidates, c));
  }
  void judge() {
    std::vector<Cut> chosen;
    std::vector<Feature> features;
    for (const std::size_t i : set) {
      chosen.push_back(cuts[i]);
      features.emplace_back(i);
    }
    for (const Cut& c : options.require)
      if (!contains(chosen, c)) return;
    for (const std::uint32_t column : options.require_columns)
      if (std::none_of(chosen.begin(), chosen.end(), [&](Cut c) { return c.column == column; })) return;
    const std::int64_t e = brute_error(dataset, options.costs, features);
    if (error && *error <= e) return;
    error = e;
    best = chosen;
  }
  void extend(std::size_t from, std::size_t size) {
    if (set.size() == size) return judge();
    for (std::size_t i = from; i < cuts.size(); ++i) {
      if (!allowed(cuts[i])) continue;
      set.push_back(i);
      extend(i + 1, size);
      set.pop_back();
    }
  }
  void run() {
    for (std::size_t size = 0; size <= options.depth; ++size) extend(0, size);
  }
};

}  // namespace beadwork::test
