#include <beadwork/exports/branches.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
// The first two lines are fixed: Python would read a name there as the file's encoding.
Result<std::string> to_python(const Plan& plan) {
  std::vector<std::string> lines = describe(plan, {}, {"None or NaN", "None or NaN"});
  lines.insert(lines.begin() + 1, "classify(row) and predict(row) take a mapping from names to values.");
  const std::vector<std::string> names = quoted(plan.input_names(), python_string);
  std::string out = comment_lines(lines, "# ") + "\nCLASSES = (";
  for (const std::string& name : plan.classes()) out += "\n    " + python_string(name) + ",";
  out += "\n)\nINPUTS = (";
  for (const std::string& name : names) out += "\n    " + name + ",";
  out += "\n)\n\n\n";
  if (plan.raw())
    out +=
        "def _missing(value):\n    return value is None or value != value\n\n\n"
        "def _at_most(value, threshold):\n    return value is not None and value <= threshold\n\n\n";
  BranchSyntax syntax;
  syntax.tests = {names,
                  "row[{}]",
                  "_at_most(row.get({}), {})",
                  "_missing(row.get({}))",
                  "_missing(row.get({}))",
                  "row.get({}) == {}",
                  python_string,
                  {},
                  format_number,
                  " or "};
  syntax.open = [&](const std::string& name) {
    return fmt::format("def {}(row):\n{}", name,
                       name == "classify" ? "    \"\"\"The index of the class of a row.\"\"\"\n" : "");
  };
  syntax.close = "\n";
  syntax.if_open = "if ";
  syntax.then = ":";
  syntax.or_else_if = "elif ";
  syntax.or_else = "else:";
  syntax.end = syntax.end_of_statement = "";
  syntax.others = "_node_";
  syntax.indent = syntax.step = 4;
  return out + branches(plan, syntax) +
         "\ndef predict(row):\n    \"\"\"The class of a row.\"\"\"\n    return CLASSES[classify(row)]\n";
}

}  // namespace beadwork::exports
