#pragma once
#include <beadwork/dataset/binarizer.hpp>

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace beadwork {

// Rows whose rank in the column is at most `rank` pass. Contract: rank < num_ranks - 1 of the column.
struct Cut {
  std::uint32_t column = 0;  // of RankedData
  std::uint32_t rank = 0;
  friend auto operator<=>(const Cut&, const Cut&) = default;
};

struct RankedColumn {
  std::size_t input = 0;             // into RankedData::inputs
  std::uint32_t num_ranks = 0;       // ranks are 0 .. num_ranks - 1, and each of them occurs in a numeric column
  bool missing = false;              // numeric: the last rank is that of missing values
  std::optional<Test> test;          // nominal: what rows of rank 0 pass
  std::vector<std::uint32_t> ranks;  // one a row
  std::vector<double> values;        // numeric: of the ranks that are not missing, increasing

  std::uint32_t num_cuts() const { return num_ranks == 0 ? 0 : num_ranks - 1; }
  // Tests that a Binarizer makes of it: one for each cut, and `is missing` where nothing else is.
  std::uint32_t num_features() const { return missing && num_ranks == 1 ? 1 : num_cuts(); }
};

// A table whose numeric columns are sorted instead of cut. Immutable once made. `inputs`, `target` and `class_names`
// are those of a Binarizer of the same table with all thresholds; its features are numbered by column, then by rank.
struct RankedData {
  std::vector<RankedColumn> columns;  // by input; of one nominal input in the Binarizer's order
  std::vector<InputColumn> inputs;
  std::string target;
  std::vector<std::string> class_names;
  std::vector<double> target_cuts;  // as in Binarizer
  std::vector<Class> labels;
  std::vector<std::int64_t> weights;  // one a row, or empty: all 1
  std::int64_t weight_scale = 1;
  std::int64_t weight_rounding = 0;  // as in Dataset
  bool complete = true;              // false: the control stopped the ranking, and the later columns lack

  std::size_t num_rows() const { return labels.size(); }
  std::size_t num_classes() const { return class_names.size(); }
  std::int64_t weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
  std::size_t num_features() const;
  std::size_t feature_number(Cut cut) const;
  Cut cut_of(std::size_t feature_number) const;
  // The values between which the threshold of a feature lies; nothing for other tests.
  std::optional<std::pair<double, double>> interval_of(std::size_t feature_number) const;
  bool any_threshold() const;  // a numeric column of several values?
};

// Contract: the table has a target. Errors are those of Binarizer::fit and apply.
Result<RankedData> rank(const Table& table, const Control& control = {});

// The test of a cut: `column <= midpoint`, `is missing` or that of the nominal column. Rows fail `is missing` where
// they pass the cut; all others agree.
Test to_test(const RankedData& data, Cut cut);

// The rows that pass it.
bool passes(const RankedData& data, Cut cut, Row row);
BitColumn bits_of(const RankedData& data, Cut cut);

// The rows named, in that order. Ranks are as they were, so cuts and features keep their numbers and some part no rows.
RankedData rows_of(const RankedData& data, std::span<const Row> rows);

// The dataset of all its features, none of which has its bits yet; Binarizer::of has their tests. `learn` takes it.
Dataset ranked_dataset(std::shared_ptr<const RankedData> data);
// The same with the bits of all of them: thresholds x rows. An Error of code limit where control says stop. What is not
// sorted is as it was.
Result<Dataset> with_bits(const Dataset& dataset, const Control& control = {});

// The table as a file for beadcheck (docs/certificates.md): '#' lines with the names, then a row a line, the class
// first, numbers as they are.
std::string values_text(const RankedData& data);

// SHA-256 of ranks, classes and weights, whatever the values and names (docs/formats.md).
std::string sha256(const RankedData& data);

}  // namespace beadwork
