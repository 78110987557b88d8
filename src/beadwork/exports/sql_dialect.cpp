#include <beadwork/exports/sql_dialect.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace beadwork::exports {
namespace {

std::string in_backticks(std::string_view name) {
  return fmt::format("`{}`", escaped(name, {{'`', "``"}}));
}
std::string in_brackets(std::string_view name) {
  return fmt::format("[{}]", escaped(name, {{']', "]]"}}));
}

std::string backslashed(std::string_view text) {
  return fmt::format("'{}'", escaped(text, {{'\'', "''"}, {'\\', "\\\\"}}));
}
std::string binary_backslashed(std::string_view text) {
  return fmt::format("CAST({} AS BINARY)", backslashed(text));
}
std::string national(std::string_view text) {
  return "N" + sql_string(text);
}
// '=' of SQL Server does not see spaces at the end, so something stands behind them.
std::string national_ended(std::string_view text) {
  return national(std::string(text) + ".");
}
// BigQuery has no line breaks in literals.
std::string bigquery_string(std::string_view text) {
  return fmt::format("'{}'", escaped(text, {{'\'', "\\'"}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\r', "\\r"}}));
}

bool any_name(std::string_view) {
  return true;
}
// At most 64 characters of 16 bits, and no space at the end.
bool mysql_name(std::string_view name) {
  const std::u32string characters = code_points(name);
  return characters.size() <= 64 && !name.ends_with(' ') &&
         std::none_of(characters.begin(), characters.end(), [](char32_t c) { return c > 0xFFFF; });
}
bool plain_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return name.size() <= 300 && std::all_of(name.begin(), name.end(), plain) && !(name[0] >= '0' && name[0] <= '9');
}
bool short_name(std::string_view name) {
  return code_points(name).size() <= 128;
}

}  // namespace

namespace {

SqlSyntax standard_syntax() {
  return {"SQLite, PostgreSQL, DuckDB.",
          sql_name,
          any_name,
          sql_string,
          sql_string,
          "CAST({} AS DOUBLE PRECISION) <= {}",
          "CAST({} AS VARCHAR)",
          "{} = {}",
          "{} IN ({})",
          "RTRIM({}, '0')",
          true,
          63};
}

SqlSyntax mysql_syntax() {
  return {"MySQL 8.0.17 and later, MariaDB.",
          in_backticks,
          mysql_name,
          backslashed,
          binary_backslashed,
          "CAST({} AS DOUBLE) <= {}",
          "CONVERT({} USING utf8mb4)",
          "CAST({} AS BINARY) = {}",
          "CAST({} AS BINARY) IN ({})",
          "TRIM(TRAILING '0' FROM {})",
          false,
          64};
}

SqlSyntax sqlserver_syntax() {
  return {"SQL Server.",
          in_brackets,
          short_name,
          national,
          national_ended,
          "CAST({} AS DOUBLE PRECISION) <= {}",
          "CAST({} AS NVARCHAR(MAX))",
          "{} + N'.' = {} COLLATE Latin1_General_100_BIN2",
          "{} + N'.' COLLATE Latin1_General_100_BIN2 IN ({})",
          "",
          false,
          128};
}

SqlSyntax bigquery_syntax() {
  return {"BigQuery.",
          in_backticks,
          plain_name,
          bigquery_string,
          bigquery_string,
          "CAST({} AS FLOAT64) <= {}",
          "CAST({} AS STRING)",
          "{} = {}",
          "{} IN ({})",
          "RTRIM({}, '0')",
          true,
          300};
}

SqlSyntax snowflake_syntax() {
  return {"Snowflake.",          sql_name,  any_name,     backslashed,      backslashed, "CAST({} AS DOUBLE) <= {}",
          "CAST({} AS VARCHAR)", "{} = {}", "{} IN ({})", "RTRIM({}, '0')", true,        255};
}

}  // namespace

// MySQL's own comparison does not tell upper from lower case, nor spaces at the end; bytes do. SQL Server's is told to.
const SqlSyntax& syntax_of(SqlDialect dialect) {
  static const SqlSyntax standard = standard_syntax();
  static const SqlSyntax mysql = mysql_syntax();
  static const SqlSyntax sqlserver = sqlserver_syntax();
  static const SqlSyntax bigquery = bigquery_syntax();
  static const SqlSyntax snowflake = snowflake_syntax();
  switch (dialect) {
    case SqlDialect::mysql:
      return mysql;
    case SqlDialect::sqlserver:
      return sqlserver;
    case SqlDialect::bigquery:
      return bigquery;
    case SqlDialect::snowflake:
      return snowflake;
    case SqlDialect::standard:
      break;
  }
  return standard;
}

namespace {

// Plain decimals of the same number: a database writes 1, 1.0 or 1.00, by the type of the column, and may write -0.
std::vector<std::string> same_in_sql(const SqlSyntax& syntax, const std::string& text, const std::string& number) {
  const bool point = number.find('.') != std::string::npos;
  const auto equal = [&](const std::string& what, const std::string& value) {
    return fmt::format(fmt::runtime(syntax.equals), what, syntax.compared(value));
  };
  std::vector<std::string> out;
  for (const char* sign : {"", "-"}) {
    if (*sign != 0 && number != "0") continue;
    const std::string signed_number = sign + number, start = signed_number + (point ? "" : ".");
    if (!point) out.push_back(equal(text, signed_number));
    if (syntax.stripped.empty())
      out.push_back(fmt::format("({0} LIKE N'{1}%' AND {0} + N'.' NOT LIKE N'{1}%[^0]%.')", text, start));
    else
      out.push_back(equal(fmt::format(fmt::runtime(syntax.stripped), text), start));
  }
  return out;
}

}  // namespace

std::string spelled_in_sql(const SqlSyntax& syntax, const std::string& column, const Spelling& spelling) {
  using enum Spelling::Kind;
  const std::string text = fmt::format(fmt::runtime(syntax.as_text), column), lower = fmt::format("LOWER({})", text);
  const auto equal = [&](const std::string& what, const std::string& value) {
    return fmt::format(fmt::runtime(syntax.equals), what, syntax.compared(value));
  };
  if (spelling.kind == exact)
    return spelling.text.find('\0') != std::string::npos ? "1 = 0" : equal(text, spelling.text);
  if (spelling.kind == any_case) return equal(lower, spelling.text);
  std::vector<std::string> ways = same_in_sql(syntax, text,
                                              spelling.kind == number ? spelling.text
                                              : spelling.kind == yes  ? "1"
                                                                      : "0");
  if (spelling.kind != number) {
    std::vector<std::string> words;
    for (const std::string_view word : spelling.kind == yes ? kYesWords : kNoWords)
      words.push_back(syntax.compared(word));
    ways.push_back(fmt::format(fmt::runtime(syntax.among), lower, fmt::format("{}", fmt::join(words, ", "))));
  }
  return ways.size() == 1 ? ways[0] : fmt::format("({})", fmt::join(ways, " OR "));
}

// PostgreSQL keeps 63 bytes of a name and has no empty one; SQLite and DuckDB do not tell upper from lower case.
std::vector<std::string> column_names(const SqlSyntax& syntax, const std::vector<std::string>& names) {
  std::set<std::string> seen;
  Identifiers identifiers("x_");
  std::vector<std::string> out;
  const auto free = [&](const std::string& name) {
    std::string key = name.substr(0, syntax.kept);
    for (char& c : key)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    return !name.empty() && name.find('\0') == std::string::npos && syntax.can_name(name) && seen.insert(key).second;
  };
  for (const std::string& name : names) {
    if (free(name)) {
      out.push_back(syntax.name(name));
      continue;
    }
    do out.push_back(identifiers.of(name));
    while (!free(out.back()) && (out.pop_back(), true));
  }
  return out;
}

}  // namespace beadwork::exports
