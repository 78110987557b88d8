#include <beadwork/table/arrow.hpp>
#include <beadwork/table/number.hpp>
#include <beadwork/table/quotes.hpp>
#include <beadwork/table/roles.hpp>
#include <beadwork/table/row_walk.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace beadwork::table {
namespace {

constexpr std::size_t kPollEvery = 4096;  // rows

Error wrong_count(const Source& source, const OpenTable& open, const Row& row) {
  const std::size_t expected = open.headings.size();
  const std::size_t got = row.fields.size();
  const std::size_t where = got > expected ? source.offset_of(row.fields[expected].raw.data()) : row.end;
  const std::string_view fix = got < expected                       ? "complete or remove it"
                               : open.format == TableFormat::matrix ? "remove the extra values"
                                                                    : "quote a value that contains the delimiter";
  return source.refuse(where, fmt::format("this row has {} value{}, {} {}; {}", got, got == 1 ? "" : "s",
                                          open.counted_by, expected, fix));
}

TableFormat detect_format(const Source& source, const ReadOptions& options) {
  if (options.format != TableFormat::detect) return options.format;
  if (looks_like_arff(source.text())) return TableFormat::arff;
  return options.delimiter == 0 && looks_like_matrix(source.text()) ? TableFormat::matrix : TableFormat::csv;
}

Result<OpenTable> open_table(const Source& source, const ReadOptions& options, std::vector<std::string>& notes) {
  if (source.from_arrow()) return open_arrow(source, notes);
  switch (detect_format(source, options)) {
    case TableFormat::arff:
      return open_arff(source);
    case TableFormat::matrix:
      return open_matrix(source);
    default:
      return open_csv(source, options, notes);
  }
}

// What begins a row that sums up the others.
bool looks_like_totals(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kWords{"total",    "totals", "sum",    "grand total",
                                                           "subtotal", "summe",  "gesamt", "average",
                                                           "average:", "total:", "sum:",   "mean"};
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

}  // namespace

Result<Opened> open_rows(Source& source, const ReadOptions& options, std::vector<std::string>& notes) {
  const std::vector<std::string> before = notes;
  auto open = open_table(source, options, notes);
  while (!source.reached_inside()) {
    TRY_DONE(source.move_on(0));
    notes = before;
    open = open_table(source, options, notes);
  }
  if (!open) return open.error();
  TRY(auto plans, plan_columns(source, *open, options, notes));
  std::vector<std::string> tokens = options.missing;
  if (source.from_arrow()) tokens.emplace_back();
  if (open->format == TableFormat::arff) tokens.emplace_back("?");
  const Quotes quotes = quotes_at_start(*open, plans, options);
  Opened out{*std::move(open), std::move(plans), MissingTokens(std::move(tokens)), {}, {}, options.drop_unlabelled,
             options.part,     quotes.open};
  for (std::size_t i = 0; i < out.plans.size(); ++i) {
    if (out.plans[i].role == Role::target) out.target = i;
    if (out.plans[i].role == Role::weight && (options.needs_target || options.learning)) out.weight = i;
  }
  out.missing.quotes_mean_text = quotes.mean_text;
  out.missing.typed = source.from_arrow();
  return out;
}

Result<bool> RowWalk::next(Row& row) {
  for (;;) {
    if (open_.by_row) source_.at_row(row_ + 1);
    const auto got = open_.rows->next(row);
    if (!source_.within(open_.rows->offset())) {  // the window may cut the row
      open_.rows->again();
      const std::size_t read = open_.rows->offset();
      TRY_DONE(source_.move_on(read));
      open_.rows->moved(read);
      continue;
    }
    if (!got) return got.error();
    if (*got && row.fields.size() != open_.headings.size()) return wrong_count(source_, open_, row);
    ++row_;
    if (++since_poll_ == kPollEvery) {
      since_poll_ = 0;
      TRY_DONE(source_.poll());
    }
    return *got;
  }
}

Status RowWalk::give(const Row& row, std::vector<ColumnBuilder>& builders,
                     const std::vector<std::size_t>& waiting) const {
  for (const std::size_t i : waiting)
    if (!builders[i].add(row.fields[i])) return source_.refuse(row.fields[i].raw, builders[i].complaint(row.fields[i]));
  return Done{};
}

Status RowWalk::rewind() {
  TRY_DONE(source_.rewind());
  open_.rows->rewind();
  row_ = 0;
  return Done{};
}

bool LeftOut::has_no_weight(const Row& row) {
  double weight = 1;
  bool padded = false;
  const std::string_view text = text_of(row.fields[*opened_.weight], opened_.missing, scratch_, padded);
  return read_number(text, weight) && weight == 0;
}

bool LeftOut::has(const Row& row, std::vector<ColumnBuilder>& builders) {
  if (opened_.weight && has_no_weight(row)) {
    ++weightless_;
    return true;
  }
  if (!opened_.target || !builders[*opened_.target].lacks(row.fields[*opened_.target])) {
    ++kept_;
    return false;
  }
  if (++count_ > 1) return true;
  place_ = source_.place_of(source_.offset_of(row.fields[*opened_.target].raw.data()));
  const auto there = [](const Field& f) { return !f.raw.empty(); };
  const auto first = std::find_if(row.fields.begin(), row.fields.end(), there);
  if (first != row.fields.end()) start_ = first->raw;
  return true;
}

Status LeftOut::end() const {
  if (kept_ + count_ == 0 && weightless_ != 0 && !opened_.part)
    return input_error(fmt::format("all weights in column '{}' are 0; at least one row must count",
                                   printable(opened_.open.headings[*opened_.weight].name, 40)),
                       source_.name());
  if (count_ == 0 || opened_.drop_unlabelled) return Done{};
  const std::string name = printable(opened_.open.headings[*opened_.target].name, 40);
  std::string message = count_ == 1 ? fmt::format("the class is missing (column '{}'); remove the row", name)
                                    : fmt::format(
                                          "the class is missing in {} rows, this one first (column '{}'); "
                                          "remove them",
                                          count_, name);
  message += ", or choose another target";
  if (looks_like_totals(start_))
    message += fmt::format("; it begins with '{}': is it a row of totals?", printable(start_, 40));
  return input_error(std::move(message), place_).with({"drop_unlabelled"});
}

void LeftOut::report(std::vector<std::string>& notes) const {
  const auto note = [&](std::size_t count, std::string_view what) {
    if (count != 0) notes.push_back(fmt::format("{} row{} {} left out", count, count == 1 ? "" : "s", what));
  };
  note(weightless_, "of weight 0");
  note(count_, "without a class");
}

std::vector<std::size_t> reading_columns(const std::vector<ColumnBuilder>& builders) {
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < builders.size(); ++i)
    if (builders[i].plan().rule != Rule::skip || builders[i].plan().empty) waiting.push_back(i);
  return waiting;
}

std::vector<ColumnBuilder> builders_for(const std::vector<ColumnPlan>& plans, const MissingTokens& missing,
                                        const Source& source) {
  std::vector<ColumnBuilder> builders;
  builders.reserve(plans.size());
  for (const ColumnPlan& plan : plans) builders.emplace_back(plan, missing, source);
  return builders;
}

Error final_error(Source& source, Error error) {
  if (error.code == ErrorCode::limit || error.names_option) return error;
  TRY_DONE(source.drain());
  return error;
}

}  // namespace beadwork::table
