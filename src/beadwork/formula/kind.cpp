#include <beadwork/formula.hpp>

#include <algorithm>

namespace beadwork {
namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  return line;
}

bool called(std::string_view path, std::string_view ending) {
  for (const std::string_view packed : {".gz", ".xz", ".zst"})
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  return path.ends_with(ending);
}

bool is_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

FormulaKind kind_of(std::string_view text, std::string_view path) {
  bool bare = false;       // a list of clauses, with no header
  bool no_weight = false;  // a line begins with what can be no weight
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.empty() || line[0] == 'c') continue;
    const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
    if (!bare) {
      if (word == "p") return line.find("wcnf") == std::string_view::npos ? FormulaKind::cnf : FormulaKind::wcnf;
      if (line[0] == '*' || line[0] == '+' || line.find_first_of("=:;~x") != std::string_view::npos)
        return FormulaKind::opb;
      if (word != "h" && !is_number(word)) return called(path, ".cnf") ? FormulaKind::cnf : FormulaKind::wcnf;
      bare = true;
    }
    if (word == "h") return FormulaKind::wcnf;
    no_weight = no_weight || word.starts_with('-') || word == "0";
  }
  if (!bare) return FormulaKind::cnf;
  if (called(path, ".wcnf")) return FormulaKind::wcnf;
  return no_weight || called(path, ".cnf") ? FormulaKind::headerless_cnf : FormulaKind::wcnf;
}

}  // namespace beadwork
