#pragma once
#include <beadwork/dataset.hpp>
#include <beadwork/heuristic/label.hpp>

#include <vector>

namespace beadwork {

// Rows as bits, without the words that hold none of them: a small set costs little, wherever its rows are.
struct RowSet {
  std::vector<std::uint32_t> words;  // which words of a column
  std::vector<std::uint64_t> bits;   // the rows in each, never 0

  static RowSet all(std::size_t num_rows);
  RowSet where(const BitColumn& column, bool value) const;
};

struct SideCounts {
  std::size_t rows = 0;
  ClassCounts weight;
  friend SideCounts operator-(SideCounts a, const SideCounts& b);
};

// Counts rows and class weights. With unit weights and few classes by population counts of bit columns, one a class
// but the last; otherwise row by row.
class RowCounter {
 public:
  explicit RowCounter(const Dataset& dataset);
  SideCounts all(const RowSet& rows) const;
  // Those of the rows whose bit in the column is set.
  SideCounts of(const RowSet& rows, const BitColumn& column) const;

 private:
  const Dataset* dataset_;
  bool by_bits_;
  std::vector<BitColumn> of_class_;  // rows of each class but the last
};

}  // namespace beadwork
