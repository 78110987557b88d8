// Any bytes, any options: refused in one line, or a table that its own CSV gives back.
#include "fuzz.hpp"
#include <beadwork/table.hpp>

namespace {

using namespace beadwork;
using fuzz::insist;

// The first byte chooses the options, so that one corpus reaches all formats.
ReadOptions chosen(unsigned byte) {
  ReadOptions options;
  options.format = static_cast<TableFormat>(byte & 3U);
  options.delimiter = "\0,;\t"[byte >> 2 & 3U];
  options.header = (byte & 16U) == 0;
  options.needs_target = (byte & 32U) == 0;
  if ((byte & 64U) != 0) options.weight = "1";
  if ((byte & 128U) != 0) options.numeric = {"2"};
  return options;
}

bool has_empty_level(const Table& table) {
  for (const Column& column : table.columns())
    for (const std::string& level : column.levels)
      if (level.empty()) return true;
  return false;
}

// A date is written as its number.
std::string cell(const Column& column, std::size_t row) {
  return column.type == ColumnType::numeric && !column.missing(row) ? format_number(column.numbers[row])
                                                                    : column.text(row);
}

bool same_texts(const Table& a, const Table& b) {
  if (a.num_rows() != b.num_rows() || a.num_columns() != b.num_columns()) return false;
  for (std::size_t i = 0; i < a.num_columns(); ++i)
    for (std::size_t row = 0; row < a.num_rows(); ++row)
      if (cell(a.column(i), row) != cell(b.column(i), row) || a.column(i).missing(row) != b.column(i).missing(row))
        return false;
  return true;
}

void check_round_trip(const Table& table) {
  ReadOptions options{.format = TableFormat::csv, .delimiter = ',', .needs_target = false};
  for (const Column& column : table.columns())
    (column.type == ColumnType::numeric ? options.numeric : options.nominal).push_back(column.name);
  options.quotes_mean_text = true;
  const auto again = parse_table(write_csv(table, ',', false), "again", options);
  insist(static_cast<bool>(again), "our own CSV is accepted");
  insist(has_empty_level(table) || same_texts(table, again->table), "our own CSV gives the table back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const auto file = parse_table(fuzz::text_of(data + 1, size - 1), "fuzz", chosen(data[0]));
  file ? check_round_trip(file->table) : fuzz::insist_one_line(file.error());
  return 0;
}
