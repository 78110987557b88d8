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

// MySQL's own comparison does not tell upper from lower case, nor spaces at the end; bytes do. SQL Server's is told to.
const SqlSyntax& syntax_of(SqlDialect dialect) {
  static const SqlSyntax standard{
      "SQLite, PostgreSQL, DuckDB.", sql_name, any_name, sql_string, sql_string, "CAST({} AS DOUBLE PRECISION) <= {}",
      "CAST({} AS VARCHAR) = {}",    63};
  static const SqlSyntax mysql{"MySQL 8.0.17 and later, MariaDB.",
                               in_backticks,
                               mysql_name,
                               backslashed,
                               backslashed,
                               "CAST({} AS DOUBLE) <= {}",
                               "CAST(CONVERT({} USING utf8mb4) AS BINARY) = CAST({} AS BINARY)",
                               64};
  static const SqlSyntax sqlserver{"SQL Server.",
                                   in_brackets,
                                   short_name,
                                   national,
                                   national_ended,
                                   "CAST({} AS DOUBLE PRECISION) <= {}",
                                   "CAST({} AS NVARCHAR(MAX)) + N'.' = {} COLLATE Latin1_General_100_BIN2",
                                   128};
  static const SqlSyntax bigquery{"BigQuery.",
                                  in_backticks,
                                  plain_name,
                                  bigquery_string,
                                  bigquery_string,
                                  "CAST({} AS FLOAT64) <= {}",
                                  "CAST({} AS STRING) = {}",
                                  300};
  static const SqlSyntax snowflake{"Snowflake.",
                                   sql_name,
                                   any_name,
                                   backslashed,
                                   backslashed,
                                   "CAST({} AS DOUBLE) <= {}",
                                   "CAST({} AS VARCHAR) = {}",
                                   255};
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
