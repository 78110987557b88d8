#include <beadwork/table/arrow.hpp>
#include <beadwork/table/quotes.hpp>

#include <algorithm>

namespace beadwork {
namespace table {
namespace {

// Is there a value without quotes in a column that is read? Up to the first one.
Result<bool> any_plain(Source& source, Opened& opened) {
  RowWalk rows(source, opened.open);
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < opened.plans.size(); ++i)
    if (opened.plans[i].rule != Rule::skip) used.push_back(i);
  Row row;
  for (;;) {
    TRY(const auto got, rows.next(row));
    if (!got) return false;
    if (std::any_of(used.begin(), used.end(), [&](std::size_t i) { return !row.fields[i].quoted; })) return true;
  }
}

}  // namespace

Quotes quotes_at_start(const OpenTable& open, const std::vector<ColumnPlan>& plans, const ReadOptions& options) {
  if (options.quotes_mean_text) return {*options.quotes_mean_text};
  if (options.missing != ReadOptions{}.missing) return {false};
  if (open.format != TableFormat::csv || open.by_row) return {true};
  for (std::size_t i = 0; i < plans.size(); ++i)
    if (plans[i].rule != Rule::skip && open.headings[i].plain) return {true};
  return {false, true};
}

Result<bool> quotes_meant_text(Source& source, Opened& opened, const std::vector<ColumnBuilder>& builders,
                               const Error* error) {
  if (!opened.quotes_open) return false;
  const auto matter = [](const ColumnBuilder& b) { return b.quotes_matter(); };
  const auto plain = [](const ColumnBuilder& b) { return b.saw_plain(); };
  if (std::none_of(builders.begin(), builders.end(), matter)) return false;
  if (error != nullptr) {
    if (error->code == ErrorCode::limit || error->names_option) return false;
    TRY_DONE(source.drain());
    TRY_DONE(RowWalk(source, opened.open).rewind());
    const auto found = any_plain(source, opened);
    if (!found) return *error;
    TRY_DONE(source.drain());
    if (!*found) return false;
  } else if (std::none_of(builders.begin(), builders.end(), plain)) {
    return false;
  }
  opened.missing.quotes_mean_text = true;
  opened.quotes_open = false;
  TRY_DONE(RowWalk(source, opened.open).rewind());
  return true;
}

std::optional<bool> meaning_of_quotes(const Opened& opened, const std::vector<ColumnBuilder>& builders) {
  const auto matter = [](const ColumnBuilder& b) { return b.quotes_matter(); };
  if (std::none_of(builders.begin(), builders.end(), matter)) return std::nullopt;
  return opened.missing.quotes_mean_text;
}

}  // namespace table

Result<bool> quotes_say_something(const std::string& path, const ReadOptions& options, const Control& control) {
  TRY(const auto bytes, table::open_bytes(path, options.encoding, control));
  table::Source source(*bytes.stream, path, control);
  bytes.describe(source);
  std::vector<std::string> notes;
  TRY_DONE(source.check(notes));
  TRY(auto opened, table::open_rows(source, options, notes));
  if (!opened.quotes_open) return opened.missing.quotes_mean_text;
  auto found = table::any_plain(source, opened);
  if (!found) return table::final_error(source, found.error());
  return found;
}

}  // namespace beadwork
