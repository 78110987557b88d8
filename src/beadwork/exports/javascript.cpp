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
                  "holds(value(row, {}))",
                  "atMost(value(row, {}), {})",
                  "noNumber(value(row, {}))",
                  "missing(value(row, {}))",
                  "is(value(row, {}), {})",
                  json_string};
  syntax.tests.any_case = "word(value(row, {}), {})";
  syntax.tests.same_number = "same(value(row, {}), {})";
  syntax.tests.yes = "yes(value(row, {}))";
  syntax.tests.no = "no(value(row, {}))";
  syntax.tests.own = [&plan](const Test& test) -> std::string {
    const InputColumn& column = plan.columns()[test.column];
    if (column.text() || test.kind != TestKind::at_most || column.reading.kind == Reading::Kind::plain) return "";
    return fmt::format("atMost(value(row, {}), {}, true)", json_string(column.name), format_number(test.threshold));
  };
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

constexpr const char* kScriptValues = R"(  const missing = (v) => v === null || v === undefined || Number.isNaN(v);
  // A text is a number only where training had plain numbers.
  const number = (v, typed) => {
    if (typeof v === "number") return v;
    if (typeof v === "bigint" || typeof v === "boolean") return Number(v);
    if (!typed && typeof v === "string" && /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(v)) return Number(v);
    throw new TypeError("expected a number, got " + typeof v);
  };
  const noNumber = (v) => missing(v) || Number.isNaN(number(v));
  const atMost = (v, threshold, typed) => !missing(v) && number(v, typed) <= threshold;
  // A category as text: a whole number by its digits.
  const text = (v) => {
    if (typeof v === "string") return v;
    if (typeof v === "boolean" || typeof v === "bigint") return String(v);
    if (typeof v === "number") return Number.isInteger(v) ? BigInt(v).toString() : String(v);
    throw new TypeError("expected a text, a number or a truth value, got " + typeof v);
  };
  const is = (v, level) => !missing(v) && text(v) === level;
)";

constexpr const char* kScriptWord = R"(  // This word, in whichever case.
  const word = (v, w) => !missing(v) && text(v).toLowerCase() === w;
)";

constexpr const char* kScriptSame = R"(  // The same number: 1, 1.0 and 1.00.
  const same = (v, n) => {
    let rest = missing(v) ? "" : text(v);
    if (n === "0" && rest.startsWith("-")) rest = rest.slice(1);
    if (!rest.startsWith(n)) return false;
    rest = rest.slice(n.length);
    if (!n.includes(".") && rest !== "") {
      if (rest[0] !== ".") return false;
      rest = rest.slice(1);
    }
    return /^0*$/.test(rest);
  };
)";

std::string javascript_comparisons(const Plan& plan) {
  if (!plan.raw())
    return "  const holds = (v) => {\n"
           "    if (v !== true && v !== false && v !== 1 && v !== 0 && v !== 1n && v !== 0n)\n"
           "      throw new TypeError(\"expected 0 or 1\");\n"
           "    return Boolean(v);\n  };\n";
  const Comparisons used = comparisons_of(plan);
  std::string out = kScriptValues;
  if (used.any_case) out += kScriptWord;
  if (used.number) out += kScriptSame;
  const auto truth = [&](const char* what, const char* digit, const auto& words) {
    std::string test = fmt::format("same(v, \"{}\")", digit);
    for (const std::string_view w : words) test += fmt::format(" || word(v, \"{}\")", w);
    out += fmt::format("  const {} = (v) => {};\n", what, test);
  };
  if (used.yes) truth("yes", "1", kYesWords);
  if (used.no) truth("no", "0", kNoWords);
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
  return out + javascript_comparisons(plan) + "\n" + code +
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

Result<std::string> to_javascript(const Ballot& ballot) {
  return javascript_file(ballot.optimum(), code_of(ballot, javascript_language(ballot.optimum())), ballot.plans.size());
}

}  // namespace beadwork::exports
