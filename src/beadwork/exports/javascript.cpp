#include <beadwork/exports/branches.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

std::string list(const std::vector<std::string>& names) {
  std::string out = "[";
  for (const std::string& name : names) out += "\n    " + name + ",";
  return out + "\n  ]";
}

}  // namespace

Result<std::string> to_javascript(const Plan& plan) {
  const std::vector<std::string> names = quoted(plan.input_names(), json_string);
  std::vector<std::string> lines = describe(plan, {}, {"null, undefined or NaN", "null or undefined"});
  lines.push_back(
      fmt::format("{}_model.classify(row), .predict(row): row is an object, its keys are the names.", plan.name));
  for (std::string& line : lines)
    line = escaped(line, {{'<', "\\u{3c}"}});  // no </script>, should a page hold the file
  std::string out = comment_lines(lines, "// ");
  out += fmt::format("\"use strict\";\nconst {}_model = (() => {{\n", plan.name);
  out +=
      "  const classes = " + list(quoted(plan.classes(), json_string)) + ";\n  const inputs = " + list(names) + ";\n";
  out +=
      "  const value = (row, name) => (Object.prototype.hasOwnProperty.call(row, name) ? row[name] : "
      "undefined);\n";
  if (plan.raw())
    out +=
        "  const missing = (v) => v === null || v === undefined || Number.isNaN(v);\n"
        "  const atMost = (v, threshold) => !missing(v) && v <= threshold;\n";
  out += "\n";
  BranchSyntax syntax;
  syntax.tests = {names,
                  "value(row, {})",
                  "atMost(value(row, {}), {})",
                  "missing(value(row, {}))",
                  "missing(value(row, {}))",
                  "value(row, {}) === {}",
                  json_string};
  syntax.open = [&](const std::string& name) { return fmt::format("  function {}(row) {{\n", name); };
  syntax.close = "  }\n";
  syntax.indent = 4;
  return out + branches(plan, syntax) +
         fmt::format(
             "\n  const predict = (row) => classes[classify(row)];\n"
             "  return {{ classes, inputs, classify, predict }};\n}})();\n"
             "if (typeof module !== \"undefined\") module.exports = {}_model;\n",
             plan.name);
}

}  // namespace beadwork::exports
