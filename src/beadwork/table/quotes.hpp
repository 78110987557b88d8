#pragma once
#include <beadwork/table/row_walk.hpp>

namespace beadwork::table {

// What quotes mean in a CSV file that nobody says it of. An exporter that quotes every value means nothing by it; where
// one value of the columns that are read stands without quotes, the others have theirs for a reason. So all rows count,
// in no order. Most files show it in their first two lines. The others are read as if quotes meant nothing, and once
// more in the rare case that a later value has none and another one stands and falls with its quotes.
struct Quotes {
  bool mean_text = true;
  bool open = false;  // the first lines leave it open
};
Quotes quotes_at_start(const OpenTable& open, const std::vector<ColumnPlan>& plans, const ReadOptions& options);

// After a walk over all rows, or up to `error` (if there was one): they mean text after all. Then the rows start again.
Result<bool> quotes_meant_text(Source& source, Opened& opened, const std::vector<ColumnBuilder>& builders,
                               const Error* error);
// What the quotes meant, if it mattered to any value.
std::optional<bool> meaning_of_quotes(const Opened& opened, const std::vector<ColumnBuilder>& builders);

}  // namespace beadwork::table
