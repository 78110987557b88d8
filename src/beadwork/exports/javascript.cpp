#include <beadwork/exports/branches.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

std::string javascript_condition(const Plan& plan, Feature f) {
  if (!plan.raw()) return fmt::format("value(row, {})", json_string(plan.binarizer.feature_name(f)));
  const Test& test = plan.tests()[f()];
  const std::string name = json_string(plan.columns()[test.column].name);
  switch (test.kind) {
    case TestKind::at_most:
      return fmt::format("atMost(value(row, {}), {})", name, format_number(test.threshold));
    case TestKind::missing:
      return fmt::format("missing(value(row, {}))", name);
    case TestKind::equals:
      break;
  }
  return fmt::format("value(row, {}) === {}", name, json_string(test.level));
}

std::string list(const std::vector<std::string>& names) {
  std::string out = "[";
  for (const std::string& name : names) out += "\n    " + json_string(name) + ",";
  return out + "\n  ]";
}

// </script> and <!-- would act where the file is put into a page.
std::string without_tags(std::string_view line) {
  std::string out;
  for (const char c : line) out += c == '<' ? std::string("\\u{3c}") : std::string(1, c);
  return out;
}

}  // namespace

Result<std::string> to_javascript(const Plan& plan) {
  std::vector<std::string> lines = describe(plan, {}, {"null, undefined or NaN", "null or undefined"});
  lines.push_back(
      fmt::format("{}_model.classify(row), .predict(row): row is an object, its keys are the names.", plan.name));
  for (std::string& line : lines) line = without_tags(line);
  std::string out = comment_lines(lines, "// ");
  out += fmt::format("\"use strict\";\nconst {}_model = (() => {{\n", plan.name);
  out += "  const classes = " + list(plan.classes()) + ";\n  const inputs = " + list(plan.input_names()) + ";\n";
  out +=
      "  const value = (row, name) => (Object.prototype.hasOwnProperty.call(row, name) ? row[name] : "
      "undefined);\n";
  if (plan.raw())
    out +=
        "  const missing = (v) => v === null || v === undefined || Number.isNaN(v);\n"
        "  const atMost = (v, threshold) => !missing(v) && v <= threshold;\n";
  out += "\n";
  BranchSyntax syntax;
  syntax.condition = [&](Feature f) { return javascript_condition(plan, f); };
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
