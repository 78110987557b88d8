#include <beadwork/exports/code.hpp>
#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/numbers.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

// Other packages see what begins with a capital.
std::vector<std::string> go_identifiers(const Plan& plan) {
  return Identifiers("X_").of(plan.input_names());
}

std::string go_row(const Plan& plan, const std::vector<std::string>& ids) {
  const std::vector<std::string> names = plan.input_names();
  std::string out = "type Row struct {\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool text = plan.raw() && plan.columns()[i].text();
    out += fmt::format("\t{} {} // {}\n", ids[i],
                       text         ? "*string"
                       : plan.raw() ? "float64"
                                    : "bool",
                       in_quotes(names[i]));
  }
  return out + "}\n";
}

std::string go_votes(const std::vector<std::string>& members, bool probabilities, std::size_t classes) {
  std::string out = fmt::format("func Votes(row *Row) (out [{}]int) {{\n", classes);
  for (const std::string& member : members) out += fmt::format("\tout[{}(row)]++\n", member);
  out +=
      "\treturn out\n}\n\n"
      "func Classify(row *Row) int {\n"
      "\tcounts := Votes(row)\n"
      "\tbest := member_0(row)\n"
      "\tfor k := range counts {\n\t\tif counts[k] > counts[best] {\n\t\t\tbest = k\n\t\t}\n\t}\n"
      "\treturn best\n}\n";
  if (!probabilities) return out;
  return out + fmt::format(
                   "\nfunc Probabilities(row *Row) (out [{}]float64) {{\n"
                   "\tfor k, count := range Votes(row) {{\n\t\tout[k] = float64(count) / {}\n\t}}\n"
                   "\treturn out\n}}\n",
                   classes, members.size());
}

std::string go_comparisons(const Plan& plan) {
  const Comparisons used = comparisons_of(plan);
  std::string out = "\nfunc is(value *string, level string) bool {\n\treturn value != nil && *value == level\n}\n\n";
  if (used.any_case)
    out +=
        "// This word, in whichever case.\n"
        "func word(value *string, word string) bool {\n"
        "\tif value == nil || len(*value) != len(word) {\n\t\treturn false\n\t}\n"
        "\tfor i := 0; i < len(word); i++ {\n"
        "\t\tc := (*value)[i]\n"
        "\t\tif c >= 'A' && c <= 'Z' {\n\t\t\tc += 'a' - 'A'\n\t\t}\n"
        "\t\tif c != word[i] {\n\t\t\treturn false\n\t\t}\n"
        "\t}\n\treturn true\n}\n\n";
  if (used.number)
    out +=
        "// The same number: 1, 1.0 and 1.00.\n"
        "func same(value *string, number string) bool {\n"
        "\tif value == nil {\n\t\treturn false\n\t}\n"
        "\trest := *value\n"
        "\tif number == \"0\" && len(rest) > 0 && rest[0] == '-' {\n\t\trest = rest[1:]\n\t}\n"
        "\tif len(rest) < len(number) || rest[:len(number)] != number {\n\t\treturn false\n\t}\n"
        "\trest = rest[len(number):]\n"
        "\tpoint := false\n"
        "\tfor i := 0; i < len(number); i++ {\n\t\tpoint = point || number[i] == '.'\n\t}\n"
        "\tif !point && len(rest) > 0 {\n"
        "\t\tif rest[0] != '.' {\n\t\t\treturn false\n\t\t}\n"
        "\t\trest = rest[1:]\n\t}\n"
        "\tfor i := 0; i < len(rest); i++ {\n\t\tif rest[i] != '0' {\n\t\t\treturn false\n\t\t}\n\t}\n"
        "\treturn true\n}\n\n";
  const auto truth = [&](const char* what, const char* digit, const auto& words) {
    std::string test = fmt::format("same(value, \"{}\")", digit);
    for (const std::string_view word : words) test += fmt::format(" || word(value, \"{}\")", word);
    out += fmt::format("func {}(value *string) bool {{\n\treturn {}\n}}\n\n", what, test);
  };
  if (used.yes) truth("yes", "1", kYesWords);
  if (used.no) truth("no", "0", kNoWords);
  return out;
}

CodeLanguage go_language(const Plan& plan) {
  CodeLanguage out;
  const std::size_t classes = plan.classes().size();
  BranchSyntax& syntax = out.syntax;
  syntax.tests = {go_identifiers(plan), "row.{}",         "row.{} <= {}", "row.{0} != row.{0}",
                  "row.{} == nil",      "is(row.{}, {})", go_string,      {},
                  real_literal};
  syntax.tests.any_case = "word(row.{}, {})";
  syntax.tests.same_number = "same(row.{}, {})";
  syntax.tests.yes = "yes(row.{})";
  syntax.tests.no = "no(row.{})";
  syntax.tests.bare = true;
  syntax.if_open = "if ";
  syntax.then = " {";
  syntax.or_else_if = "} else if ";
  syntax.end_of_statement = "";
  syntax.space = '\t';
  syntax.indent = syntax.step = 1;
  syntax.root = "Classify";
  out.open = [](const std::string& name, CodeLanguage::Returns, bool) {
    return fmt::format("func {}(row *Row) int {{\n", name);
  };
  out.shares = [classes](const std::vector<std::string>& lists) {
    return fmt::format(
        "var shares = [{0}][{1}]float64{{\n\t{{{2}}},\n}}\n\n"
        "func Probabilities(row *Row) [{1}]float64 {{\n\treturn shares[path(row)]\n}}\n",
        lists.size(), classes, fmt::join(lists, "},\n\t{"));
  };
  out.vote = [&plan, classes](const std::vector<std::string>& members) {
    return go_votes(members, plan.options.probabilities, classes);
  };
  return out;
}

std::string go_file(const Plan& plan, const std::string& code, std::size_t members) {
  const std::vector<std::string> ids = go_identifiers(plan);
  std::vector<std::string> lines = describe(plan, ids, {"NaN", "nil"});
  lines.emplace_back("A Go package. Classify returns the index of the class.");
  if (members > 0) lines.push_back(words_of_ballot(members));
  return comment_lines(lines, "// ") +
         fmt::format("\npackage {}_model\n\nvar Classes = [{}]string{{\n\t{},\n}}\n\n", plan.name,
                     plan.classes().size(), fmt::join(quoted(plan.classes(), go_string), ",\n\t")) +
         go_row(plan, ids) + go_comparisons(plan) + code;
}

}  // namespace

Result<std::string> to_go(const Plan& plan) {
  return go_file(plan, code_of(plan, go_language(plan)), 0);
}

Result<std::string> to_go(const Ballot& ballot) {
  return go_file(ballot.optimum(), code_of(ballot, go_language(ballot.optimum())), ballot.plans.size());
}

}  // namespace beadwork::exports
