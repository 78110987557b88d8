#include <beadwork/table/csv.hpp>
#include <beadwork/table/number.hpp>

#include <fmt/format.h>

#include <algorithm>

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
    if (i == 0) shape.width = row.fields.size();
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

// One column where others would see more: the wrong delimiter. One column to learn from: nothing to learn.
Status check_width(const Source& source, const Row& first, char delimiter, bool needs_target) {
  if (first.fields.size() > 1) return Done{};
  const std::string_view all = first.fields.front().raw;
  for (const char other : kDelimiters)
    if (other != delimiter && !first.fields.front().quoted && all.find(other) != std::string_view::npos)
      return source.refuse(
          all, fmt::format("only one column with delimiter {}, but the line contains {}; is that the delimiter?",
                           shown(delimiter), shown(other)));
  if (needs_target)
    return source.refuse(all,
                         "only one column; a table needs the class and at least one input, separated by , ; | or tab");
  return Done{};
}

Status check_header(const Source& source, const Row& first) {
  double number = 0;
  const bool numbers = std::all_of(first.fields.begin(), first.fields.end(),
                                   [&](const Field& f) { return !f.quoted && read_number(f.raw, number); });
  if (!numbers) return Done{};
  return source.refuse(first.fields.front().raw,
                       "the header has only numbers; use the option for files without a header, or quote the names");
}

// An exporter that quotes the first two rows through quotes all, and means nothing by it.
bool quotes_everything(const Source& source, char delimiter) {
  CsvReader reader(source, delimiter);
  Row row;
  for (int i = 0; i < 2; ++i) {
    const auto got = reader.next(row);
    source.reach(reader.offset());
    const auto quoted = [](const Field& f) { return f.quoted; };
    if (!got || !*got || row.fields.size() < 2 || !std::all_of(row.fields.begin(), row.fields.end(), quoted))
      return false;
  }
  return true;
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
  if (auto s = check_width(source, first, delimiter, options.needs_target); !s) return s.error();
  if (options.header) {
    if (auto s = check_header(source, first); !s) return s.error();
    reader->start_here();
  } else {
    reader = std::make_unique<CsvReader>(source, delimiter);
  }
  if (!options.quotes_mean_text.value_or(options.missing == ReadOptions{}.missing &&
                                         !quotes_everything(source, delimiter)))
    reader->ignore_quotes();
  auto headings = headings_of(source, first, options.header);
  name_empty_end(headings, notes);
  if (auto s = check_names(source, headings); !s) return s.error();
  const std::string_view counted_by = options.header ? "the header has" : "the first row has";
  return OpenTable{TableFormat::csv, std::move(headings), counted_by, std::move(reader)};
}

}  // namespace beadwork::table
