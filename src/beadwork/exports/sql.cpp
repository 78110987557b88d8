#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

#include <set>

namespace beadwork::exports {
namespace {

// PostgreSQL keeps 63 bytes of a name and has no empty one; SQLite and DuckDB do not tell upper from lower case. A name
// that one of them could not tell from another gives way to an identifier.
std::vector<std::string> column_names(const std::vector<std::string>& names) {
  constexpr std::size_t kKept = 63;
  std::set<std::string> seen;
  Identifiers identifiers("x_");
  std::vector<std::string> out;
  const auto free = [&](const std::string& name) {
    std::string key = name.substr(0, kKept);
    for (char& c : key)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    return !name.empty() && name.find('\0') == std::string::npos && seen.insert(key).second;
  };
  for (const std::string& name : names) {
    if (free(name)) {
      out.push_back(sql_name(name));
      continue;
    }
    do out.push_back(identifiers.of(name));
    while (!free(out.back()) && (out.pop_back(), true));
  }
  return out;
}

// With an exponent a number is a double to DuckDB, without one a decimal.
std::string double_literal(double value) {
  std::string text = format_number(value);
  return text.find('e') == std::string::npos ? text + "e0" : text;
}

std::string label(const std::string& name) {
  return sql_string(name.substr(0, name.find('\0')));
}

}  // namespace

// A WHEN a path, those through the high edge of a node before those through its low one. Whoever comes to a path that
// goes low at a node did not match what that node's high edge leads to, so its test did not hold: only the tests that
// hold need be written. A test of NULL is not true and does not match: a missing value fails, as it should. (Nested
// CASEs overflow SQLite's parser at some thirty levels.)
Result<std::string> to_sql(const Plan& plan) {
  const std::vector<std::string> columns = column_names(plan.input_names());
  std::vector<std::string> lines = describe(plan, columns, {"NULL", "NULL"});
  for (std::string& line : lines) line = printable(line, line.size());
  lines.emplace_back("One expression, the class as text: SELECT (this file) FROM your_table.");
  lines.emplace_back("SQLite, PostgreSQL, DuckDB.");
  std::string out = comment_lines(lines, "-- ");
  const TestSyntax syntax{columns,      "{} = 1",     "CAST({} AS DOUBLE PRECISION) <= {}",
                          "{} IS NULL", "{} IS NULL", "CAST({} AS VARCHAR) = {}",
                          sql_string,   "1 = 0",      double_literal,
                          " OR "};
  const auto answer = [&](Node sink) { return label(plan.classes()[plan.answer(plan.diagram[sink])()]); };
  if (plan.diagram.num_paths() == 1) return out + answer(Node{0}) + "\n";
  out += "CASE";
  for (std::uint64_t p = plan.diagram.num_paths() - 1; p > 0; --p) {
    const Diagram::Path path = plan.diagram.path(p);
    std::vector<std::string> tests;
    for (const Diagram::Step& step : path.steps)
      if (step.passed) tests.push_back(condition(plan, syntax, plan.diagram[step.node].feature));
    out += fmt::format("\n  WHEN {} THEN {}", fmt::join(tests, " AND "), answer(path.sink));
  }
  return out + "\n  ELSE " + answer(plan.diagram.path(0).sink) + "\nEND\n";
}

}  // namespace beadwork::exports
