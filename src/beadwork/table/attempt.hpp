#pragma once
// Ways to read a column of text, tried on its levels.
#include <beadwork/table/tally.hpp>
#include <beadwork/table/tidy.hpp>

namespace beadwork::table {

Cells count_cells(const Column& column, std::span<const std::int64_t> times = {});

// One way to read a column, and what it makes of each level.
struct Attempt {
  Reading reading;
  std::vector<double> values;  // NaN: no value of this kind
  std::size_t explained = 0;   // cells
};
Attempt attempt(const Column& column, const Cells& cells, Reading reading);
bool plain(const Attempt& a);  // numbers as they stand

// The reading that explains the most cells; and another one that explains as many, but otherwise.
struct Choice {
  Attempt best;
  std::optional<Attempt> rival;
};
Choice choose(const Column& column, const Cells& cells, const TidyOptions& options);

// Two levels that stand for different values, though the numbers made of them are the same: more digits than a number
// holds.
std::optional<std::pair<std::string, std::string>> read_as_one(const Column& column, const Attempt& a);
// What to say of them. An input can be told to hold categories.
TableWarning told_as_one(const std::string& column, const std::pair<std::string, std::string>& two, bool input);

// Two levels that differ in case and blanks only.
std::optional<std::pair<std::string, std::string>> look_alikes(const Column& column, const Cells& cells);
std::string in_rows(std::size_t count);  // "1 row", "5 rows"

}  // namespace beadwork::table
