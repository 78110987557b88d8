#include <beadwork/exports/code.hpp>
#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/numbers.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork::exports {
namespace {

bool borrows(const Plan& plan) {
  return plan.raw() && std::any_of(plan.columns().begin(), plan.columns().end(),
                                   [](const InputColumn& column) { return column.text(); });
}

std::string rust_row(const Plan& plan, const std::vector<std::string>& ids) {
  const std::vector<std::string> names = plan.input_names();
  std::string out =
      fmt::format("#[allow(non_snake_case)]\n#[derive(Clone, Copy, Debug, Default, PartialEq)]\npub struct Row{} {{\n",
                  borrows(plan) ? "<'a>" : "");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool text = plan.raw() && plan.columns()[i].text();
    out += fmt::format("    pub {}: {}, // {}\n", ids[i],
                       text         ? "Option<&'a str>"
                       : plan.raw() ? "Option<f64>"
                                    : "bool",
                       in_quotes(names[i]));
  }
  return out + "}\n";
}

std::string rust_votes(const std::vector<std::string>& members, bool probabilities, std::size_t classes) {
  std::string out =
      fmt::format("pub fn votes(row: &Row) -> [usize; {}] {{\n    let mut out = [0; {}];\n", classes, classes);
  for (const std::string& member : members) out += fmt::format("    out[{}(row)] += 1;\n", member);
  out +=
      "    out\n}\n\n"
      "pub fn classify(row: &Row) -> usize {\n"
      "    let counts = votes(row);\n"
      "    let mut best = member_0(row);\n"
      "    for k in 0..counts.len() {\n"
      "        if counts[k] > counts[best] {\n            best = k;\n        }\n"
      "    }\n    best\n}\n";
  if (!probabilities) return out;
  return out + fmt::format(
                   "\npub fn probabilities(row: &Row) -> [f64; {}] {{\n"
                   "    votes(row).map(|count| count as f64 / {}.0)\n}}\n",
                   classes, members.size());
}

std::string rust_comparisons(const Plan& plan) {
  const Comparisons used = comparisons_of(plan);
  std::string out;
  if (used.any_case)
    out +=
        "// This word, in whichever case.\n"
        "fn word(value: Option<&str>, word: &str) -> bool {\n"
        "    value.map_or(false, |v| v.eq_ignore_ascii_case(word))\n}\n\n";
  if (used.number)
    out +=
        "// The same number: 1, 1.0 and 1.00.\n"
        "fn same(value: Option<&str>, number: &str) -> bool {\n"
        "    let v = value.unwrap_or(\"\");\n"
        "    let v = if number == \"0\" { v.strip_prefix('-').unwrap_or(v) } else { v };\n"
        "    match v.strip_prefix(number) {\n"
        "        None => false,\n"
        "        Some(\"\") => true,\n"
        "        Some(rest) => {\n"
        "            let zeros = if number.contains('.') { Some(rest) } else { rest.strip_prefix('.') };\n"
        "            zeros.map_or(false, |z| z.bytes().all(|b| b == b'0'))\n"
        "        }\n"
        "    }\n}\n\n";
  const auto truth = [&](const char* what, const char* digit, const auto& words) {
    std::string test = fmt::format("same(value, \"{}\")", digit);
    for (const std::string_view word : words) test += fmt::format(" || word(value, \"{}\")", word);
    out += fmt::format("fn {}(value: Option<&str>) -> bool {{\n    {}\n}}\n\n", what, test);
  };
  if (used.yes) truth("yes", "1", kYesWords);
  if (used.no) truth("no", "0", kNoWords);
  return out;
}

CodeLanguage rust_language(const Plan& plan) {
  CodeLanguage out;
  const std::size_t classes = plan.classes().size();
  BranchSyntax& syntax = out.syntax;
  syntax.tests = {input_identifiers(plan),
                  "row.{}",
                  "matches!(row.{}, Some(v) if v <= {})",
                  "row.{}.map_or(true, f64::is_nan)",
                  "row.{}.is_none()",
                  "row.{} == Some({})",
                  rust_string,
                  {},
                  real_literal};
  syntax.tests.any_case = "word(row.{}, {})";
  syntax.tests.same_number = "same(row.{}, {})";
  syntax.tests.yes = "yes(row.{})";
  syntax.tests.no = "no(row.{})";
  syntax.tests.bare = true;
  syntax.if_open = "if ";
  syntax.then = " {";
  syntax.or_else_if = "} else if ";
  syntax.indent = syntax.step = 4;
  out.open = [](const std::string& name, CodeLanguage::Returns, bool reads_row) {
    return fmt::format("{}fn {}({}: &Row) -> usize {{\n", name == "classify" ? "pub " : "", name,
                       reads_row ? "row" : "_row");
  };
  out.shares = [classes](const std::vector<std::string>& lists) {
    return fmt::format(
        "static SHARES: [[f64; {0}]; {1}] = [\n    [{2}],\n];\n\n"
        "pub fn probabilities(row: &Row) -> [f64; {0}] {{\n    SHARES[path(row)]\n}}\n",
        classes, lists.size(), fmt::join(lists, "],\n    ["));
  };
  out.vote = [&plan, classes](const std::vector<std::string>& members) {
    return rust_votes(members, plan.options.probabilities, classes);
  };
  return out;
}

std::string rust_file(const Plan& plan, const std::string& code, std::size_t members) {
  const std::vector<std::string> ids = input_identifiers(plan);
  std::vector<std::string> lines = describe(plan, ids, {"None or NaN", "None"});
  lines.emplace_back("A Rust module. classify returns the index of the class.");
  if (members > 0) lines.push_back(words_of_ballot(members));
  return comment_lines(lines, "// ") +
         fmt::format("\npub static CLASSES: [&str; {}] = [\n    {},\n];\n\n", plan.classes().size(),
                     fmt::join(quoted(plan.classes(), rust_string), ",\n    ")) +
         rust_row(plan, ids) + "\n" + rust_comparisons(plan) + code;
}

}  // namespace

Result<std::string> to_rust(const Plan& plan) {
  return rust_file(plan, code_of(plan, rust_language(plan)), 0);
}

Result<std::string> to_rust(const Ballot& ballot) {
  return rust_file(ballot.optimum(), code_of(ballot, rust_language(ballot.optimum())), ballot.plans.size());
}

}  // namespace beadwork::exports
