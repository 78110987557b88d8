#include <beadwork/table/attempt.hpp>
#include <beadwork/table/build.hpp>
#include <beadwork/table/spelling.hpp>
#include <beadwork/table/tidy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwork::table {
namespace {

constexpr std::size_t kMostNotes = 5;

// Of those, the ones that stay text: what in them is no number.
void report_surprises(const std::vector<ColumnBuilder>& builders, const std::vector<Column>& left, Findings& findings) {
  std::size_t count = 0;
  for (const ColumnBuilder& builder : builders) {
    const std::string_view text = builder.surprise();
    const auto same = [&](const Column& c) { return c.name == builder.plan().name && c.type == ColumnType::nominal; };
    if (text.empty() || std::none_of(left.begin(), left.end(), same)) continue;
    if (++count > kMostNotes) continue;
    findings.notes.push_back(fmt::format(
        "column '{}' is nominal: '{}' in line {} {}", printable(builder.plan().name, 40), printable(text, 40),
        builder.surprise_line(), looks_like_code(text) ? "begins with a zero" : "is not a number"));
  }
  if (count > kMostNotes) findings.notes.push_back(fmt::format("the same for {} more columns", count - kMostNotes));
}

// Whole numbers, each once, without a gap: 1, 2, 3, ... in any order.
bool numbers_the_rows(const Column& column) {
  constexpr std::size_t kFewest = 20;
  const std::vector<double>& x = column.numbers;
  if (column.type != ColumnType::numeric || x.size() < kFewest) return false;
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const double from = *low;
  if (!(*high - from == static_cast<double>(x.size() - 1))) return false;
  std::vector<bool> seen(x.size());
  for (const double v : x) {
    if (!(v == std::floor(v)) || v < from || seen[static_cast<std::size_t>(v - from)]) return false;
    seen[static_cast<std::size_t>(v - from)] = true;
  }
  return true;
}

void warn_of_row_numbers(const Column& column, Findings& findings) {
  const auto [low, high] = std::minmax_element(column.numbers.begin(), column.numbers.end());
  findings.warnings.push_back({fmt::format("column '{}' numbers the rows from {} to {}", printable(column.name, 40),
                                           format_number(*low), format_number(*high)),
                               {{"ignore", column.name}},
                               "leave it out"});
}

}  // namespace

// The columns that turned out to be text after some numbers; they are read again for the spelling of those.
std::vector<std::size_t> undone_columns(const std::vector<ColumnBuilder>& builders) {
  std::vector<std::size_t> undone;
  for (std::size_t i = 0; i < builders.size(); ++i)
    if (builders[i].wants_another_pass()) undone.push_back(i);
  return undone;
}

// The columns that stay, as what their texts mean.
Result<BuiltColumns> build(const Source& source, std::vector<ColumnBuilder>& builders, const ReadOptions& options,
                           Findings& findings) {
  BuiltColumns out;
  std::size_t inputs = 0;
  for (ColumnBuilder& builder : builders) {
    const ColumnPlan& plan = builder.plan();
    if (plan.rule == Rule::skip) {
      findings.left_out.push_back(plan.name);
      continue;
    }
    Column column = builder.take();
    const Cells cells = builder.counting()                   ? builder.cells_taken()
                        : column.type == ColumnType::nominal ? count_cells(column)
                                                             : Cells{};
    if (plan.role == Role::target) {
      out.target = out.columns.size();
      if (options.needs_target && !plan.forced && !options.part)
        TRY_DONE(tidy_target(column, cells, options.target_bins, findings));
    }
    if (plan.role == Role::target && options.needs_target && !options.part) warn_of_one_class(column, cells, findings);
    if (plan.role == Role::weight) out.weight = out.columns.size();
    if (!plan.date_format.empty() && options.needs_target && plan.role == Role::input)
      findings.warnings.push_back(
          {fmt::format("column '{}' stays text: its dates are declared as '{}', which is not read",
                       printable(plan.name, 40), printable(plan.date_format, 40)),
           {{"dates", "ymd"}},
           "read them in another order"});
    if (plan.role == Role::input && options.needs_target) column.reading.add_missing(plan.missing);
    const TidyOptions how{options.decimal,        options.thousands, options.dates ? options.dates : plan.dates,
                          options.max_categories, plan.typed(),      plan.keep};
    column.as_found = plan.as_found;
    if (plan.role == Role::input && options.needs_target && !plan.as_found && !tidy(column, cells, how, findings)) {
      findings.left_out.push_back(plan.name);
      continue;
    }
    inputs += plan.role == Role::input ? 1 : 0;
    if (const std::string_view text = builder.doubtful();
        !text.empty() && options.needs_target && column.type == ColumnType::numeric && !plan.typed())
      findings.warnings.push_back(
          {fmt::format("column '{}' has '{}', read as a little more than {}; it may be thousands",
                       printable(plan.name, 40), printable(text, 40), text.substr(0, text.find('.'))),
           {{"thousands", "."}},
           "read it so"});
    if (const auto* two = builder.told_as_one(); two != nullptr && options.needs_target)
      findings.warnings.push_back(told_as_one(plan.name, *two, plan.role == Role::input));
    if (plan.role == Role::input && options.needs_target && !options.part && !builder.counting() && !plan.forced &&
        column.reading == Reading{} && numbers_the_rows(column))
      warn_of_row_numbers(column, findings);
    out.columns.push_back(std::move(column));
    out.builders.push_back(&builder);
  }
  if (inputs == 0 && options.needs_target)
    return source.refuse("no input column is left: all are text, and nearly every value is different");
  if (options.needs_target) report_surprises(builders, out.columns, findings);
  return out;
}

}  // namespace beadwork::table
