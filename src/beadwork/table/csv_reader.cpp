#include <beadwork/table/csv.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork::table {
namespace {

constexpr const char* kTooLong = "a value longer than 1 MiB; is a quote missing somewhere?";
constexpr std::size_t kMostExtra = std::size_t{1} << 14;  // as many columns as a spreadsheet has

bool empty(const Field& field) {
  return field.raw.empty() && !field.quoted;
}

}  // namespace

std::size_t separator_line(std::string_view text) {
  constexpr std::string_view kStart = "sep=";
  constexpr std::string_view kDelimiters = ",;\t|";
  if (text.size() < kStart.size() + 2 || !text.starts_with(kStart) ||
      kDelimiters.find(text.substr(kStart.size(), 1)) == std::string_view::npos)
    return 0;
  const std::string_view rest = text.substr(kStart.size() + 1, 2);
  return rest.starts_with('\n') ? kStart.size() + 2 : rest == "\r\n" ? kStart.size() + 3 : 0;
}

CsvReader::CsvReader(const Source& source, char delimiter)
    : source_(source), text_(source.text()), delimiter_(delimiter) {
  for (const char c : {delimiter, '"', '\n', '\r'}) stops_[static_cast<unsigned char>(c)] = true;
  here_.at = separator_line(text_);
}

Result<bool> CsvReader::next(Row& row) {
  text_ = source_.text();
  before_ = here_;
  for (;;) {
    row.fields.clear();
    if (!skip_blank_lines()) return false;
    if (!read_row(row)) return *problem_;
    if (width_ != 0 && row.fields.size() > width_ && drop_empty_end(row)) ++here_.long_rows;
    const bool nothing = skip_empty_ && row.fields.size() > 1 && empty(row.fields.front()) &&
                         std::all_of(row.fields.begin(), row.fields.end(), empty);
    if (!nothing) return true;
    ++here_.empty_rows;
  }
}

bool CsvReader::read_row(Row& row) {
  for (;;) {
    if (!read_field(row)) return false;
    row.end = here_.at;
    if (here_.at == text_.size()) return true;
    if (text_[here_.at] != delimiter_) break;
    ++here_.at;
    if (width_ == 0 && row.fields.size() >= kMostColumns)
      return refuse(here_.at, "more than 1048576 values in the first row; is a line break missing?");
    if (width_ != 0 && row.fields.size() >= width_ + kMostExtra)
      return refuse(here_.at, "this row has more than 16384 values too many; is a line break missing?");
  }
  here_.at += line_break(here_.at);
  return true;
}

bool CsvReader::drop_empty_end(Row& row) {
  const auto end = row.fields.begin() + static_cast<std::ptrdiff_t>(width_);
  if (!std::all_of(end, row.fields.end(), empty)) return false;
  row.fields.erase(end, row.fields.end());
  return true;
}

// Length of the line break at `at`, 0 if there is none.
std::size_t CsvReader::line_break(std::size_t at) const {
  if (at < text_.size() && text_[at] == '\n') return 1;
  return text_.substr(at, 2) == "\r\n" ? 2 : 0;
}

std::size_t CsvReader::blanks_end(std::size_t at) const {
  while (at < text_.size() && blank(text_[at])) ++at;
  return at;
}

bool CsvReader::skip_blank_lines() {
  while (here_.at < text_.size()) {
    const std::size_t end = blanks_end(here_.at);
    if (end < text_.size() && line_break(end) == 0) return true;
    here_.at = end + line_break(end);
    ++here_.blank_lines;
  }
  return false;
}

bool CsvReader::refuse(std::size_t offset, const char* message) {
  problem_ = source_.refuse(offset, message);
  return false;
}

bool CsvReader::read_field(Row& row) {
  const std::size_t begin = here_.at;
  const bool quoted = here_.at < text_.size() && text_[here_.at] == '"';
  if (!(quoted ? read_quoted(row) : read_plain(row))) return false;
  if (row.fields.back().raw.size() <= kLongestField) return true;
  return refuse(begin, kTooLong);
}

bool CsvReader::read_quoted(Row& row) {
  const std::size_t open = here_.at;
  const std::string_view inside = text_.substr(0, open + 2 + kLongestField);
  char escape = 0;
  for (std::size_t at = open + 1;; at += 2) {
    at = inside.find('"', at);
    if (at == std::string_view::npos)
      return refuse(open, inside.size() < text_.size() ? kTooLong : "the quote opened here is never closed");
    if (at + 1 < text_.size() && text_[at + 1] == '"') {
      escape = '"';
      continue;
    }
    row.fields.push_back({text_.substr(open + 1, at - open - 1), true, false, escape});
    here_.at = at + 1;
    break;
  }
  if (here_.at == text_.size() || text_[here_.at] == delimiter_ || line_break(here_.at) != 0) return true;
  return refuse(here_.at, "text after a closing quote; double the quotes inside a quoted value");
}

bool CsvReader::read_plain(Row& row) {
  const char* const data = text_.data();
  const std::size_t size = std::min(text_.size(), here_.at + kLongestField + 1);
  std::size_t begin = here_.at;
  std::size_t end = here_.at;
  while (end < size && !stops_[static_cast<unsigned char>(data[end])]) ++end;
  if (end < text_.size() && end - begin > kLongestField) return refuse(begin, kTooLong);
  here_.at = end;
  if (here_.at < size && data[here_.at] == '"')
    return refuse(here_.at, "a quote inside an unquoted value; quote the whole value and double the quote");
  if (here_.at < size && data[here_.at] == '\r' && line_break(here_.at) == 0)
    return refuse(here_.at, "a carriage return without a line feed; convert the line ends or quote the value");
  if (begin < end && (blank(data[begin]) || blank(data[end - 1]))) {
    while (begin < end && blank(data[begin])) ++begin;
    while (begin < end && blank(data[end - 1])) --end;
    ++here_.trimmed;
  }
  row.fields.push_back({text_.substr(begin, end - begin), false, false, 0});
  return true;
}

void CsvReader::report(std::vector<std::string>& notes) const {
  if (here_.blank_lines != 0)
    notes.push_back(fmt::format("{} blank line{} skipped", here_.blank_lines, here_.blank_lines == 1 ? "" : "s"));
  if (here_.trimmed != 0)
    notes.push_back(fmt::format("blanks trimmed around {} value{}", here_.trimmed, here_.trimmed == 1 ? "" : "s"));
  if (here_.empty_rows != 0)
    notes.push_back(
        fmt::format("{} row{} of empty values alone skipped", here_.empty_rows, here_.empty_rows == 1 ? "" : "s"));
  if (here_.long_rows != 0)
    notes.push_back(fmt::format("empty values beyond the last column left out of {} row{}", here_.long_rows,
                                here_.long_rows == 1 ? "" : "s"));
}

}  // namespace beadwork::table
