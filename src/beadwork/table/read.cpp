#include <beadwork/table/arrow.hpp>
#include <beadwork/table/build.hpp>
#include <beadwork/table/tidy.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace table {
namespace {

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
  if (*num_rows == 0 && options.part) return Table();
  if (*num_rows == 0) return source.refuse_no_rows();
  opened.open.rows->report(findings.notes);
  for (const ColumnBuilder& builder : builders)
    if (auto status = builder.finish(); !status) return status.error();
  const bool ends_well = source.text().back() == '\n';
  if (const auto undone = undone_columns(builders); !undone.empty()) {
    for (const std::size_t i : undone) builders[i].start_again();
    if (auto status = RowWalk(source, opened.open).rewind(); !status) return status.error();
    if (const auto again = walk(source, opened.open, builders, undone); !again) return again.error();
  }
  auto built = build(source, builders, options, findings);
  if (!built) return built.error();
  if (!ends_well) findings.notes.emplace_back("no line break at the end of the file");
  return Table::make(std::move(built->columns), built->target, built->weight);
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
  file.left_out = std::move(found.left_out);
  return file;
}

Result<TableFile> parse(Source& source, const ReadOptions& options) {
  auto file = parse_checked(source, options);
  if (!file) return final_error(source, file.error());
  return file;
}

}  // namespace
}  // namespace table

Result<TableFile> read_table(const std::string& path, const ReadOptions& options, const Control& control) {
  const auto bytes = table::open_bytes(path, control);
  if (!bytes) return bytes.error();
  table::Source source(*bytes->stream, path, control);
  if (bytes->from_arrow) source.is_from_arrow();
  return table::parse(source, options);
}

Result<TableFile> parse_table(std::string_view text, const std::string& name, const ReadOptions& options,
                              const Control& control) {
  const auto kind = table::arrow_kind(text);
  if (!packed(text) && kind == table::ArrowKind::none) {
    table::Source source(text, name, control);
    return table::parse(source, options);
  }
  auto stream = kind == table::ArrowKind::none ? stream_of(text, name) : table::arrow_stream(text, name, kind);
  if (!stream) return stream.error();
  const auto bytes = kind == table::ArrowKind::none ? table::bytes_of(*std::move(stream), name, control)
                                                    : Result(table::TableBytes{*std::move(stream), true});
  if (!bytes) return bytes.error();
  table::Source source(*bytes->stream, name, control);
  if (bytes->from_arrow) source.is_from_arrow();
  return table::parse(source, options);
}

}  // namespace beadwork
