#include <beadwork/table/csv.hpp>
#include <beadwork/table/number.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwork::table {
namespace {

constexpr std::string_view kDelimiters = ",;\t|";

std::string_view shown(char delimiter) {
  return delimiter == ',' ? "','" : delimiter == ';' ? "';'" : delimiter == '|' ? "'|'" : "tab";
}

struct Shape {
  std::size_t width = 0;  // values in the first row; 0 if it cannot be read
  bool even = true;       // the next rows have as many
};

Shape shape_under(const Source& source, char delimiter) {
  CsvReader reader(source, delimiter);
  Shape shape;
  Row row;
  for (int i = 0; i < 10; ++i) {
    const auto got = reader.next(row);
    if (!got) shape.even = false;
    if (!got || !*got) break;
    if (i == 0) {
      shape.width = row.fields.size();
      reader.expect(shape.width, false);
    }
    if (row.fields.size() != shape.width) shape.even = false;
  }
  source.reach(reader.offset());
  return shape;
}

// The delimiter that cuts the first ten rows alike, and into most values; 0 if none cuts the first row at all.
char detect_delimiter(const Source& source) {
  char best = 0;
  Shape best_shape;
  for (const char delimiter : kDelimiters) {
    const Shape shape = shape_under(source, delimiter);
    if (shape.width < 2) continue;
    const bool better = std::pair(shape.even, shape.width) > std::pair(best_shape.even, best_shape.width);
    if (best != 0 && !better) continue;
    best = delimiter;
    best_shape = shape;
  }
  return best;
}

// The first of the next lines that has more than one value by any delimiter.
std::optional<std::size_t> first_wider_line(const Source& source) {
  for (const char delimiter : kDelimiters) {
    CsvReader reader(source, delimiter);
    Row row;
    for (int i = 0; i < 10; ++i) {
      const auto got = reader.next(row);
      source.reach(reader.offset());
      if (!got || !*got) break;
      if (row.fields.size() > 1) return source.line_at(source.offset_of(row.fields.front().raw.data()));
    }
  }
  return std::nullopt;
}

// One column where others would see more: the wrong delimiter. One column to learn from: nothing to learn.
Status check_width(const Source& source, const Row& first, char delimiter, bool needs_target) {
  if (first.fields.size() > 1) return Done{};
  const std::string_view all = first.fields.front().raw;
  for (const char other : kDelimiters)
    if (other != delimiter && !first.fields.front().quoted && all.find(other) != std::string_view::npos)
      return source
          .refuse(all,
                  fmt::format("only one column with delimiter {}, but the line contains {}; is that the delimiter?",
                              shown(delimiter), shown(other)))
          .with({"delimiter", other == '\t' ? "tab" : std::string(1, other)});
  if (!needs_target) return Done{};
  if (const auto wider = first_wider_line(source))
    return source.refuse(all,
                         fmt::format("the header has one value and line {} has more: is the first line a title or a "
                                     "comment? Remove what stands above the header",
                                     *wider));
  if (all.find_first_of(" \t") != std::string_view::npos)
    return source.refuse(all, "only one column; columns parted by blanks are not read: separate them by , ; | or tab");
  return source.refuse(all,
                       "only one column; a table needs the class and at least one input, separated by , ; | or tab");
}

// Names that are numbers though the values below them are numbers, too; not if they count (0, 1, 2 or 2019, 2020).
void look_for_data(const Source& source, const Row& first, char delimiter, std::vector<TableWarning>& warnings) {
  CsvReader reader(source, delimiter);
  Row row;
  for (int i = 0; i < 2; ++i) {
    const auto got = reader.next(row);
    source.reach(reader.offset());
    if (!got || !*got || row.fields.size() != first.fields.size()) return;
  }
  std::vector<double> numbers;
  std::string_view shown;
  for (std::size_t i = 0; i < first.fields.size(); ++i) {
    double name = 0;
    double below = 0;
    if (first.fields[i].quoted || !read_number(first.fields[i].raw, name) || !read_number(row.fields[i].raw, below))
      continue;
    if (numbers.empty()) shown = first.fields[i].raw;
    numbers.push_back(name);
  }
  const auto step = [](double a, double b) { return b != a + 1 || a != std::floor(a); };
  if (numbers.empty() || std::adjacent_find(numbers.begin(), numbers.end(), step) == numbers.end()) {
    if (numbers.size() != 1 || numbers.front() == std::floor(numbers.front())) return;
  }
  warnings.push_back(
      {fmt::format("the first line, which has the names, looks like data: one name is '{}'", printable(shown, 40)),
       {{"no_header", ""}},
       "read a file without a header"});
}

Status check_header(const Source& source, const Row& first) {
  double number = 0;
  const bool numbers = std::all_of(first.fields.begin(), first.fields.end(),
                                   [&](const Field& f) { return !f.quoted && read_number(f.raw, number); });
  if (!numbers) return Done{};
  return source
      .refuse(first.fields.front().raw,
              "the header has only numbers; use the option for files without a header, or quote the names")
      .with({"no_header"});
}

// Which columns show an unquoted value in the row behind the header.
void look_at_quotes(const Source& source, char delimiter, bool header, std::vector<Heading>& headings) {
  CsvReader reader(source, delimiter);
  Row row;
  for (int i = 0; i < (header ? 2 : 1); ++i) {
    const auto got = reader.next(row);
    source.reach(reader.offset());
    if (!got || !*got) return;
    for (std::size_t c = 0; c < std::min(headings.size(), row.fields.size()); ++c)
      headings[c].plain = headings[c].plain || !row.fields[c].quoted;
  }
}

// Columns without a name at the end are what spreadsheets leave behind: they are skipped, and must be empty.
void name_empty_end(std::vector<Heading>& headings, std::vector<std::string>& notes) {
  std::size_t end = headings.size();
  while (end > 2 && headings[end - 1].name.empty()) --end;
  if (end == headings.size()) return;
  notes.push_back(fmt::format("{} empty column{} without a name at the end", headings.size() - end,
                              headings.size() - end == 1 ? "" : "s"));
  for (std::size_t i = end; i < headings.size(); ++i) {
    headings[i].name = fmt::format("(column {})", i + 1);
    headings[i].empty = true;
  }
}

std::vector<Heading> headings_of(const Source& source, const Row& first, bool header) {
  std::vector<Heading> headings;
  std::string scratch;
  for (const Field& field : first.fields) {
    const std::string name = header ? std::string(value(field, scratch)) : fmt::format("c{}", headings.size() + 1);
    headings.push_back({name, source.offset_of(field.raw.data())});
  }
  return headings;
}

}  // namespace

