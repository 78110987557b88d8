#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/numbers.hpp>
#include <beadwork/exports/sql_dialect.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

// With an exponent a number is a double to DuckDB, without one a decimal.
std::string double_literal(double value) {
  std::string text = format_number(value);
  return text.find('e') == std::string::npos ? text + "e0" : text;
}

// Comment and tests, alike for a model and for a committee.
struct SqlText {
  std::string head;
  TestSyntax tests;
  std::vector<std::string> labels;  // of the classes
};

SqlText sql_of(const Plan& plan, const std::string& use) {
  const SqlSyntax& syntax = syntax_of(plan.options.dialect);
  const std::string nan_too =
      fmt::format("({{0}} IS NULL OR LOWER({}) = 'nan')", fmt::format(fmt::runtime(syntax.as_text), "{0}"));
  std::vector<std::string> columns = column_names(syntax, plan.input_names());
  std::vector<std::string> lines = describe(plan, columns, {"NULL", "NULL"});
  for (std::string& line : lines) line = printable(line, line.size());
  lines.push_back(use);
  lines.emplace_back(syntax.databases);
  SqlText out{comment_lines(lines, "-- "),
              {std::move(columns), "{} = 1", syntax.at_most, syntax.nan ? nan_too : "{} IS NULL", "{} IS NULL", "",
               syntax.compared, "", double_literal, " OR "},
              {}};
  out.tests.both = " AND ";
  out.tests.negated = "NOT ({})";
  out.tests.spelled = [&syntax](const std::string& input, const Spelling& s) {
    return spelled_in_sql(syntax, input, s);
  };
  for (const std::string& name : plan.classes()) out.labels.push_back(syntax.text(name));
  return out;
}

// A WHEN a path, those through the high edge of a node before those through its low one. A row that comes to a path
// that goes low at a node did not match what that node's high edge leads to, so its test did not hold: only the tests
// that hold need be written. A test of NULL is not true and does not match: a missing value fails, as it should.
// (Nested CASEs overflow SQLite's parser at some thirty levels.)
template <class Answer>
std::string cases(const Plan& plan, const TestSyntax& syntax, Answer answer, std::string_view line) {
  if (plan.diagram.num_paths() == 1) return answer(0);
  std::string out = "CASE";
  for (std::uint64_t p = plan.diagram.num_paths() - 1; p > 0; --p) {
    std::vector<std::string> tests;
    for (const Diagram::Step& step : plan.diagram.path(p).steps)
      if (step.passed) tests.push_back(condition(plan, syntax, plan.diagram[step.node].feature));
    out += fmt::format("{}  WHEN {} THEN {}", line, fmt::join(tests, " AND "), answer(p));
  }
  return fmt::format("{}{}  ELSE {}{}END", out, line, answer(0), line);
}

std::string class_cases(const Plan& plan, const SqlText& sql) {
  const auto label = [&](std::uint64_t p) {
    return sql.labels[plan.answer(plan.diagram[plan.diagram.path(p).sink])()];
  };
  return cases(plan, sql.tests, label, "\n");
}

// The class and the shares, as items of a SELECT.
std::string items(const Plan& plan, const SqlText& sql) {
  std::string out = class_cases(plan, sql) + " AS prediction";
  if (!plan.options.probabilities) return out;
  const std::vector<std::vector<double>> shares = shares_of_paths(plan);
  const std::vector<std::string> names = Identifiers("p_").of(plan.classes());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto share = [&](std::uint64_t p) { return double_literal(shares[p][k]); };
    out += ",\n" + cases(plan, sql.tests, share, "\n") + " AS " + names[k];
  }
  return out;
}

// The votes are a table of their own. VALUES, because SQLite takes 500 SELECTs in a UNION at most; a SELECT first,
// because it names the columns everywhere.
std::string vote_of(const Ballot& ballot, const SqlText& sql) {
  std::string out = "(SELECT CASE answer";
  for (std::size_t k = 0; k < sql.labels.size(); ++k) out += fmt::format("\n  WHEN {} THEN {}", k, sql.labels[k]);
  out += "\nEND FROM (";
  for (std::size_t i = 0; i < ballot.plans.size(); ++i) {
    const Plan& plan = ballot.plans[i];
    const auto index = [&](std::uint64_t p) {
      return fmt::format("{}", plan.answer(plan.diagram[plan.diagram.path(p).sink])());
    };
    const std::string one = cases(plan, sql.tests, index, "\n   ");
    if (i == 0) out += fmt::format("\n  SELECT 3 AS weight, {} AS answer", one);
    if (i > 0) out += fmt::format("{}({}, {})", i == 1 ? "\n  UNION ALL VALUES\n   " : ",\n   ", 2, one);
  }
  return out + "\n) AS votes GROUP BY answer ORDER BY SUM(weight) DESC, answer LIMIT 1)";
}

