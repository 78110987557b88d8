#pragma once
#include <beadwork/table.hpp>

#include <span>

namespace beadwork {

// What to do with columns of text that nobody gave a type. Everything is decided by the column alone.
struct TidyOptions {
  char decimal = 0;    // 0: detect
  char thousands = 0;  // 0: detect
  std::optional<Reading::Order> dates = {};
  std::size_t max_categories = 64;
  bool typed = false;  // somebody said that these are categories: only their number is limited
  bool keep = false;   // not left out, however many values it has
};

// Turns a nominal column into what its texts mean: numbers with a decimal comma, thousands separators, a currency or a
// percent sign; dates, times and durations; yes and no in mixed spellings; a few texts for "no value" among numbers.
// Only one reading may explain the most cells: where two do and disagree ("1,234"; "01/02/2024"), the column stays as
// it is, with a warning. Categories beyond the limit become one, "other". False: nearly every row has a value of its
// own, so that the column is to be left out.
// Where `times` is given, row r stands for times[r] rows.
bool tidy(Column& column, const TidyOptions& options, Findings& findings, std::span<const std::int64_t> times = {});
namespace table {
struct Cells;
}
// The same where the column holds each level once, and the cells say how often it occurs.
bool tidy(Column& column, const table::Cells& cells, const TidyOptions& options, Findings& findings);

// A column of words in the order of its levels as numbers: their places in it.
void into_places(Column& column);

// A target whose labels are many different numbers is refused; `bins` (from 2; 0: none) makes classes of such a target,
// cut at quantiles.
Status tidy_target(Column& target, std::size_t bins, Findings& findings);
Status tidy_target(Column& target, const table::Cells& cells, std::size_t bins, Findings& findings);
void warn_of_one_class(const Column& target, const table::Cells& cells, Findings& findings);

}  // namespace beadwork