Result<OpenTable> open_csv(const Source& source, const ReadOptions& options, std::vector<std::string>& notes) {
  if (options.delimiter != 0 && kDelimiters.find(options.delimiter) == std::string_view::npos)
    return option_error("expected , ; | or tab", "delimiter");
  char delimiter = options.delimiter;
  if (separator_line(source.text()) != 0) {
    notes.emplace_back("first line 'sep=' skipped");
    if (delimiter == 0) delimiter = source.text()[4];
  }
  if (delimiter == 0) {
    delimiter = detect_delimiter(source);
    if (delimiter != 0) notes.push_back(fmt::format("delimiter {}", shown(delimiter)));
    if (delimiter == 0) delimiter = ',';
  }
  auto reader = std::make_unique<CsvReader>(source, delimiter);
  Row first;
  const auto got = reader->next(first);
  source.reach(reader->offset());
  if (!got) return got.error();
  TRY_DONE(check_width(source, first, delimiter, options.needs_target));
  if (options.header) {
    TRY_DONE(check_header(source, first));
    reader->start_here();
  } else {
    reader = std::make_unique<CsvReader>(source, delimiter);
  }
  reader->expect(first.fields.size(), options.needs_target || !options.target.empty());
  auto headings = headings_of(source, first, options.header);
  look_at_quotes(source, delimiter, options.header, headings);
  name_empty_end(headings, notes);
  TRY_DONE(check_names(source, headings));
  const std::string_view counted_by = options.header ? "the header has" : "the first row has";
  OpenTable open{TableFormat::csv, std::move(headings), counted_by, std::move(reader)};
  if (options.header) look_for_data(source, first, delimiter, open.warnings);
  return open;
}

}  // namespace beadwork::table
