#pragma once
#include <beadwork/table/rows.hpp>

#include <optional>

namespace beadwork::table {

// RFC 4180, strictly: a quote may only open a value, close it, or be doubled inside one. Blanks around
// unquoted values are trimmed and counted. A quoted value is never missing, except the empty one (exporters
// that quote everything write a missing value so).
class CsvReader final : public RowReader {
 public:
  CsvReader(const Source& source, char delimiter);

  Result<bool> next(Row& row) override;
  void again() override { here_ = before_; }
  void moved(std::size_t by) override { here_.at -= by; }
  void rewind() override { here_.at = start_; }
  std::size_t offset() const override { return here_.at; }
  void report(std::vector<std::string>& notes) const override;
  void start_here() { start_ = here_.at; }  // the header is read
  void ignore_quotes() { quotes_mean_text_ = false; }

 private:
  bool skip_blank_lines();
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
  bool quotes_mean_text_ = true;
  bool stops_[256] = {};  // what ends an unquoted value
  struct Position {
    std::size_t at = 0;
    std::size_t blank_lines = 0;
    std::size_t trimmed = 0;
  };
  Position here_;
  Position before_;  // the last row
  std::size_t start_ = 0;
  std::optional<Error> problem_;
};

}  // namespace beadwork::table
