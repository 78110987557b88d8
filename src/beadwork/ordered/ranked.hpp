#pragma once
#include <beadwork/dataset.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
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
  // numeric: a row for each rank that is not missing, whose value it is
  std::vector<std::uint32_t> example;

  std::uint32_t num_cuts() const { return num_ranks == 0 ? 0 : num_ranks - 1; }
};

// Immutable once made. `inputs`, `target` and `class_names` are those of a Binarizer of the same table.
struct RankedData {
  std::vector<RankedColumn> columns;  // by input; of one nominal input in the Binarizer's order
  std::vector<InputColumn> inputs;
  std::string target;
  std::vector<std::string> class_names;
  std::vector<Class> labels;
  std::vector<std::int64_t> weights;  // one a row, or empty: all 1
  std::int64_t weight_scale = 1;
  bool complete = true;  // false: the control stopped the ranking, and the later columns lack

  std::size_t num_rows() const { return labels.size(); }
  std::size_t num_classes() const { return class_names.size(); }
  std::int64_t weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
};

// Contract: the table has a target. Errors are those of Binarizer::fit and apply.
Result<RankedData> rank(const Table& table, const Control& control = {});

// The test of a cut: `column <= midpoint`, `is missing` or that of the nominal column. Rows fail `is missing` where
// they pass the cut; all others agree. The table is the one that was ranked.
Test to_test(const RankedData& data, const Table& table, Cut cut);

// The Binarizer of these tests, in that order, with only the inputs that they need.
Result<Binarizer> binarizer_of(const RankedData& data, const Table& table, std::span<const Cut> cuts);

}  // namespace beadwork
