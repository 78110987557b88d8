#pragma once
#include <beadwork/table/column_builder.hpp>

namespace beadwork::table {

// What becomes of each column of the file, from the options and, in ARFF, the declarations.
Result<std::vector<ColumnPlan>> plan_columns(const Source& source, const OpenTable& open, const ReadOptions& options,
                                             std::vector<std::string>& notes);

}  // namespace beadwork::table
