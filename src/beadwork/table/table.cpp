#include <beadwork/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace beadwork {
namespace {

template <class T>
constexpr std::uint32_t missing_in = std::numeric_limits<T>::max();

template <class To, class From>
std::vector<To> widened(const std::vector<From>& codes) {
  std::vector<To> wide;
  wide.reserve(codes.size() * 2);
  for (const From c : codes) wide.push_back(c == missing_in<From> ? static_cast<To>(missing_in<To>) : To{c});
  return wide;
}

Status check_column(const Column& column, std::size_t num_rows) {
  const auto refuse = [&](std::string_view what, std::size_t row) {
    return input_error(fmt::format("column '{}', row {}: {}", printable(column.name), row + 1, what));
  };
  if (column.name.empty()) return input_error("a column has no name");
  if (column.num_rows() != num_rows)
    return input_error(fmt::format("column '{}' has {} rows, the first column has {}", printable(column.name),
                                   column.num_rows(), num_rows));
  for (std::size_t row = 0; row < num_rows; ++row) {
    if (column.missing(row)) continue;
    if (column.type == ColumnType::nominal && column.codes[row] >= column.levels.size())
      return refuse("a code without a level", row);
    if (column.type == ColumnType::numeric && std::isinf(column.numbers[row])) return refuse("not finite", row);
  }
  return Done{};
}

Status check_target(const Column& target) {
  const auto name = printable(target.name);
  if (target.type != ColumnType::nominal) return input_error(fmt::format("the target '{}' is not nominal", name));
  for (std::size_t row = 0; row < target.num_rows(); ++row)
    if (target.missing(row)) return input_error(fmt::format("the target '{}' is missing in row {}", name, row + 1));
  return Done{};
}

Status check_weight(const Column& weight) {
  const auto name = printable(weight.name);
  if (weight.type != ColumnType::numeric)
    return input_error(fmt::format("the weight column '{}' is not numeric", name));
  double sum = 0;
  for (const double w : weight.numbers) {
    if (!(w >= 0)) return input_error(fmt::format("column '{}' has negative or missing weights", name));
    sum += w;
  }
  if (sum > 0x1p63) return input_error(fmt::format("the weights in '{}' add up to more than 2^63", name));
  return Done{};
}

}  // namespace

std::size_t Codes::size() const {
  return std::visit([](const auto& codes) { return codes.size(); }, data_);
}

std::uint32_t Codes::operator[](std::size_t i) const {
  return std::visit(
      [i](const auto& codes) -> std::uint32_t {
        const auto c = codes[i];
        return c == missing_in<std::decay_t<decltype(c)>> ? kMissing : c;
      },
      data_);
}

void Codes::push_back(std::uint32_t code) {
  if (auto* bytes = std::get_if<0>(&data_)) {
    if (code < missing_in<std::uint8_t> || code == kMissing) return bytes->push_back(static_cast<std::uint8_t>(code));
    data_ = widened<std::uint16_t>(*bytes);
  }
  if (auto* shorts = std::get_if<1>(&data_)) {
    if (code < missing_in<std::uint16_t> || code == kMissing)
      return shorts->push_back(static_cast<std::uint16_t>(code));
    data_ = widened<std::uint32_t>(*shorts);
  }
  std::get<2>(data_).push_back(code);
}

bool operator==(const Codes& a, const Codes& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

bool Column::missing(std::size_t row) const {
  return type == ColumnType::numeric ? std::isnan(numbers[row]) : codes[row] == Codes::kMissing;
}

std::string Column::text(std::size_t row) const {
  if (missing(row)) return {};
  return type == ColumnType::numeric ? text_of(reading, numbers[row]) : levels[codes[row]];
}

bool operator==(const Column& a, const Column& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.name == b.name && a.type == b.type && a.levels == b.levels && a.codes == b.codes &&
         std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end(), same);
}

Result<Table> Table::make(std::vector<Column> columns, std::optional<std::size_t> target,
                          std::optional<std::size_t> weight) {
  require(!target || *target < columns.size(), "Table: the target is one of the columns");
  require(!weight || *weight < columns.size(), "Table: the weight is one of the columns");
  if (target && target == weight) return input_error("the target cannot be the weight as well");
  std::unordered_set<std::string_view> names;
  for (const Column& column : columns) {
    TRY_DONE(check_column(column, columns.front().num_rows()));
    if (!names.insert(column.name).second)
      return input_error(fmt::format("two columns are named '{}'", printable(column.name)));
  }
  if (target) TRY_DONE(check_target(columns[*target]));
  if (weight) TRY_DONE(check_weight(columns[*weight]));
  Table table;
  table.columns_ = std::move(columns);
  for (std::uint32_t i = 0; i < table.columns_.size(); ++i) table.by_name_.push_back(i);
  const auto name = [&table](std::uint32_t i) -> const std::string& { return table.columns_[i].name; };
  std::sort(table.by_name_.begin(), table.by_name_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return name(a) < name(b); });
  table.target_ = target;
  table.weight_ = weight;
  return table;
}

std::optional<std::size_t> Table::find(std::string_view name) const {
  const auto at = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                   [this](std::uint32_t i, std::string_view n) { return columns_[i].name < n; });
  if (at == by_name_.end() || columns_[*at].name != name) return std::nullopt;
  return *at;
}

namespace {

Column rows_of(const Column& column, const std::vector<std::size_t>& chosen) {
  Column out = column;
  if (column.type == ColumnType::numeric) {
    out.numbers.clear();
    for (const std::size_t r : chosen) out.numbers.push_back(column.numbers[r]);
    return out;
  }
  std::vector<bool> occurs(column.levels.size()), stays(column.levels.size());
  for (std::size_t r = 0; r < column.num_rows(); ++r)
    if (!column.missing(r)) occurs[column.codes[r]] = true;
  for (const std::size_t r : chosen)
    if (!column.missing(r)) stays[column.codes[r]] = true;
  std::vector<std::uint32_t> place(column.levels.size());
  out.levels.clear();
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (occurs[i] && !stays[i]) continue;
    place[i] = static_cast<std::uint32_t>(out.levels.size());
    out.levels.push_back(column.levels[i]);
  }
  out.codes = {};
  for (const std::size_t r : chosen) out.codes.push_back(column.missing(r) ? Codes::kMissing : place[column.codes[r]]);
  return out;
}

}  // namespace

Result<Table> Table::rows_that_count() const {
  if (!weight_) return *this;
  const std::vector<double>& weights = columns_[*weight_].numbers;
  std::vector<std::size_t> chosen;
  for (std::size_t r = 0; r < weights.size(); ++r)
    if (weights[r] != 0) chosen.push_back(r);
  if (chosen.size() == weights.size()) return *this;
  std::vector<Column> columns;
  for (const Column& column : columns_) columns.push_back(rows_of(column, chosen));
  return make(std::move(columns), target_, weight_);
}

}  // namespace beadwork
