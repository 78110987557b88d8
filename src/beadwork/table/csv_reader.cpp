#include <beadwork/table/csv.hpp>

#include <fmt/format.h>

namespace beadwork::table {

CsvReader::CsvReader(const Source& source, char delimiter)
    : source_(source), text_(source.text()), delimiter_(delimiter) {
  for (const char c : {delimiter, '"', '\n', '\r'}) stops_[static_cast<unsigned char>(c)] = true;
}

Result<bool> CsvReader::next(Row& row) {
  row.fields.clear();
  if (!skip_blank_lines()) return false;
  for (;;) {
    if (!read_field(row)) return *problem_;
    row.end = at_;
    if (at_ == text_.size()) return true;
    if (text_[at_] != delimiter_) break;
    ++at_;
  }
  at_ += line_break(at_);
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
  while (at_ < text_.size()) {
    const std::size_t end = blanks_end(at_);
    if (end < text_.size() && line_break(end) == 0) return true;
    at_ = end + line_break(end);
    ++blank_lines_;
  }
  return false;
}

bool CsvReader::refuse(std::size_t offset, const char* message) {
  problem_ = source_.refuse(offset, message);
  return false;
}

bool CsvReader::read_field(Row& row) {
  const std::size_t begin = at_;
  const bool quoted = at_ < text_.size() && text_[at_] == '"';
  if (!(quoted ? read_quoted(row) : read_plain(row))) return false;
  if (row.fields.back().raw.size() <= kLongestField) return true;
  return refuse(begin, "a value longer than 1 MiB; is a quote missing somewhere?");
}

bool CsvReader::read_quoted(Row& row) {
  const std::size_t open = at_;
  char escape = 0;
  for (std::size_t at = open + 1;; at += 2) {
    at = text_.find('"', at);
    if (at == std::string_view::npos) return refuse(open, "the quote opened here is never closed");
    if (at + 1 < text_.size() && text_[at + 1] == '"') {
      escape = '"';
      continue;
    }
    std::string_view raw = text_.substr(open + 1, at - open - 1);
    while (!quotes_mean_text_ && !raw.empty() && blank(raw.front())) raw.remove_prefix(1);
    while (!quotes_mean_text_ && !raw.empty() && blank(raw.back())) raw.remove_suffix(1);
    row.fields.push_back({raw, true, quotes_mean_text_ && !raw.empty(), escape});
    at_ = at + 1;
    break;
  }
  if (at_ == text_.size() || text_[at_] == delimiter_ || line_break(at_) != 0) return true;
  return refuse(at_, "text after a closing quote; double the quotes inside a quoted value");
}

bool CsvReader::read_plain(Row& row) {
  const char* const data = text_.data();
  const std::size_t size = text_.size();
  std::size_t begin = at_;
  std::size_t end = at_;
  while (end < size && !stops_[static_cast<unsigned char>(data[end])]) ++end;
  at_ = end;
  if (at_ < size && data[at_] == '"')
    return refuse(at_, "a quote inside an unquoted value; quote the whole value and double the quote");
  if (at_ < size && data[at_] == '\r' && line_break(at_) == 0)
    return refuse(at_, "a carriage return without a line feed; convert the line ends or quote the value");
  if (begin < end && (blank(data[begin]) || blank(data[end - 1]))) {
    while (begin < end && blank(data[begin])) ++begin;
    while (begin < end && blank(data[end - 1])) --end;
    ++trimmed_;
  }
  row.fields.push_back({text_.substr(begin, end - begin), false, false, 0});
  return true;
}

void CsvReader::report(std::vector<std::string>& notes) const {
  if (blank_lines_ != 0)
    notes.push_back(fmt::format("{} blank line{} skipped", blank_lines_, blank_lines_ == 1 ? "" : "s"));
  if (trimmed_ != 0)
    notes.push_back(fmt::format("blanks trimmed around {} value{}", trimmed_, trimmed_ == 1 ? "" : "s"));
}

}  // namespace beadwork::table
