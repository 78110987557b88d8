#pragma once
#include <beadwork/table/rows.hpp>

#include <optional>

namespace beadwork::table {

// RFC 4180, strictly: a quote may only open a value, close it, or be doubled inside one. Blanks around
// unquoted values are trimmed and counted.
class CsvReader final : public RowReader {
 public:
  // From the start of the text, or behind a line "sep=;".
  CsvReader(const Source& source, char delimiter);

  Result<bool> next(Row& row) override;
  void again() override { here_ = before_; }
  void moved(std::size_t by) override { here_.at -= by; }
  void rewind() override { here_ = start_; }
  std::size_t offset() const override { return here_.at; }
  void report(std::vector<std::string>& notes) const override;
  void start_here() { start_ = here_; }  // the header is read
  // How many values a row has: empty ones behind them do not count, as spreadsheets write them. A row of nothing but
  // empty values is passed over where `skip_empty` says so.
  void expect(std::size_t width, bool skip_empty) {
    width_ = width;
    skip_empty_ = skip_empty;
  }

 private:
  bool skip_blank_lines();
  bool read_row(Row& row);
  bool drop_empty_end(Row& row);
  std::size_t blanks_end(std::size_t at) const;
  std::size_t line_break(std::size_t at) const;
  // False: refused, and `problem_` says why.
  bool read_field(Row& row);
  bool read_quoted(Row& row);
  bool read_plain(Row& row);
  bool refuse(std::size_t offset, const char* message);
  bool blank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }

  const Source& source_;
  std::string_view text_;
  char delimiter_;
  std::size_t width_ = 0;  // 0: not known yet
  bool skip_empty_ = false;
  bool stops_[256] = {};  // what ends an unquoted value
  struct Position {
    std::size_t at = 0;
    std::size_t blank_lines = 0;
    std::size_t trimmed = 0;
    std::size_t empty_rows = 0;
    std::size_t long_rows = 0;
  };
  Position here_;
  Position before_;  // the last row
  Position start_;
  std::optional<Error> problem_;
};

// How long the first line is where it is Excel's "sep=;"; 0: it is not.
std::size_t separator_line(std::string_view text);

}  // namespace beadwork::table
