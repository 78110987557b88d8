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

// Comment and tests, alike for a model and for a committee.
struct SqlText {
  std::string head;
  TestSyntax tests;
};

SqlText sql_of(const Plan& plan) {
  std::vector<std::string> columns = column_names(plan.input_names());
  std::vector<std::string> lines = describe(plan, columns, {"NULL", "NULL"});
  for (std::string& line : lines) line = printable(line, line.size());
  lines.emplace_back("One expression, the class as text: SELECT (this file) FROM your_table.");
  lines.emplace_back("SQLite, PostgreSQL, DuckDB.");
  return {comment_lines(lines, "-- "),
          {std::move(columns), "{} = 1", "CAST({} AS DOUBLE PRECISION) <= {}", "{} IS NULL", "{} IS NULL",
           "CAST({} AS VARCHAR) = {}", sql_string, "1 = 0", double_literal, " OR "}};
}

// A WHEN a path, those through the high edge of a node before those through its low one. Whoever comes to a path that
// goes low at a node did not match what that node's high edge leads to, so its test did not hold: only the tests that
// hold need be written. A test of NULL is not true and does not match: a missing value fails, as it should. (Nested
// CASEs overflow SQLite's parser at some thirty levels.)
template <class Answer>
std::string cases(const Plan& plan, const TestSyntax& syntax, Answer answer, std::string_view line) {
  const auto at = [&](std::uint64_t p) { return answer(plan.answer(plan.diagram[plan.diagram.path(p).sink])); };
  if (plan.diagram.num_paths() == 1) return at(0);
  std::string out = "CASE";
  for (std::uint64_t p = plan.diagram.num_paths() - 1; p > 0; --p) {
    std::vector<std::string> tests;
    for (const Diagram::Step& step : plan.diagram.path(p).steps)
      if (step.passed) tests.push_back(condition(plan, syntax, plan.diagram[step.node].feature));
    out += fmt::format("{}  WHEN {} THEN {}", line, fmt::join(tests, " AND "), at(p));
  }
  return fmt::format("{}{}  ELSE {}{}END", out, line, at(0), line);
}

}  // namespace

Result<std::string> to_sql(const Plan& plan) {
  const SqlText sql = sql_of(plan);
  return sql.head +
         cases(
             plan, sql.tests, [&](Class k) { return label(plan.classes()[k()]); }, "\n") +
         "\n";
}

// The votes are a table of their own. VALUES, because SQLite takes 500 SELECTs in a UNION at most; a SELECT first,
// because it names the columns everywhere.
std::string to_sql(const Ballot& ballot) {
  const SqlText sql = sql_of(ballot.optimum());
  const auto index = [](Class k) { return fmt::format("{}", k()); };
  std::string out = sql.head + "-- A vote of " + fmt::format("{}", ballot.plans.size()) +
                    " diagrams; a tie goes to the first one's answer, or else to the first of the tied classes.\n";
  out += "(SELECT CASE answer";
  const std::vector<std::string>& classes = ballot.optimum().classes();
  for (std::size_t k = 0; k < classes.size(); ++k) out += fmt::format("\n  WHEN {} THEN {}", k, label(classes[k]));
  out += "\nEND FROM (";
  for (std::size_t i = 0; i < ballot.plans.size(); ++i) {
    const std::string one = cases(ballot.plans[i], sql.tests, index, "\n   ");
    if (i == 0) out += fmt::format("\n  SELECT 3 AS weight, {} AS answer", one);
    if (i > 0) out += fmt::format("{}({}, {})", i == 1 ? "\n  UNION ALL VALUES\n   " : ",\n   ", 2, one);
  }
  return out + "\n) AS votes GROUP BY answer ORDER BY SUM(weight) DESC, answer LIMIT 1)\n";
}

}  // namespace beadwork::exports
