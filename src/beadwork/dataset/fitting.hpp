#pragma once
// What Binarizer::fit and TableSurvey have in common.
#include <beadwork/dataset/binarizer.hpp>
#include <beadwork/dataset/thresholds.hpp>

namespace beadwork::detail {

// Labels and categories in the order a person expects: as numbers if all are numbers, else as text.
std::vector<std::string> sorted_levels(std::vector<std::string> levels);
// A 0/1 column stays one, whatever values the rows at hand happen to have: its feature keeps its place.
std::vector<std::string> with_both_bits(std::vector<std::string> levels);

// What the choice of thresholds looks at besides the column itself.
struct Labelled {
  std::vector<Class> labels;
  const Column* weight = nullptr;
  double weight_of(std::size_t row) const { return weight == nullptr ? 1.0 : weight->numbers[row]; }
};
// Distinct values with the weight of the rows of each class.
ValueCounts value_counts(const Column& column, const Labelled& rows, std::size_t classes);

// The tests on one input: thresholds, categories, and whether a value is missing.
void add_cuts(const ValueCounts& values, std::size_t input, const ThresholdRule& rule, const Control& control,
              Binarizer::Parts& parts);
void add_categories(std::size_t input, Binarizer::Parts& parts);

}  // namespace beadwork::detail
