#include <beadwork/dataset/match.hpp>
#include <beadwork/dataset/meaning.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwork {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

bool holds(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// Is the number one of the texts that mean no value?
bool no_value(const InputColumn& input, double number) {
  return std::any_of(input.reading.missing.begin(), input.reading.missing.end(), [&](const std::string& text) {
    const auto code = parse_number(text);
    return code && *code == number;
  });
}

// Without the numbers that mean no value; nothing if there are none.
std::optional<Column> without_codes(const InputColumn& input, const Column& column) {
  if (input.reading.missing.empty() ||
      std::none_of(column.numbers.begin(), column.numbers.end(), [&](double x) { return no_value(input, x); }))
    return std::nullopt;
  Column out = column;
  for (double& x : out.numbers)
    if (no_value(input, x)) x = kNoNumber;
  return out;
}

// Texts as the numbers that they stood for in training.
Result<Column> as_numbers(const InputColumn& input, const Column& column) {
  std::vector<double> of_level;
  for (const std::string& level : column.levels) {
    const auto number = number_of(input.reading, level);
    if (!number && !holds(input.reading.missing, level) && !stands_for_nothing(level))
      return input_error(fmt::format("column '{}': '{}' is none of {}, which training had", printable(input.name),
                                     printable(level, 40), words(input.reading)));
    of_level.push_back(number && !no_value(input, *number) ? *number : kNoNumber);
  }
  Column out{input.name, ColumnType::numeric, {}, {}, {}, input.reading};
  for (std::size_t r = 0; r < column.num_rows(); ++r)
    out.numbers.push_back(column.missing(r) ? kNoNumber : of_level[column.codes[r]]);
  return out;
}

// Words as their places. What has none comes after all of them.
Column as_places(const InputColumn& input, const Column& column) {
  const Meanings meanings(input);
  const auto place = [&](const std::string& word) {
    return static_cast<double>(meanings.level_of(word).value_or(meanings.levels().size()));
  };
  std::vector<double> of_level;
  for (const std::string& level : column.levels) of_level.push_back(meanings.missing(level) ? kNoNumber : place(level));
  Column out{input.name, ColumnType::numeric, {}, {}, {}, input.reading};
  for (std::size_t r = 0; r < column.num_rows(); ++r)
    out.numbers.push_back(column.missing(r)                    ? kNoNumber
                          : column.type == ColumnType::nominal ? of_level[column.codes[r]]
                                                               : place(column.text(r)));
  return out;
}

// Days and seconds differ.
Column as_calendar(const InputColumn& input, const Column& column) {
  Column out = column;
  const bool days = input.reading.kind == Reading::Kind::date;
  for (double& x : out.numbers) x = days ? std::floor(x / 86400) : x * 86400;
  return out;
}

// Categories under the names that they had in training.
Column as_levels(const InputColumn& input, const Column& column) {
  const Meanings meanings(input);
  Column out{input.name, ColumnType::nominal, {}, {}, input.levels, input.reading};
  std::vector<std::uint32_t> place;
  for (const std::string& level : column.levels) {
    const auto known = meanings.level_of(level);
    if (meanings.missing(level)) {
      place.push_back(Codes::kMissing);
    } else if (known) {
      place.push_back(static_cast<std::uint32_t>(*known));
    } else {
      place.push_back(static_cast<std::uint32_t>(out.levels.size()));
      out.levels.push_back(level);
    }
  }
  for (std::size_t r = 0; r < column.num_rows(); ++r)
    out.codes.push_back(column.missing(r) ? Codes::kMissing : place[column.codes[r]]);
  return out;
}

// Nothing where the column can be used as it is.
Result<std::optional<Column>> converted(const InputColumn& input, const Column& column) {
  const bool numeric = input.type == ColumnType::numeric;
  const bool same_type = column.type == input.type;
  if (!numeric && same_type) {
    const Places places(input.levels);
    const auto known = [&](const std::string& level) { return places.find(level).has_value(); };
    const bool all_known = std::all_of(column.levels.begin(), column.levels.end(), known);
    if (!all_known || !input.reading.missing.empty()) return std::optional(as_levels(input, column));
  }
  if (input.ordinal()) {
    if (column.reading.kind == Reading::Kind::ordinal && column.reading.levels == input.reading.levels)
      return std::optional<Column>{};
    return std::optional(as_places(input, column));
  }
  if (numeric && !same_type) {
    TRY(auto numbers, as_numbers(input, column));
    return std::optional(std::move(numbers));
  }
  if (input.reading.calendar() && column.reading.calendar() && input.reading.kind != column.reading.kind)
    return std::optional(as_calendar(input, column));
  if (same_type) return numeric ? without_codes(input, column) : std::nullopt;
  return input_error(fmt::format("column '{}' is numeric, expected nominal", printable(input.name)));
}

}  // namespace

Result<MatchedColumns> match_columns(const std::vector<InputColumn>& inputs, const Table& table) {
  MatchedColumns out;
  for (const InputColumn& input : inputs) {
    const auto at = table.find(input.name);
    if (!at) return input_error(fmt::format("column '{}' is missing", printable(input.name)));
    TRY(auto column, converted(input, table.column(*at)));
    const bool fresh = column.has_value();
    if (fresh) out.converted.push_back(*std::move(column));
    out.columns.push_back(fresh ? &out.converted.back() : &table.column(*at));
  }
  return out;
}

Result<Table> as_in_training(const std::vector<InputColumn>& inputs, const Table& table) {
  TRY(auto matched, match_columns(inputs, table));
  if (matched.converted.empty()) return table;
  std::vector<Column> columns = table.columns();
  for (Column& column : matched.converted) columns[*table.find(column.name)] = std::move(column);
  return Table::make(std::move(columns), table.target(), table.weight());
}

}  // namespace beadwork
