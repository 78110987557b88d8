#pragma once
#include <beadwork/dataset/binarizer.hpp>

#include <optional>

namespace beadwork {

// A file as features, in memory that grows with its different rows, not with its rows.
struct MergedData {
  TableFile file;  // without its table
  ThresholdRule thresholds;
  Binarizer binarizer;
  Dataset dataset;  // one row for each kind of row and class, in the order in which they first came, weighted
};
// What Binarizer::fit and apply give of the table, merged. The file is read three times or more. `rule`: the
// thresholds, given the numbers of rows and inputs; quantiles. Nothing
// where the weights are not whole: then the rows are needed.
Result<std::optional<MergedData>> read_merged(const std::string& path, const ReadOptions& options,
                                              const std::function<ThresholdRule(std::size_t, std::size_t)>& rule,
                                              const Control& control = {});

}  // namespace beadwork
