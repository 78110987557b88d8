#pragma once
// What Binarizer::fit and TableSurvey have in common.
#include <beadwork/dataset/binarizer.hpp>
#include <beadwork/dataset/thresholds.hpp>

#include <algorithm>

namespace beadwork::detail {

// Labels and categories in the order a person expects: as numbers if all are numbers, else as text.
std::vector<std::string> sorted_levels(std::vector<std::string> levels);
// A 0/1 column stays one, whatever values the rows at hand happen to have: its feature keeps its place.
std::vector<std::string> with_both_bits(std::vector<std::string> levels);

// Distinct values with the weight of the rows of each class, added up as Sum.
template <class Sum, class WeightOf>
ValueCounts counts_by_value(const Column& column, const std::vector<Class>& labels, std::size_t classes,
                            WeightOf weight_of, double unit) {
  struct Entry {  // value and row side by side: sorting by a value elsewhere in memory takes three times as long
    double value;
    std::uint32_t row;
  };
  std::vector<Entry> entries;
  entries.reserve(column.num_rows());
  for (std::size_t r = 0; r < column.num_rows(); ++r)
    if (!column.missing(r)) entries.push_back({column.numbers[r], static_cast<std::uint32_t>(r)});
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.value < b.value; });
  std::size_t distinct = entries.empty() ? 0 : 1;
  for (std::size_t i = 1; i < entries.size(); ++i) distinct += entries[i - 1].value < entries[i].value;
  ValueCounts out{{}, classes, std::vector<double>(distinct * classes)};
  std::vector<Sum> sums(distinct * classes);
  out.values.reserve(distinct);
  for (const Entry& e : entries) {
    if (out.values.empty() || out.values.back() < e.value) out.values.push_back(e.value);
    sums[(out.size() - 1) * classes + labels[e.row]()] += weight_of(e.row);
  }
  std::transform(sums.begin(), sums.end(), out.weights.begin(), [&](Sum s) { return static_cast<double>(s) / unit; });
  return out;
}

// The tests on one input: thresholds, categories, and whether a value is missing.
void add_cuts(const ValueCounts& values, std::size_t input, const ThresholdRule& rule, const Control& control,
              Binarizer::Parts& parts);
void add_categories(std::size_t input, Binarizer::Parts& parts);

}  // namespace beadwork::detail
