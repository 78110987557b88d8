#pragma once
// NumPy arrays as the table layer's columns.
#include "ending.hpp"
#include <beadwork/table.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beadwork::python {

// One column of a frame: read in place, with any stride.
using Array = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

// The rows to read, increasing; nothing: all of them.
using Rows = std::optional<std::vector<std::uint32_t>>;

// Numbers, NaN where missing. As in files, a column of nothing but 0 and 1 is nominal unless the type is given.
Column number_column(std::string name, const Array& values, const Rows& rows = {}, std::optional<ColumnType> type = {});
// A warning, if two different whole numbers are the same as floating point.
std::optional<TableWarning> read_as_one(const std::string& name, const Array& values, const Rows& rows);
// Numbers of kind "date" (days since 1970), "moment" (seconds since then) or "duration" (seconds); "" is plain.
Column timed_column(std::string name, const Array& values, const std::string& kind, const Rows& rows = {});
// Codes into `levels`; negative where missing.
Column coded_column(std::string name, const Array& codes, std::vector<std::string> levels, const Rows& rows = {});

// An array of int64.
std::vector<std::int64_t> integers(const Array& values);
// Those of some rows; there must be a value for each of `rows` rows.
std::vector<std::int64_t> some(std::vector<std::int64_t> values, std::size_t rows, const Rows& kept);

bool among(const std::vector<std::string>& texts, const std::string& text);
// The column with these texts as missing values; nothing if it has none of them.
std::optional<Column> without(const Column& column, const std::vector<std::string>& texts);
// Its texts as their places in an order; one that has no place is an error.
Column placed(const Column& column, const OrderedWords& order);

inline constexpr const char* kTimesDoc = "Days ('date') or seconds ('moment', 'duration'), NaN where missing.";

// Columns to predict on or to show. Built one by one, then asked once.
class Frame {
 public:
  void add(Column column) { columns_.push_back(std::move(column)); }
  std::size_t num_columns() const { return columns_.size(); }
  const std::vector<Column>& columns() const { return columns_; }
  Result<Table> table() const { return Table::make(columns_); }

 private:
  std::vector<Column> columns_;
};

}  // namespace beadwork::python
