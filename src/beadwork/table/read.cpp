#include <beadwork/table/arrow.hpp>
#include <beadwork/table/build.hpp>
#include <beadwork/table/decode.hpp>
#include <beadwork/table/quotes.hpp>
#include <beadwork/table/tidy.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace table {
namespace {

// One walk over all rows.
Result<std::size_t> walk(Source& source, Opened& opened, std::vector<ColumnBuilder>& builders,
                         const std::vector<std::size_t>& waiting, std::vector<std::string>* notes = nullptr) {
  RowWalk rows(source, opened.open);
  LeftOut without(source, opened);
  Row row;
  for (std::size_t num_rows = 0;;) {
    TRY(const auto got, rows.next(row));
    if (!got) {
      TRY_DONE(without.end());
      if (notes != nullptr) without.report(*notes);
      return num_rows;
    }
    if (without.has(row, builders)) continue;
    ++num_rows;
    TRY_DONE(rows.give(row, builders, waiting));
  }
}

Result<std::size_t> first_walk(Source& source, Opened& opened, std::vector<ColumnBuilder>& builders,
                               std::vector<std::string>& notes) {
  const std::vector<std::string> before = notes;
  const auto go = [&] {
    builders = builders_for(opened.plans, opened.missing, source);
    notes = before;
    return walk(source, opened, builders, reading_columns(builders), &notes);
  };
  auto num_rows = go();
  TRY(const auto again, quotes_meant_text(source, opened, builders, num_rows ? nullptr : &num_rows.error()));
  return again ? go() : num_rows;
}

Result<Table> read_rows(Source& source, Opened& opened, const ReadOptions& options, Findings& findings,
                        std::optional<bool>& quotes_mean_text) {
  std::vector<ColumnBuilder> builders;
  TRY(const auto num_rows, first_walk(source, opened, builders, findings.notes));
  quotes_mean_text = meaning_of_quotes(opened, builders);
  if (num_rows == 0 && options.part) return Table();
  if (num_rows == 0) return source.refuse_no_rows();
  opened.open.rows->report(findings.notes);
  for (const ColumnBuilder& builder : builders) TRY_DONE(builder.finish());
  const bool ends_well = source.text().back() == '\n';
  if (const auto undone = undone_columns(builders); !undone.empty()) {
    for (const std::size_t i : undone) builders[i].start_again();
    TRY_DONE(RowWalk(source, opened.open).rewind());
    if (const auto again = walk(source, opened, builders, undone); !again) return again.error();
  }
  TRY(auto built, build(source, builders, options, findings));
  if (!ends_well) findings.notes.emplace_back("no line break at the end of the file");
  return Table::make(std::move(built.columns), built.target, built.weight);
}

Result<TableFile> parse_checked(Source& source, const ReadOptions& options) {
  TableFile file;
  Findings found;
  TRY_DONE(source.check(found.notes));
  TRY(auto opened, open_rows(source, options, found.notes));
  file.format = opened.open.format;
  if (options.needs_target) found.warnings = opened.open.warnings;
  TRY(auto table, read_rows(source, opened, options, found, file.quotes_mean_text));
  file.table = std::move(table);
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
  TRY(const auto bytes, table::open_bytes(path, options.encoding, control));
  table::Source source(*bytes.stream, path, control);
  bytes.describe(source);
  return table::parse(source, options);
}

Result<TableFile> parse_table(std::string_view text, const std::string& name, const ReadOptions& options,
                              const Control& control) {
  const auto kind = table::arrow_kind(text);
  TRY(const auto encoding, table::encoding_of(options.encoding, text.substr(0, 8)));
  if (!packed(text) && kind == table::ArrowKind::none && encoding == table::Encoding::utf8) {
    table::Source source(text, name, control);
    return table::parse(source, options);
  }
  TRY(auto stream, kind == table::ArrowKind::none ? stream_of(text, name) : table::arrow_stream(text, name, kind));
  TRY(const auto bytes, kind == table::ArrowKind::none
                            ? table::bytes_of(std::move(stream), name, options.encoding, control)
                            : Result(table::TableBytes{std::move(stream), true}));
  table::Source source(*bytes.stream, name, control);
  bytes.describe(source);
  return table::parse(source, options);
}

}  // namespace beadwork
