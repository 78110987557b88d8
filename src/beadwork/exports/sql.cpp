#include <fmt/format.h>

#include <beadwork/exports/formats.hpp>
#include <set>

namespace beadwork::exports {
namespace {

// PostgreSQL keeps 63 bytes of a name and has no empty one; SQLite and DuckDB do not tell upper from lower case. A name that
// one of them could not tell from another gives way to an identifier.
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

std::string condition(const Plan& plan, const std::vector<std::string>& columns, Feature f) {
  if (!plan.raw()) return columns[f()] + " = 1";
  const Test& test = plan.tests()[f()];
  const std::string& name = columns[test.column];
  switch (test.kind) {
    case TestKind::at_most:
      return fmt::format("CAST({} AS DOUBLE PRECISION) <= CAST({} AS DOUBLE PRECISION)", name,
                         format_number(test.threshold));
    case TestKind::missing:
      return name + " IS NULL";
    case TestKind::equals:
      break;
  }
  if (test.level.find('\0') != std::string::npos) return "1 = 0";  // no text of theirs holds a NUL
  return fmt::format("CAST({} AS VARCHAR) = {}", name, sql_string(test.level));
}

std::string label(const std::string& name) {
  return sql_string(name.substr(0, name.find('\0')));
}

}  // namespace

// A test of NULL is neither true nor false, and CASE goes on to ELSE: a missing value fails, as it should.
Result<std::string> to_sql(const Plan& plan) {
  const std::vector<std::string> columns = column_names(plan.input_names());
  std::vector<std::string> lines = describe(plan, columns, {"NULL", "NULL"});
  for (std::string& line : lines) line = printable(line, line.size());
  lines.emplace_back("One expression, the class as text: SELECT (this file) FROM your_table.");
  lines.emplace_back("SQLite, PostgreSQL, DuckDB.");
  std::string out = comment_lines(lines, "-- ");
  struct Piece {
    Node node;
    std::size_t level = 0;
    std::string text;  // instead of a node
  };
  std::vector<Piece> todo{{Node{0}, 0, ""}};
  while (!todo.empty()) {
    const Piece piece = std::move(todo.back());
    todo.pop_back();
    const DiagramNode& node = plan.diagram[piece.node];
    if (!piece.text.empty()) {
      out += piece.text;
    } else if (node.sink) {
      out += label(plan.classes()[plan.answer(node)()]);
    } else {
      const std::string line = fmt::format("\n{:{}}", "", 2 * piece.level);
      out += "CASE WHEN " + condition(plan, columns, node.feature) + line + "THEN ";
      todo.push_back({{}, 0, line + "END"});
      todo.push_back({node.low, piece.level + 1, ""});
      todo.push_back({{}, 0, line + "ELSE "});
      todo.push_back({node.high, piece.level + 1, ""});
    }
  }
  return out + "\n";
}

}  // namespace beadwork::exports
