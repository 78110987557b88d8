#include <fmt/format.h>

#include <beadwork/table/rows.hpp>

namespace beadwork::table {
namespace {

// Zeros and ones between blanks, one row a line, the class first.
class MatrixReader final : public RowReader {
 public:
  explicit MatrixReader(const Source& source) : source_(source), text_(source.text()) {}

  Result<bool> next(Row& row) override {
    row.fields.clear();
    while (at_ < text_.size() && row.fields.empty()) {
      if (auto status = read_line(row); !status) return status.error();
      if (row.fields.empty()) ++blank_lines_;
    }
    return !row.fields.empty();
  }
  void rewind() override { at_ = blank_lines_ = 0; }
  std::size_t offset() const override { return at_; }
  void report(std::vector<std::string>& notes) const override {
    if (blank_lines_ != 0)
      notes.push_back(fmt::format("{} blank line{} skipped", blank_lines_, blank_lines_ == 1 ? "" : "s"));
  }

 private:
  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  Status read_line(Row& row) {
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (blank(text_[at_])) continue;
      const std::size_t end = std::min(text_.find_first_of(" \t\r\n", at_), text_.size());
      const std::string_view token = text_.substr(at_, end - at_);
      if (token != "0" && token != "1")
        return source_.refuse(token,
                              fmt::format("expected 0 or 1, got '{}'; use --format csv for other tables",
                                          printable(token, 20)));
      row.fields.push_back({token, false, true, 0});
    }
    row.end = at_;
    if (at_ < text_.size()) ++at_;
    return Done{};
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t blank_lines_ = 0;
};

}  // namespace

// The first line that is not blank: two or more of 0 and 1, spaces between. Tabs are left to csv.
bool looks_like_matrix(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \r\n"), text.size());
  std::string_view line = text.substr(first);
  line = line.substr(0, line.find('\n'));
  std::size_t digits = 0;
  char before = ' ';
  for (const char c : line) {
    const bool digit = c == '0' || c == '1';
    if (!digit && c != ' ' && c != '\r') return false;
    if (digit && before != ' ') return false;
    digits += digit ? 1 : 0;
    before = c;
  }
  return digits > 1;
}

Result<OpenTable> open_matrix(const Source& source) {
  auto reader = std::make_unique<MatrixReader>(source);
  Row first;
  if (const auto got = reader->next(first); !got) return got.error();
  if (first.fields.size() < 2)
    return source.refuse(first.fields.front().raw,
                         "only one column; expected the class and at least one feature");
  reader->rewind();
  std::vector<Heading> headings{{"class", 0}};
  while (headings.size() < first.fields.size()) headings.push_back({fmt::format("f{}", headings.size()), 0});
  return OpenTable{TableFormat::matrix, std::move(headings), "the first row has", std::move(reader)};
}

}  // namespace beadwork::table
