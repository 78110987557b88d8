#include <beadwork/table/roles.hpp>
#include <beadwork/table/tidy.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace table {
namespace {

constexpr std::size_t kAdvanceEvery = std::size_t{1} << 20;
constexpr std::size_t kBigFile = std::size_t{64} << 20;
constexpr std::size_t kMostNotes = 5;

Status check_count(const Source& source, const OpenTable& open, const Row& row) {
  const std::size_t expected = open.headings.size();
  const std::size_t got = row.fields.size();
  if (got == expected) return Done{};
  const std::size_t where = got > expected ? source.offset_of(row.fields[expected].raw.data()) : row.end;
  const std::string_view fix = got < expected                       ? "complete or remove it"
                               : open.format == TableFormat::matrix ? "remove the extra values"
                                                                    : "quote a value that contains the delimiter";
  return source.refuse(where, fmt::format("this row has {} value{}, {} {}; {}", got, got == 1 ? "" : "s",
                                          open.counted_by, expected, fix));
}

// One walk over all rows. `waiting` are the builders that still want values.
Result<std::size_t> walk(Source& source, OpenTable& open, std::vector<ColumnBuilder>& builders,
                         const std::vector<std::size_t>& waiting) {
  Row row;
  std::size_t num_rows = 0;
  std::size_t at = open.rows->offset();
  for (;;) {
    const auto got = open.rows->next(row);
    if (!got) return got.error();
    if (!source.inside(open.rows->offset())) return source.refuse("a row that does not fit in the window");
    if (!*got) return num_rows;
    if (row.fields.size() != open.headings.size()) return check_count(source, open, row).error();
    for (const std::size_t i : waiting)
      if (!builders[i].add(row.fields[i]))
        return source.refuse(row.fields[i].raw, builders[i].complaint(row.fields[i]));
    ++num_rows;
    if (open.rows->offset() - at < kAdvanceEvery) continue;
    at = open.rows->offset();
    if (auto status = source.advance(at); !status) return status.error();
  }
}

// The columns that turned out to be text after some numbers; they are read again for the spelling of those.
std::vector<std::size_t> undone_columns(const std::vector<ColumnBuilder>& builders) {
  std::vector<std::size_t> undone;
  for (std::size_t i = 0; i < builders.size(); ++i)
    if (builders[i].wants_another_pass()) undone.push_back(i);
  return undone;
}

// Of those, the ones that stay text: what in them is no number.
void report_surprises(const Source& source, const std::vector<ColumnBuilder>& builders, const std::vector<Column>& left,
                      Findings& findings) {
  std::size_t count = 0;
  for (const ColumnBuilder& builder : builders) {
    const std::string_view text = builder.surprise();
    const auto same = [&](const Column& c) { return c.name == builder.plan().name && c.type == ColumnType::nominal; };
    if (text.empty() || std::none_of(left.begin(), left.end(), same)) continue;
    if (++count > kMostNotes) continue;
    findings.notes.push_back(fmt::format("column '{}' is nominal: '{}' in line {} is not a number",
                                         printable(builder.plan().name, 40), printable(text, 40),
                                         source.line_at(source.offset_of(text.data()))));
  }
  if (count > kMostNotes) findings.notes.push_back(fmt::format("the same for {} more columns", count - kMostNotes));
}

// The columns that stay, as what their texts mean.
Result<Table> build(const Source& source, std::vector<ColumnBuilder>& builders, const ReadOptions& options,
                    Findings& findings) {
  std::vector<Column> columns;
  std::optional<std::size_t> target;
  std::optional<std::size_t> weight;
  std::size_t inputs = 0;
  for (ColumnBuilder& builder : builders) {
    const ColumnPlan& plan = builder.plan();
    if (plan.rule == Rule::skip) continue;
    Column column = builder.take();
    if (plan.role == Role::target) {
      target = columns.size();
      if (options.needs_target && !plan.forced)
        if (auto status = tidy_target(column, options.target_bins, findings); !status) return status.error();
    }
    if (plan.role == Role::weight) weight = columns.size();
    const TidyOptions how{options.decimal,        options.thousands, options.dates,
                          options.max_categories, plan.typed(),      plan.keep};
    if (plan.role == Role::input && options.needs_target && !tidy(column, how, findings)) continue;
    inputs += plan.role == Role::input ? 1 : 0;
    if (const std::string_view text = builder.doubtful();
        !text.empty() && options.needs_target && column.type == ColumnType::numeric && !plan.typed())
      findings.warnings.push_back(
          {fmt::format("column '{}' has '{}', read as a little more than {}; it may be thousands",
                       printable(plan.name, 40), printable(text, 40), text.substr(0, text.find('.'))),
           {{"thousands", "."}},
           "read it so"});
    columns.push_back(std::move(column));
  }
  if (inputs == 0 && options.needs_target)
    return source.refuse("no input column is left: all are text, and nearly every value is different");
  if (options.needs_target) report_surprises(source, builders, columns, findings);
  return Table::make(std::move(columns), target, weight);
}

Result<Table> read_rows(Source& source, OpenTable& open, std::vector<ColumnPlan> plans, const MissingTokens& missing,
                        const ReadOptions& options, Findings& findings) {
  std::vector<ColumnBuilder> builders;
  std::vector<std::size_t> waiting;
  for (ColumnPlan& plan : plans) {
    if (plan.rule != Rule::skip || plan.empty) waiting.push_back(builders.size());
    builders.emplace_back(std::move(plan), missing);
  }
  source.keep_until(open.rows->offset());
  const auto num_rows = walk(source, open, builders, waiting);
  if (!num_rows) return num_rows.error();
  if (*num_rows == 0) return source.refuse(source.text().size(), "a header but no rows");
  open.rows->report(findings.notes);
  for (ColumnBuilder& builder : builders)
    if (auto status = builder.finish(source); !status) return status.error();
  waiting = undone_columns(builders);
  if (!waiting.empty()) {
    if (source.windowed()) return source.refuse("the window is past what has to be read again");
    for (const std::size_t i : waiting) builders[i].start_again();
    open.rows->rewind();
    if (const auto again = walk(source, open, builders, waiting); !again) return again.error();
  }
  return build(source, builders, options, findings);
}

TableFormat detect_format(const Source& source, const ReadOptions& options) {
  if (options.format != TableFormat::detect) return options.format;
  if (looks_like_arff(source.text())) return TableFormat::arff;
  return options.delimiter == 0 && looks_like_matrix(source.text()) ? TableFormat::matrix : TableFormat::csv;
}

Result<OpenTable> open_table(const Source& source, const ReadOptions& options, std::vector<std::string>& notes) {
  switch (detect_format(source, options)) {
    case TableFormat::arff:
      return open_arff(source);
    case TableFormat::matrix:
      return open_matrix(source);
    default:
      return open_csv(source, options, notes);
  }
}

Result<TableFile> parse(Source source, const ReadOptions& options) {
  TableFile file;
  Findings found;
  if (auto status = source.check(found.notes); !status) return status.error();
  auto open = open_table(source, options, found.notes);
  if (!open) return open.error();
  file.format = open->format;
  auto plans = plan_columns(source, *open, options, found.notes);
  if (!plans) return plans.error();
  std::vector<std::string> tokens = options.missing;
  if (file.format == TableFormat::arff) tokens.emplace_back("?");
  const MissingTokens missing(std::move(tokens));
  auto table = read_rows(source, *open, std::move(*plans), missing, options, found);
  if (!table) return table.error();
  if (source.text().back() != '\n') found.notes.emplace_back("no line break at the end of the file");
  file.table = std::move(*table);
  file.notes = std::move(found.notes);
  file.warnings = std::move(found.warnings);
  return file;
}

}  // namespace
}  // namespace table

Result<TableFile> read_table(const std::string& path, const ReadOptions& options, const Control& control) {
  const auto file = FileText::open(path);
  if (!file) return file.error();
  if (file->text().size() >= table::kBigFile) {
    auto table = table::parse(table::Source(*file, path, control), options);
    if (table || table.error().code == ErrorCode::limit) return table;
  }
  if (auto loaded = file->load(0, file->text().size(), control); !loaded) return loaded.error();
  return table::parse(table::Source(file->text(), path, control), options);
}

Result<TableFile> parse_table(std::string_view text, const std::string& name, const ReadOptions& options,
                              const Control& control) {
  return table::parse(table::Source(text, name, control), options);
}

}  // namespace beadwork
