#include <beadwork/exports/code.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

std::string list(const std::vector<std::string>& names) {
  std::string out = "[";
  for (const std::string& name : names) out += "\n    " + name + ",";
  return out + "\n  ]";
}

std::string javascript_votes(const std::vector<std::string>& members, bool probabilities, std::size_t classes) {
  std::string out = fmt::format(
      "  function votes(row) {{\n    const out = new Array({}).fill(0);\n"
      "    for (const member of [{}]) out[member(row)] += 1;\n    return out;\n  }}\n\n"
      "  function classify(row) {{\n"
      "    const counts = votes(row), most = Math.max(...counts), best = member_0(row);\n"
      "    return counts[best] === most ? best : counts.indexOf(most);\n  }}\n",
      classes, fmt::join(members, ", "));
  if (!probabilities) return out;
  return out +
         fmt::format("\n  const probabilities = (row) => votes(row).map((count) => count / {});\n", members.size());
}

CodeLanguage javascript_language(const Plan& plan) {
  CodeLanguage out;
  BranchSyntax& syntax = out.syntax;
  syntax.tests = {quoted(plan.input_names(), json_string),
                  "value(row, {})",
                  "atMost(value(row, {}), {})",
                  "missing(value(row, {}))",
                  "missing(value(row, {}))",
                  "value(row, {}) === {}",
                  json_string};
  syntax.close = "  }\n";
  syntax.indent = 4;
  out.open = [](const std::string& name, CodeLanguage::Returns, bool) {
    return fmt::format("  function {}(row) {{\n", name);
  };
  out.shares = [](const std::vector<std::string>& lists) {
    return fmt::format(
        "  const shares = [\n    [{}],\n  ];\n"
        "  const probabilities = (row) => shares[path(row)].slice();\n",
        fmt::join(lists, "],\n    ["));
  };
  out.vote = [&plan](const std::vector<std::string>& members) {
    return javascript_votes(members, plan.options.probabilities, plan.classes().size());
  };
  return out;
}

std::string javascript_file(const Plan& plan, const std::string& code, std::size_t members) {
  const std::vector<std::string> names = quoted(plan.input_names(), json_string);
  std::vector<std::string> lines = describe(plan, {}, {"null, undefined or NaN", "null or undefined"});
  lines.push_back(
      fmt::format("{}_model.classify(row), .predict(row): row is an object, its keys are the names.", plan.name));
  if (members > 0) lines.push_back(words_of_ballot(members));
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
  return out + "\n" + code +
         fmt::format(
             "\n  const predict = (row) => classes[classify(row)];\n"
             "  return {{ classes, inputs, classify, predict{} }};\n}})();\n"
             "if (typeof module !== \"undefined\") module.exports = {}_model;\n",
             plan.options.probabilities ? ", probabilities" : "", plan.name);
}

}  // namespace

Result<std::string> to_javascript(const Plan& plan) {
  return javascript_file(plan, code_of(plan, javascript_language(plan)), 0);
}

std::string to_javascript(const Ballot& ballot) {
  return javascript_file(ballot.optimum(), code_of(ballot, javascript_language(ballot.optimum())), ballot.plans.size());
}

}  // namespace beadwork::exports