// Bytes of the tests: each path has one for each node where it goes high.
std::uint64_t bytes_of_cases(const Plan& plan, const TestSyntax& syntax) {
  std::vector<std::uint64_t> bytes(plan.diagram.size());
  for (std::size_t n = plan.diagram.size(); n-- > 0;) {
    const DiagramNode& node = plan.diagram.nodes()[n];
    if (node.sink) continue;
    constexpr std::uint64_t kAnd = 5;
    const std::uint64_t test = condition(plan, syntax, node.feature).size() + kAnd;
    bytes[n] = bytes[node.low()] + bytes[node.high()] + test * plan.diagram.num_paths(node.high);
  }
  return bytes[0];
}

Status check_bytes(std::uint64_t bytes, std::string_view format) {
  constexpr std::uint64_t kMost = 16'000'000;
  if (bytes <= kMost) return Done{};
  return option_error(fmt::format("{} has no shared nodes: all paths of this diagram, with their tests, would take {} "
                                  "MB; the limit is {} MB",
                                  format, bytes / 1'000'000, kMost / 1'000'000),
                      "to");
}

Status check_sql(const Plan& plan, std::string_view format) {
  if (auto nul = nul_in_classes(plan, format)) return *std::move(nul);
  const std::uint64_t times = plan.options.probabilities ? 1 + plan.classes().size() : 1;
  const std::uint64_t bytes = bytes_of_cases(plan, sql_of(plan, "").tests);
  return check_bytes(bytes * times, format);
}

Status check_sql(const Ballot& ballot, std::string_view format) {
  if (auto nul = nul_in_classes(ballot.optimum(), format)) return *std::move(nul);
  const SqlText sql = sql_of(ballot.optimum(), "");
  std::uint64_t bytes = 0;
  for (const Plan& plan : ballot.plans) bytes += bytes_of_cases(plan, sql.tests);
  return check_bytes(bytes, format);
}

constexpr const char* kOne = "One expression, the class as text: SELECT (this file) FROM your_table.";
constexpr const char* kItems = "The class as text, and the shares of the classes: SELECT this file FROM your_table.";
constexpr const char* kDbt = "A model for dbt: all columns of the rows, and the class as text.";

std::string words_of_vote(const Ballot& ballot) {
  return fmt::format(
      "-- A vote of {} diagrams; a tie goes to the first one's answer, or else to the first of the tied "
      "classes.\n",
      ballot.plans.size());
}

// dbt reads {{, {% and {# wherever they stand.
std::string for_dbt(const std::string& head, const std::string& list, const std::string& name) {
  const auto safe = [](const std::string& text) { return escaped(text, {{'{', "{{ '{' }}"}}); };
  return fmt::format("{0}SELECT\n{2}_rows.*,\n{1}\nFROM {{{{ ref('{2}_rows') }}}} AS {2}_rows\n", safe(head),
                     safe(list), name);
}

}  // namespace

Result<std::string> to_sql(const Plan& plan) {
  if (const auto fits = check_sql(plan, "sql"); !fits) return fits.error();
  const SqlText sql = sql_of(plan, plan.options.probabilities ? kItems : kOne);
  return sql.head + (plan.options.probabilities ? items(plan, sql) : class_cases(plan, sql)) + "\n";
}

Result<std::string> to_sql(const Ballot& ballot) {
  if (const auto fits = check_sql(ballot, "sql"); !fits) return fits.error();
  const SqlText sql = sql_of(ballot.optimum(), kOne);
  return sql.head + words_of_vote(ballot) + vote_of(ballot, sql) + "\n";
}

Result<std::string> to_dbt(const Plan& plan) {
  if (const auto fits = check_sql(plan, "dbt"); !fits) return fits.error();
  const SqlText sql = sql_of(plan, kDbt);
  return for_dbt(sql.head, items(plan, sql), plan.name);
}

Result<std::string> to_dbt(const Ballot& ballot) {
  if (const auto fits = check_sql(ballot, "dbt"); !fits) return fits.error();
  const SqlText sql = sql_of(ballot.optimum(), kDbt);
  return for_dbt(sql.head + words_of_vote(ballot), vote_of(ballot, sql) + " AS prediction", ballot.optimum().name);
}

}  // namespace beadwork::exports
