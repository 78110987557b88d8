#pragma once
// Small datasets for tests: written out as strings of bits, or drawn at random with every nuisance that
// engines have to survive.

#include <beadwork/dataset.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace beadwork::testing_support {

struct BitRow {
  std::string bits;  // a character a feature
  std::size_t label = 0;
  std::int64_t weight = 1;
};

inline Dataset dataset_of(const std::vector<BitRow>& rows, std::size_t num_features, std::size_t num_classes = 2) {
  Dataset::Parts parts;
  parts.columns.assign(num_features, BitColumn((rows.size() + 63) / 64));
  for (std::size_t f = 0; f < num_features; ++f) parts.feature_names.push_back(fmt::format("f{}", f));
  for (std::size_t k = 0; k < num_classes; ++k) parts.class_names.push_back(fmt::format("c{}", k));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t f = 0; f < num_features; ++f)
      if (rows[r].bits[f] == '1') parts.columns[f][r / 64] |= std::uint64_t{1} << r % 64;
    parts.labels.emplace_back(rows[r].label);
    parts.weights.push_back(rows[r].weight);
  }
  return Dataset(std::move(parts));
}

// Bits of which a third are 1, any classes, weights 0 to 3, and 5 for the first row.
inline Dataset plain_dataset(Rng& rng, std::size_t rows, std::size_t features, std::size_t classes) {
  std::vector<BitRow> out(rows);
  for (BitRow& row : out) {
    for (std::size_t f = 0; f < features; ++f) row.bits += rng.below(3) == 0 ? '1' : '0';
    row.label = rng.below(classes);
    row.weight = static_cast<std::int64_t>(rng.below(4));
  }
  out.front().weight = 5;
  return dataset_of(out, features, classes);
}

// Repeated, complementary and constant features; repeated and contradictory rows; weights 0 and large.
inline std::vector<BitRow> random_rows(Rng& rng, std::size_t rows, std::size_t features, std::size_t classes,
                                       bool weights) {
  std::vector<std::string> columns;
  for (std::size_t f = 0; f < features; ++f) {
    const std::uint64_t kind = rng.below(10);
    std::string column(rows, kind == 0 ? '0' : '1');
    if (kind >= 2 && kind <= 4 && f > 0) {
      column = columns[rng.below(f)];
      if (kind == 3)
        for (char& c : column) c = c == '0' ? '1' : '0';
      if (kind == 4) column[rng.below(rows)] = '1';
    } else if (kind >= 2) {
      for (char& c : column) c = rng.below(2) == 0 ? '0' : '1';
    }
    columns.push_back(std::move(column));
  }
  const bool weighted = weights && rng.below(2) == 0;
  std::vector<BitRow> out;
  for (std::size_t r = 0; r < rows; ++r) {
    BitRow row;
    for (std::size_t f = 0; f < features; ++f) row.bits += columns[f][r];
    if (r > 0 && rng.below(5) == 0) row.bits = out[rng.below(r)].bits;
    row.label = rng.below(classes);
    if (weighted) {
      const std::uint64_t kind = rng.below(6);
      row.weight = kind == 0   ? 0
                   : kind == 1 ? 1000000007 + static_cast<std::int64_t>(rng.below(5))
                               : 1 + static_cast<std::int64_t>(rng.below(6));
    }
    out.push_back(std::move(row));
  }
  return out;
}

inline std::string describe(const std::vector<BitRow>& rows) {
  std::string text;
  for (const BitRow& r : rows) text += fmt::format("{} {} {}\n", r.label, r.weight, r.bits);
  return text;
}

}  // namespace beadwork::testing_support
