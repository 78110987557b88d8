#include <beadwork/table/arff.hpp>
#include <beadwork/table/levels.hpp>

#include <fmt/format.h>

namespace beadwork::table {
namespace {

class ArffReader final : public RowReader {
 public:
  ArffReader(const Source& source, std::size_t start) : lines_(source), start_(start) { rewind(); }

  Result<bool> next(Row& row) override {
    row.fields.clear();
    lines_.look_again();
    before_ = lines_.next_line_at();
    if (!lines_.next_line()) return false;
    if (lines_.peek() == '{') return lines_.refuse("a sparse row {..}; write all values of the row");
    if (lines_.peek() == '@') return lines_.refuse("a declaration after @data; quote a value that starts with @");
    for (;; lines_.skip()) {
      lines_.skip_blanks();
      if (lines_.peek() == '{') return lines_.refuse("a row weight {..}; write the weights as a column");
      TRY(auto field, lines_.value(","));
      row.fields.push_back(field);
      if (row.fields.size() > kMostColumns)
        return lines_.refuse("more than 1048576 values in a row; is a line break missing?");
      lines_.skip_blanks();
      row.end = lines_.at();
      if (lines_.done()) return true;
      if (lines_.peek() != ',') return lines_.refuse("text after a closing quote; write \\' for a quote inside");
    }
  }
  void again() override { lines_.go_to(before_); }
  void moved(std::size_t by) override { lines_.go_to(lines_.next_line_at() - by); }
  void rewind() override { lines_.go_to(start_); }
  std::size_t offset() const override { return lines_.next_line_at(); }
  void report(std::vector<std::string>&) const override {}  // blank lines are part of the format

 private:
  ArffLines lines_;
  std::size_t start_;
  std::size_t before_ = 0;  // the last row
};

Status read_levels(ArffLines& lines, Heading& heading) {
  LevelIndex seen;
  std::string scratch;
  do {
    lines.skip();  // the { or the comma
    lines.skip_blanks();
    const ArffLines here = lines;
    TRY(const auto level, lines.value(",}"));
    if (level.raw.empty() && !level.quoted) return here.refuse("an empty value in a nominal declaration; quote it");
    const std::string_view text = value(level, scratch);
    heading.declares_missing |= text == "?";
    if (seen.find(text) != LevelIndex::kNone)
      return here.refuse(fmt::format("'{}' is declared twice", printable(text, 40)));
    seen.find_or_add(text);
    lines.skip_blanks();
  } while (lines.peek() == ',');
  if (lines.peek() != '}') return lines.refuse("expected , or } in a nominal declaration");
  heading.declared = Declared::level;
  heading.levels = seen.take();
  std::erase(heading.levels, "?");
  return Done{};
}

Status read_date(ArffLines& lines, Heading& heading) {
  heading.declared = Declared::text;
  heading.date = true;
  lines.skip_blanks();
  if (lines.done()) return Done{};
  TRY(const auto format, lines.value(""));
  std::string scratch;
  heading.date_format = value(format, scratch);
  return Done{};
}

Status read_type(ArffLines& lines, Heading& heading) {
  if (lines.peek() == '{') return read_levels(lines, heading);
  for (const std::string_view number : {"numeric", "real", "integer"})
    if (lines.take_keyword(number)) {
      heading.declared = Declared::number;
      return Done{};
    }
  if (lines.take_keyword("string")) {
    heading.declared = Declared::text;
    return Done{};
  }
  if (lines.take_keyword("date")) return read_date(lines, heading);
  if (lines.take_keyword("relational"))
    return lines.refuse("relational attributes are not supported; flatten the table");
  return lines.refuse("expected numeric, real, integer, string, date or {values} after the name");
}

Result<Heading> read_attribute(ArffLines& lines) {
  std::string scratch;
  Heading heading;
  heading.offset = lines.at();
  const bool quoted = lines.peek() == '\'' || lines.peek() == '"';
  TRY(const auto name, lines.value(quoted ? "" : " \t{"));
  heading.name = value(name, scratch);
  lines.skip_blanks();
  TRY_DONE(read_type(lines, heading));
  return heading;
}

}  // namespace

Result<OpenTable> open_arff(const Source& source) {
  ArffLines lines(source);
  std::vector<Heading> headings;
  while (lines.next_line()) {
    source.reach(lines.next_line_at());
    if (lines.take_keyword("@relation")) continue;
    if (lines.take_keyword("@attribute")) {
      TRY(auto heading, read_attribute(lines));
      headings.push_back(std::move(heading));
      continue;
    }
    if (!lines.take_keyword("@data")) return lines.refuse("expected @relation, @attribute or @data");
    if (headings.empty()) return lines.refuse("@data without any @attribute before it");
    TRY_DONE(check_names(source, headings));
    return OpenTable{TableFormat::arff, std::move(headings), "the header declares",
                     std::make_unique<ArffReader>(source, lines.next_line_at())};
  }
  return source.refuse(source.text().size(), "the file ends before @data");
}

}  // namespace beadwork::table
