#include "page_flags.hpp"

#include <beadwork/table.hpp>

#include <fmt/chrono.h>

#include <chrono>
#include <cstdlib>

namespace beadwork {
namespace {

using Day = std::chrono::sys_days;

Result<Day> parse_day(const std::string& text) {
  int y = 0;
  unsigned m = 0, d = 0;
  char end = 0;
  const bool read = text.size() == 10 && std::sscanf(text.c_str(), "%4d-%2u-%2u%c", &y, &m, &d, &end) == 3;
  const std::chrono::year_month_day day{std::chrono::year{y}, std::chrono::month{m}, std::chrono::day{d}};
  if (!read || !day.ok())
    return usage_error(fmt::format("'{}' is not a date such as 2026-03-01", printable(text)), "--date");
  return Day(day);
}

// The day that was asked for, else that of SOURCE_DATE_EPOCH (reproducible-builds.org), else today; all in UTC.
Result<std::string> day_of_page(const std::string& asked) {
  const auto written = [](Day day) { return fmt::format("{:%Y-%m-%d}", std::chrono::system_clock::time_point(day)); };
  if (!asked.empty()) {
    TRY(const auto day, parse_day(asked));
    return written(day);
  }
  auto now = std::chrono::system_clock::now();
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch != nullptr && *epoch != 0) {
    const auto seconds = parse_number(epoch);
    if (!seconds || *seconds < 0 || *seconds > 253402300799.0)
      return usage_error(fmt::format("'{}' is not a number of seconds since 1970", printable(epoch)),
                         "SOURCE_DATE_EPOCH");
    now = std::chrono::system_clock::time_point(std::chrono::seconds(static_cast<std::int64_t>(*seconds)));
  }
  return written(std::chrono::floor<std::chrono::days>(now));
}

// A CSV file with the columns column, value and label.
Result<std::vector<ReportFacts::Label>> read_labels(const std::string& path) {
  ReadOptions options;
  options.format = TableFormat::csv;
  options.missing = {""};
  options.nominal = {"column", "value", "label"};
  options.target = "label";
  options.max_categories = SIZE_MAX;
  const auto file = read_table(path, options);
  if (!file && file.error().names_option)  // these options are those of the table to learn from
    return input_error("expected the columns column, value and label", "--labels " + printable(path));
  if (!file) return Error(file.error()).without_remedy();
  const Table& t = file->table;
  const auto at = [&](const char* name) { return *t.find(name); };
  std::vector<ReportFacts::Label> out;
  for (std::size_t r = 0; r < t.num_rows(); ++r)
    out.push_back({t.column(at("column")).text(r), t.column(at("value")).text(r), t.column(at("label")).text(r)});
  return out;
}

}  // namespace

void PageFlags::add(const Arguments& command, bool expert) {
  command.add_option("--title", title, "give the page this title").word("TEXT").expert(expert);
  command.add_option("--positive", positive, "show the page's sensitivity and specificity for this class")
      .word("CLASS")
      .expert(expert);
  command.add_option("--labels", labels, "take readable names from this table: column, value, label (docs/formats.md)")
      .word("FILE")
      .expert(expert);
  command.add_option("--date", date, "date the page, as 2026-03-01 (default SOURCE_DATE_EPOCH or today)")
      .word("DAY")
      .expert(expert);
}

Status PageFlags::check(FilePlan& plan, bool has_page) const {
  plan.reads(labels);
  for (const auto& [name, value] :
       {std::pair{"--title", title}, {"--positive", positive}, {"--labels", labels}, {"--date", date}})
    if (!value.empty() && !has_page) return usage_error("needs --report", name);
  if (!labels.empty()) TRY_DONE(read_labels(labels));
  const auto day = day_of_page(date);
  return has_page && !day ? Status(day.error()) : Status(Done{});
}

Status PageFlags::check_positive(const std::vector<std::string>& classes) const {
  return positive.empty() ? Status(Done{}) : check_class(positive, classes, "--positive");
}

Status PageFlags::check_labels(const Binarizer& binarizer, const Table& rows, bool more_rows) const {
  if (labels.empty()) return Done{};
  TRY(const auto read, read_labels(labels));
  const auto ok = beadwork::check_labels(read, binarizer, rows, more_rows);
  return ok ? ok : Status(told(ok.error()));
}

Error PageFlags::told(Error error) const {
  if (error.where == "labels") error.where = "--labels " + printable(labels);
  return error;
}

Status PageFlags::fill(ReportFacts& facts) const {
  facts.title = title;
  facts.positive = positive;
  TRY(auto day, day_of_page(date));
  facts.date = std::move(day);
  if (labels.empty()) return Done{};
  TRY(auto read, read_labels(labels));
  facts.labels = std::move(read);
  return Done{};
}

}  // namespace beadwork
