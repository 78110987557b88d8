#include <beadwork/exports.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>

// The options of exports, from text.
namespace beadwork {
namespace {

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error expected(std::string_view name, std::string_view what, std::string_view text) {
  return option_error(fmt::format("expected {}, got '{}'", what, printable(text)), std::string(name));
}

Status set_inputs(ExportOptions& options, std::string_view name, std::string_view text) {
  if (text != "raw" && text != "binary") return expected(name, "raw or binary", text);
  options.inputs = text == "raw" ? ExportInputs::raw : ExportInputs::binary;
  return Done{};
}

Status set_numbers(ExportOptions& options, std::string_view name, std::string_view text) {
  using enum ExportNumbers::Kind;
  ExportNumbers& numbers = options.numbers;
  if (text == "double" || text == "float") {
    numbers.kind = text == "double" ? float64 : float32;
    return Done{};
  }
  const auto bits = text.starts_with("int") ? whole(text.substr(3)) : std::nullopt;
  if (!bits || *bits < 2 || *bits > 64)
    return expected(name, "double, float or int and a number of bits from 2 to 64, such as int16", text);
  numbers.kind = integer;
  numbers.bits = static_cast<unsigned>(*bits);
  return Done{};
}

Status set_to(ExportOptions& options, std::string_view name, std::int64_t scale) {
  if (options.numbers.scale != 1)
    return option_error("scale and point say the same thing; name one", std::string(name));
  options.numbers.scale = scale;
  return Done{};
}

Status set_scale(ExportOptions& options, std::string_view name, std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const auto scale = whole(text);
  if (!scale || *scale < 1 || *scale > kMost)
    return expected(name, fmt::format("a whole number from 1 to {}", kMost), text);
  return set_to(options, name, *scale);
}

Status set_point(ExportOptions& options, std::string_view name, std::string_view text) {
  constexpr std::int64_t kMost = 52;
  const auto point = whole(text);
  if (!point || *point < 0 || *point > kMost)
    return expected(name, fmt::format("a number of bits from 0 to {}", kMost), text);
  return set_to(options, name, std::int64_t{1} << *point);
}

Status set_categories(ExportOptions& options, std::string_view name, std::string_view text) {
  if (text != "text" && text != "enum") return expected(name, "text or enum", text);
  options.enums = text == "enum";
  return Done{};
}

Status set_probabilities(ExportOptions& options, std::string_view name, std::string_view text) {
  if (text != "yes" && text != "no") return expected(name, "yes or no", text);
  options.probabilities = text == "yes";
  return Done{};
}

// It stands between quotes in #include, where not even a backslash has a fixed meaning.
Status set_header(ExportOptions& options, std::string_view name, std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\')
      return expected(name, "a file name without quotes, backslashes and line breaks", text);
  options.header = text;
  return Done{};
}

Status set_dialect(ExportOptions& options, std::string_view name, std::string_view text) {
  using enum SqlDialect;
  constexpr std::array<std::pair<std::string_view, SqlDialect>, 10> kDialects{{{"standard", standard},
                                                                               {"sqlite", standard},
                                                                               {"postgresql", standard},
                                                                               {"postgres", standard},
                                                                               {"duckdb", standard},
                                                                               {"mysql", mysql},
                                                                               {"mariadb", mysql},
                                                                               {"sqlserver", sqlserver},
                                                                               {"bigquery", bigquery},
                                                                               {"snowflake", snowflake}}};
  for (const auto& [known, dialect] : kDialects)
    if (known == text) {
      options.dialect = dialect;
      return Done{};
    }
  return expected(name, "standard (sqlite, postgresql, duckdb), mysql (mariadb), sqlserver, bigquery or snowflake",
                  text);
}

}  // namespace

Status set_export_option(ExportOptions& options, std::string_view name, std::string_view text) {
  using Setter = Status (*)(ExportOptions&, std::string_view, std::string_view);
  constexpr std::array<std::pair<std::string_view, Setter>, 8> kSetters{{{"inputs", set_inputs},
                                                                         {"numbers", set_numbers},
                                                                         {"scale", set_scale},
                                                                         {"point", set_point},
                                                                         {"categories", set_categories},
                                                                         {"probabilities", set_probabilities},
                                                                         {"header", set_header},
                                                                         {"dialect", set_dialect}}};
  if (name == "name") {
    options.name = text;
    return Done{};
  }
  for (const auto& [known, set] : kSetters)
    if (known == name) return set(options, name, text);
  return option_error(fmt::format("exports have no option '{}'", printable(name)), std::string(name));
}

}  // namespace beadwork
