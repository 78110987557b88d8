#pragma once
#include <beadwork/table/column_builder.hpp>

namespace beadwork::table {

// A file that is open and planned: what all ways to read it start from.
struct Opened {
  OpenTable open;
  std::vector<ColumnPlan> plans;
  MissingTokens missing;
  std::optional<std::size_t> target = {};
  std::optional<std::size_t> weight = {};  // whose rows of weight 0 are left out
  bool drop_unlabelled = false;
  bool part = false;         // of a table: no row of it need count
  bool quotes_open = false;  // what quotes mean is not known before all rows are (table/quotes.hpp)
};
// The source is checked already. Loads more of it until its start is understood.
Result<Opened> open_rows(Source& source, const ReadOptions& options, std::vector<std::string>& notes);

// The rows of a file one by one, whole and of the right length, while the window moves over it.
class RowWalk {
 public:
  RowWalk(Source& source, OpenTable& open) : source_(source), open_(open) {}
  Result<bool> next(Row& row);  // false: no more rows
  // Gives the row's values to the builders named.
  Status give(const Row& row, std::vector<ColumnBuilder>& builders, const std::vector<std::size_t>& waiting) const;
  Status rewind();

 private:
  Source& source_;
  OpenTable& open_;
  std::size_t since_poll_ = 0;
  std::size_t row_ = 0;
};

// Rows that are not learnt from. Those of weight 0 are as if they were not there. Those whose class is missing are left
// out where the options say so, else all of them are counted and the table is refused.
class LeftOut {
 public:
  LeftOut(const Source& source, const Opened& opened) : source_(source), opened_(opened) {}
  // Is this one? Then the builders must not see it. Asked of every row.
  bool has(const Row& row, std::vector<ColumnBuilder>& builders);
  Status end() const;  // after the last row
  void report(std::vector<std::string>& notes) const;

 private:
  bool has_no_weight(const Row& row);

  const Source& source_;
  const Opened& opened_;
  std::size_t kept_ = 0;
  std::size_t weightless_ = 0;
  std::size_t count_ = 0;  // without a class
  std::string place_;      // of the first
  std::string start_;      // what stands first in it
  std::string scratch_;
};

// The builders that want values at all.
std::vector<std::size_t> reading_columns(const std::vector<ColumnBuilder>& builders);
std::vector<ColumnBuilder> builders_for(const std::vector<ColumnPlan>& plans, const MissingTokens& missing,
                                        const Source& source);

// An error in a row counts only if all bytes of the file are text and can be read: that is checked first where the
// whole file is in memory.
Error final_error(Source& source, Error error);

}  // namespace beadwork::table
