#pragma once
#include <beadwork/table/row_walk.hpp>

namespace beadwork::table {

struct BuiltColumns {
  std::vector<Column> columns;
  std::vector<ColumnBuilder*> builders;  // of each of them
  std::optional<std::size_t> target;
  std::optional<std::size_t> weight;
};
// The columns that stay, as what their texts mean.
Result<BuiltColumns> build(const Source& source, std::vector<ColumnBuilder>& builders, const ReadOptions& options,
                           Findings& findings);

std::vector<std::size_t> undone_columns(const std::vector<ColumnBuilder>& builders);

}  // namespace beadwork::table
