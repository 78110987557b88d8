#pragma once
#include <beadwork/dataset/matrix.hpp>

#include <optional>
#include <vector>

namespace beadwork {

// Another feature with the same values, or with all of them flipped.
struct Alias {
  Feature feature;
  bool complemented = false;
  friend bool operator==(const Alias&, const Alias&) = default;
};

// A dataset without what cannot matter to training error: constant features, repeated features, repeated rows. The
// least feature of each family of equal or complementary ones stands for it. Columns run over the distinct rows, which
// are ordered by first appearance.
struct Condensed {
  std::vector<Feature> features;            // into the dataset, increasing
  std::vector<std::vector<Alias>> aliases;  // of each of these, without itself
  std::vector<Feature> constants;           // features with one value in all rows
  std::vector<BitColumn> columns;           // one for each of `features`
  std::size_t num_rows = 0;                 // distinct rows
  std::size_t num_classes = 0;
  std::vector<std::int64_t> class_weights;  // num_rows x num_classes
  std::vector<std::uint32_t> row_of;        // dataset row -> distinct row
  std::int64_t unavoidable_errors = 0;      // weight that no classifier on these features gets right

  std::int64_t weight(std::size_t row, Class k) const { return class_weights[row * num_classes + k()]; }
};

Condensed condense(const Dataset& dataset);
// Nothing if the control stops it, or if its memory limit leaves no room.
std::optional<Condensed> condense(const Dataset& dataset, const Control& control);

// The distinct rows of a dataset, by all of its features, without copies of them.
struct DistinctRows {
  std::vector<std::uint32_t> first;         // a row of the dataset for each
  std::vector<std::int64_t> class_weights;  // as many x num_classes
};
DistinctRows distinct_rows(const Dataset& dataset);

// Features whose bits settle the class of every row (two classes only, equal or complementary): worth a warning.
std::vector<Feature> features_equal_to_label(const Dataset& dataset);

}  // namespace beadwork
