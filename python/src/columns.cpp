#include "columns.hpp"

#include <beadwork/table/tidy.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>
#include <unordered_map>

namespace beadwork::python {
namespace {

template <class T, class Take>
bool read_as(const Array& values, const Rows& rows, Take& take) {
  if (values.dtype() != nb::dtype<T>()) return false;
  const auto* data = static_cast<const T*>(values.data());
  const std::int64_t stride = values.shape(0) > 1 ? values.stride(0) : 1;
  const std::size_t count = rows ? rows->size() : values.shape(0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::int64_t>(rows ? (*rows)[i] : i);
    take(data[row * stride]);
  }
  return true;
}

template <class Take>
void for_each_value(const Array& values, const Rows& rows, Take take) {
  const bool known = read_as<double>(values, rows, take) || read_as<float>(values, rows, take) ||
                     read_as<bool>(values, rows, take) || read_as<std::int64_t>(values, rows, take) ||
                     read_as<std::int32_t>(values, rows, take) || read_as<std::int16_t>(values, rows, take) ||
                     read_as<std::int8_t>(values, rows, take) || read_as<std::uint64_t>(values, rows, take) ||
                     read_as<std::uint32_t>(values, rows, take) || read_as<std::uint16_t>(values, rows, take) ||
                     read_as<std::uint8_t>(values, rows, take);
  if (!known) throw nb::type_error("a column holds neither numbers nor booleans");
}

bool only_bits(const Array& values, const Rows& rows) {
  bool bits = true;
  bool any = false;
  for_each_value(values, rows, [&](auto v) {
    const auto number = static_cast<double>(v);
    if (std::isnan(number)) return;
    any = true;
    bits = bits && (number == 0 || number == 1);
  });
  return bits && any;
}

std::size_t count_of(const Array& values, const Rows& rows) {
  return rows ? rows->size() : values.shape(0);
}

}  // namespace

Column number_column(std::string name, const Array& values, const Rows& rows, std::optional<ColumnType> type) {
  Column column;
  column.name = std::move(name);
  if (!type) type = only_bits(values, rows) ? ColumnType::nominal : ColumnType::numeric;
  if (type == ColumnType::numeric) {
    column.numbers.reserve(count_of(values, rows));
    for_each_value(values, rows, [&](auto v) { column.numbers.push_back(static_cast<double>(v)); });
    return column;
  }
  column.type = ColumnType::nominal;
  std::map<double, std::uint32_t> code;
  for_each_value(values, rows, [&](auto v) {
    const double number = static_cast<double>(v) + 0.0;  // -0 is 0
    if (std::isnan(number)) return column.codes.push_back(Codes::kMissing);
    const auto [at, added] = code.try_emplace(number, static_cast<std::uint32_t>(code.size()));
    if (added) column.levels.push_back(format_number(number));
    column.codes.push_back(at->second);
  });
  return column;
}

std::optional<TableWarning> read_as_one(const std::string& name, const Array& values, const Rows& rows) {
  std::optional<TableWarning> out;
  std::unordered_map<double, std::string> first;  // of those that a double may not hold
  for_each_value(values, rows, [&](auto v) {
    if constexpr (std::is_integral_v<decltype(v)> && sizeof(v) == 8) {
      constexpr double kExact = 0x1p53;
      const double number = static_cast<double>(v);
      if (out || (number < kExact && number > -kExact)) return;
      const auto [at, fresh] = first.try_emplace(number, std::to_string(v));
      if (!fresh && at->second != std::to_string(v))
        out = TableWarning{"column '" + printable(name, 40) + "': " + at->second + " and " + std::to_string(v) +
                               " are read as the same, for a number holds no more digits",
                           {},
                           {}};
    }
  });
  return out;
}

Column timed_column(std::string name, const Array& values, const std::string& kind, const Rows& rows) {
  Column column = number_column(std::move(name), values, rows, ColumnType::numeric);
  const auto fraction = [](double x) { return !std::isnan(x) && x != std::floor(x); };
  const bool decimals = std::any_of(column.numbers.begin(), column.numbers.end(), fraction);
  if (kind == "date") column.reading = {.kind = Reading::Kind::date};
  if (kind == "moment") column.reading = {.kind = Reading::Kind::moment, .fields = decimals ? 3 : 0};
  if (kind == "duration" && !decimals) column.reading = {.kind = Reading::Kind::duration, .fields = 3};
  return column;
}

Column coded_column(std::string name, const Array& codes, std::vector<std::string> levels, const Rows& rows) {
  Column column;
  column.name = std::move(name);
  column.type = ColumnType::nominal;
  column.levels = std::move(levels);
  for_each_value(codes, rows, [&](auto v) {
    const auto number = static_cast<double>(v);
    column.codes.push_back(number >= 0 ? static_cast<std::uint32_t>(number) : Codes::kMissing);
  });
  return column;
}

std::vector<std::int64_t> integers(const Array& values) {
  if (values.dtype() != nb::dtype<std::int64_t>()) throw nb::type_error("expected an array of int64");
  const auto* data = static_cast<const std::int64_t*>(values.data());
  const std::int64_t stride = values.shape(0) > 1 ? values.stride(0) : 1;
  std::vector<std::int64_t> out;
  out.reserve(values.shape(0));
  for (std::size_t i = 0; i < values.shape(0); ++i) out.push_back(data[static_cast<std::int64_t>(i) * stride]);
  return out;
}

std::vector<std::int64_t> some(std::vector<std::int64_t> values, std::size_t rows, const Rows& kept) {
  if (values.size() != rows) throw nb::value_error("a number for every row");
  if (!kept) return values;
  std::vector<std::int64_t> out;
  for (const std::uint32_t r : *kept) out.push_back(values[r]);
  return out;
}

bool among(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::optional<Column> without(const Column& column, const std::vector<std::string>& texts) {
  if (std::none_of(column.levels.begin(), column.levels.end(), [&](const auto& l) { return among(texts, l); }))
    return std::nullopt;
  Column out{column.name, ColumnType::nominal, {}, {}, {}, {}};
  std::vector<std::uint32_t> place;
  for (const std::string& level : column.levels) {
    const bool gone = among(texts, level);
    place.push_back(gone ? Codes::kMissing : static_cast<std::uint32_t>(out.levels.size()));
    if (!gone) out.levels.push_back(level);
  }
  for (std::size_t r = 0; r < column.codes.size(); ++r)
    out.codes.push_back(column.codes[r] == Codes::kMissing ? Codes::kMissing : place[column.codes[r]]);
  return out;
}

Column placed(const Column& column, const OrderedWords& order) {
  Column out{column.name, ColumnType::nominal, {}, {}, order.levels, {}};
  std::vector<std::uint32_t> place;
  for (const std::string& level : column.levels)
    place.push_back(
        static_cast<std::uint32_t>(std::find(order.levels.begin(), order.levels.end(), level) - order.levels.begin()));
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    const bool none = column.codes[r] == Codes::kMissing;
    if (!none && place[column.codes[r]] == order.levels.size()) {
      const std::string message = "column '" + column.name + "': '" + column.levels[column.codes[r]] +
                                  "' is not in its order; add it there, or to the missing texts";
      throw nb::value_error(message.c_str());
    }
    out.codes.push_back(none ? Codes::kMissing : place[column.codes[r]]);
  }
  into_places(out);
  return out;
}

void bind_columns(nb::module_& m) {
  nb::class_<Frame>(m, "Frame", "Columns to predict on.")
      .def(nb::init<>())
      .def(
          "add_numbers",
          [](Frame& f, std::string name, const Array& values, std::optional<bool> nominal) {
            std::optional<ColumnType> type;
            if (nominal) type = *nominal ? ColumnType::nominal : ColumnType::numeric;
            f.add(number_column(std::move(name), values, {}, type));
          },
          nb::arg("name"), nb::arg("values"), nb::arg("nominal").none() = false,
          "Numbers, NaN where missing; as categories if `nominal`, by what they are if that is None.")
      .def(
          "add_times",
          [](Frame& f, std::string name, const Array& values, const std::string& kind) {
            f.add(timed_column(std::move(name), values, kind));
          },
          nb::arg("name"), nb::arg("values"), nb::arg("kind"), kTimesDoc)
      .def(
          "add_codes",
          [](Frame& f, std::string name, const Array& codes, std::vector<std::string> levels) {
            f.add(coded_column(std::move(name), codes, std::move(levels)));
          },
          nb::arg("name"), nb::arg("codes"), nb::arg("levels"), "Codes into levels, negative where missing.")
      .def_prop_ro("num_columns", &Frame::num_columns);
}

}  // namespace beadwork::python
