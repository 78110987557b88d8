#include <beadwork/table/row_walk.hpp>
#include <beadwork/table/tidy.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace table {
namespace {

constexpr std::size_t kMostNotes = 5;

// The columns that turned out to be text after some numbers; they are read again for the spelling of those.
std::vector<std::size_t> undone_columns(const std::vector<ColumnBuilder>& builders) {
  std::vector<std::size_t> undone;
  for (std::size_t i = 0; i < builders.size(); ++i)
    if (builders[i].wants_another_pass()) undone.push_back(i);
  return undone;
}

// Of those, the ones that stay text: what in them is no number.
void report_surprises(const std::vector<ColumnBuilder>& builders, const std::vector<Column>& left, Findings& findings) {
  std::size_t count = 0;
  for (const ColumnBuilder& builder : builders) {
    const std::string_view text = builder.surprise();
    const auto same = [&](const Column& c) { return c.name == builder.plan().name && c.type == ColumnType::nominal; };
    if (text.empty() || std::none_of(left.begin(), left.end(), same)) continue;
    if (++count > kMostNotes) continue;
    findings.notes.push_back(fmt::format("column '{}' is nominal: '{}' in line {} is not a number",
                                         printable(builder.plan().name, 40), printable(text, 40),
                                         builder.surprise_line()));
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
  if (options.needs_target) report_surprises(builders, columns, findings);
  return Table::make(std::move(columns), target, weight);
}

// One walk over all rows.
Result<std::size_t> walk(Source& source, OpenTable& open, std::vector<ColumnBuilder>& builders,
                         const std::vector<std::size_t>& waiting) {
  RowWalk rows(source, open);
  Row row;
  for (std::size_t num_rows = 0;; ++num_rows) {
    const auto got = rows.next(row);
    if (!got) return got.error();
    if (!*got) return num_rows;
    if (auto status = rows.give(row, builders, waiting); !status) return status.error();
  }
}

Result<Table> read_rows(Source& source, Opened& opened, const ReadOptions& options, Findings& findings) {
  std::vector<ColumnBuilder> builders = builders_for(opened.plans, opened.missing, source);
  const auto num_rows = walk(source, opened.open, builders, reading_columns(builders));
  if (!num_rows) return num_rows.error();
  if (*num_rows == 0) return source.refuse(source.text().size(), "a header but no rows");
  opened.open.rows->report(findings.notes);
  for (const ColumnBuilder& builder : builders)
    if (auto status = builder.finish(); !status) return status.error();
  const bool ends_well = source.text().back() == '\n';
  if (const auto undone = undone_columns(builders); !undone.empty()) {
    for (const std::size_t i : undone) builders[i].start_again();
    if (auto status = RowWalk(source, opened.open).rewind(); !status) return status.error();
    if (const auto again = walk(source, opened.open, builders, undone); !again) return again.error();
  }
  auto table = build(source, builders, options, findings);
  if (table && !ends_well) findings.notes.emplace_back("no line break at the end of the file");
  return table;
}

Result<TableFile> parse_checked(Source& source, const ReadOptions& options) {
  TableFile file;
  Findings found;
  if (auto status = source.check(found.notes); !status) return status.error();
  auto opened = open_rows(source, options, found.notes);
  if (!opened) return opened.error();
  file.format = opened->open.format;
  auto table = read_rows(source, *opened, options, found);
  if (!table) return table.error();
  file.table = std::move(*table);
  file.notes = std::move(found.notes);
  file.warnings = std::move(found.warnings);
  return file;
}

Result<TableFile> parse(Source source, const ReadOptions& options) {
  auto file = parse_checked(source, options);
  if (!file) return final_error(source, file.error());
  return file;
}

}  // namespace
}  // namespace table

Result<TableFile> read_table(const std::string& path, const ReadOptions& options, const Control& control) {
  const auto stream = open_stream(path);
  if (!stream) return stream.error();
  return table::parse(table::Source(**stream, path, control), options);
}

Result<TableFile> parse_table(std::string_view text, const std::string& name, const ReadOptions& options,
                              const Control& control) {
  if (!packed(text)) return table::parse(table::Source(text, name, control), options);
  const auto stream = stream_of(text, name);
  if (!stream) return stream.error();
  return table::parse(table::Source(**stream, name, control), options);
}

}  // namespace beadwork
