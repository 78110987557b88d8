#pragma once
#include <beadwork/dataset/binarizer.hpp>

#include <deque>

namespace beadwork {

// The table's columns for a binarizer's inputs, by name and with the right type; `converted` holds those that had to be
// read the way of the training table first.
struct MatchedColumns {
  std::vector<const Column*> columns;
  std::deque<Column> converted;
};
Result<MatchedColumns> match_columns(const std::vector<InputColumn>& inputs, const Table& table);

// The table with those columns converted.
Result<Table> as_in_training(const std::vector<InputColumn>& inputs, const Table& table);

}  // namespace beadwork
