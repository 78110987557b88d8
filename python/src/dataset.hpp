#pragma once
// Columns in, one by one; bit columns and the tests that made them out.
#include "columns.hpp"
#include <beadwork/dataset.hpp>
#include <beadwork/engine.hpp>
#include <beadwork/table/tidy.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace beadwork::python {

// How columns of text are read.
struct TextReading {
  TidyOptions tidy;
  std::vector<std::string> missing;  // texts that mean no value
  std::vector<std::string> keep;     // columns that are never left out
  std::vector<OrderedWords> ordered;
};

// Holds raw columns only until a block of them is full, then their bits: a large table is never copied as a whole.
// Tests on a column depend on that column, the classes and the weights alone, so blocks give the same tests as the
// whole table. With all thresholds the raw columns stay until the end, when they may be sorted instead.
class DataBuilder {
 public:
  // Weights are integers, to be divided by `weight_scale`, with that `rounding`; rows of weight 0 are left out. Where
  // `times` is given, a row stands for that many rows of the table, and its weight is that of all of them.
  DataBuilder(const Array& labels, std::vector<std::string> class_names, std::string target,
              const std::optional<Array>& weights, std::int64_t weight_scale, std::int64_t rounding,
              const std::string& thresholds, TextReading reading, const std::optional<Array>& times);

  void add(Column column);
  // Of text: turned into what the texts mean, unless these are known to be categories (`typed`); maybe left out.
  void add_text(Column column, bool typed);
  // The order that the reading gives a column; nothing where it has none.
  const OrderedWords* order_of(const std::string& column) const;
  void warn(TableWarning warning) { findings_.warnings.push_back(std::move(warning)); }
  const std::vector<TableWarning>& warnings() const { return findings_.warnings; }
  const Rows& rows() const { return rows_; }
  const ThresholdRule& thresholds() const { return thresholds_; }
  // With `sorted` and all thresholds: sorted columns, whose features are made as they are asked for (ranked_dataset).
  std::pair<Binarizer, Dataset> finish(const std::optional<Request>& request);

 private:
  Table take_block();
  void flush();

  Column target_;
  std::optional<Column> weight_;
  std::vector<std::int64_t> times_;
  Rows rows_;
  ScaledWeights whole_;  // where there are weights
  TextReading reading_;
  std::vector<std::string> placed_;  // columns that the reading gives an order
  Findings findings_;
  ThresholdRule thresholds_;
  std::vector<Column> block_;
  Binarizer::Parts tests_;
  Dataset::Parts data_;
};

// Input, number of ranks, whether the last is that of missing values, number of the test or -1, ranks, values.
using RankedTuple = std::tuple<std::size_t, std::uint32_t, bool, std::int64_t, nb::bytes, nb::bytes>;
// A binarizer with the inputs and the tests of nominal columns; columns, classes, weights, scale, rounding, cuts of
// the target.
using RanksTuple = std::tuple<Binarizer, std::vector<RankedTuple>, nb::bytes, nb::bytes, std::int64_t, std::int64_t,
                              std::vector<double>>;
RanksTuple state_of(const RankedData& data);
std::shared_ptr<const RankedData> ranks_in(const RanksTuple& state);

// Plain values that a dataset is made of, for pickle: bits, their names, classes of the rows, names of classes,
// weights, their scale and rounding, the rule for thresholds, sorted columns, the column of each feature, names of
// columns.
using DatasetState =
    std::tuple<nb::bytes, std::vector<std::string>, nb::bytes, std::vector<std::string>, nb::bytes, std::int64_t,
               std::int64_t, std::string, nb::object, std::vector<std::size_t>, std::vector<std::string>>;
DatasetState state_of(const Dataset& dataset);
Dataset dataset_of(const DatasetState& state);

}  // namespace beadwork::python
