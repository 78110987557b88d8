#include <beadwork/table/rows.hpp>

#include <fmt/format.h>

#include <tuple>

namespace beadwork::table {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// The '#' lines that a matrix may start with (docs/formats.md).
struct Header {
  std::vector<std::string> classes;
  std::vector<std::string> features;
  bool weights = false;
  std::int64_t scale = 1;  // what the weights are to be divided by
  std::size_t end = 0;     // where the rows start
};

// The word at the start of `line`, taken off it.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(std::min(word.size() + 1, line.size()));
  return word;
}

Status read_header_line(const Source& source, std::string_view line, Header& header) {
  const std::string_view key = take_word(line);
  if (key == "weights") header.weights = true;
  if (key == "weight-scale") {
    const std::string_view number = take_word(line);
    const auto scale = parse_integer<std::int64_t>(number);
    if (!scale || *scale < 1)
      return source.refuse(number, "expected '# weight-scale N', what the weights are to be divided by");
    header.scale = *scale;
  }
  if (key != "class" && key != "feature") return Done{};  // a remark
  std::vector<std::string>& names = key == "class" ? header.classes : header.features;
  const std::string_view index = take_word(line);
  if (index != std::to_string(names.size()))
    return source.refuse(index, fmt::format("expected '# {} {} NAME'; names are numbered from 0", key, names.size()));
  names.push_back(unspelled(line));
  return Done{};
}

Result<Header> read_header(const Source& source) {
  Header header;
  const std::string_view text = source.text();
  while (header.end < text.size() && text[header.end] == '#') {
    const std::size_t end = std::min(text.find('\n', header.end), text.size());
    std::string_view line = text.substr(header.end + 1, end - header.end - 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    TRY_DONE(read_header_line(source, line, header));
    header.end = std::min(end + 1, text.size());
  }
  return header;
}

// Zeros and ones between blanks, one row a line, the class first; behind a header also classes by number, and weights.
class MatrixReader final : public RowReader {
 public:
  MatrixReader(const Source& source, Header header)
      : source_(source), text_(source.text()), header_(std::move(header)), at_(header_.end) {}

  Result<bool> next(Row& row) override {
    row.fields.clear();
    text_ = source_.text();
    before_ = {at_, blank_lines_};
    while (at_ < text_.size() && row.fields.empty()) {
      TRY_DONE(read_line(row));
      if (row.fields.empty()) ++blank_lines_;
    }
    return !row.fields.empty();
  }
  void again() override { std::tie(at_, blank_lines_) = before_; }
  void moved(std::size_t by) override { at_ -= by; }
  void rewind() override {
    at_ = header_.end;
    blank_lines_ = 0;
  }
  std::size_t offset() const override { return at_; }
  void report(std::vector<std::string>& notes) const override {
    if (blank_lines_ != 0)
      notes.push_back(fmt::format("{} blank line{} skipped", blank_lines_, blank_lines_ == 1 ? "" : "s"));
  }

 private:
  static bool blank(char c) { return kBlanks.find(c) != std::string_view::npos; }
  static bool whole(std::string_view token) {
    return token.find_first_not_of("0123456789") == std::string_view::npos && token.size() < 19;
  }

  // What stands for a token: the name of a class, else the token itself. Nothing if it does not belong there.
  std::optional<std::string_view> meaning(std::size_t column, std::string_view token) const {
    if (column == 0 && !header_.classes.empty()) {
      for (std::size_t k = 0; k < header_.classes.size(); ++k)
        if (token == std::to_string(k)) return header_.classes[k];
      return std::nullopt;
    }
    const bool weight = column == 1 && header_.weights;
    const bool fits = weight ? whole(token) : token == "0" || token == "1";
    if (!fits) return std::nullopt;
    if (!weight || header_.scale == 1) return token;
    weight_ = fmt::format(
        "{}", static_cast<double>(*parse_integer<std::int64_t>(token)) / static_cast<double>(header_.scale));
    return weight_;
  }
  std::string_view expected(std::size_t column) const {
    if (column == 0 && !header_.classes.empty()) return "the number of a class";
    return column == 1 && header_.weights ? "a whole weight" : "0 or 1";
  }

  Status read_line(Row& row) {
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (blank(text_[at_])) continue;
      const std::size_t end = std::min(text_.find_first_of(" \t\r\n", at_), text_.size());
      const std::string_view token = text_.substr(at_, end - at_);
      const auto value = meaning(row.fields.size(), token);
      if (!value)
        return source_.refuse(token, fmt::format("expected {}, got '{}'; read other tables as CSV",
                                                 expected(row.fields.size()), printable(token, 20)));
      row.fields.push_back({*value, false, true, 0});
      if (row.fields.size() > kMostColumns)
        return source_.refuse(at_, "more than 1048576 values in a row; is a line break missing?");
      at_ = end - 1;
    }
    row.end = at_;
    if (at_ < text_.size()) ++at_;
    return Done{};
  }

  const Source& source_;
  std::string_view text_;
  Header header_;
  std::size_t at_;
  std::size_t blank_lines_ = 0;
  std::pair<std::size_t, std::size_t> before_;  // the last row
  mutable std::string weight_;                  // of the last row, as it is to be read
};

}  // namespace

// The first line that is not blank: two or more of 0 and 1, spaces between; or our own header. Tabs are left to csv.
bool looks_like_matrix(std::string_view text) {
  if (text.starts_with("# beadwork matrix")) return true;
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

namespace {

std::vector<Heading> headings_of(const Header& header, std::size_t columns) {
  std::vector<Heading> headings{{"class", 0}};
  if (header.weights) headings.push_back({"weight", 0});
  const std::size_t before = headings.size();
  while (headings.size() < columns) {
    const std::size_t f = headings.size() - before;
    headings.push_back({f < header.features.size() ? header.features[f] : fmt::format("f{}", f + 1), 0});
  }
  return headings;
}

}  // namespace

Result<OpenTable> open_matrix(const Source& source) {
  TRY(auto header, read_header(source));
  auto reader = std::make_unique<MatrixReader>(source, header);
  Row first;
  const auto got = reader->next(first);
  source.reach(reader->offset());
  if (!got) return got.error();
  const std::size_t before = header.weights ? 2 : 1;
  if (first.fields.empty()) return source.refuse_no_rows();
  if (first.fields.size() <= before)
    return source.refuse(first.fields.front().raw, "only one column; expected the class and at least one feature");
  if (!header.features.empty() && first.fields.size() != before + header.features.size())
    return source.refuse(first.end, fmt::format("this row has {} features, the header names {}",
                                                first.fields.size() - before, header.features.size()));
  reader->rewind();
  OpenTable open{TableFormat::matrix, headings_of(header, first.fields.size()), "the first row has", std::move(reader)};
  if (header.weights) open.weight = 1;
  TRY_DONE(check_names(source, open.headings));
  return open;
}

}  // namespace beadwork::table
