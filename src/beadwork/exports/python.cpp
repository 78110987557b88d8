#include <beadwork/exports/code.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

std::string python_votes(const std::vector<std::string>& members, bool probabilities, std::size_t classes) {
  std::string out = fmt::format(
      "\ndef votes(row):\n    \"\"\"The votes for each class.\"\"\"\n    out = [0] * {}\n"
      "    for member in ({},):\n        out[member(row)] += 1\n    return out\n\n\n",
      classes, fmt::join(members, ", "));
  out +=
      "def classify(row):\n    \"\"\"The index of the class of a row.\"\"\"\n"
      "    counts = votes(row)\n    best = _member_0(row)\n"
      "    return best if counts[best] == max(counts) else counts.index(max(counts))\n\n";
  if (!probabilities) return out;
  return out + fmt::format(
                   "\ndef probabilities(row):\n    \"\"\"The share of the votes for each class.\"\"\"\n"
                   "    return [count / {} for count in votes(row)]\n\n",
                   members.size());
}

CodeLanguage python_language(const Plan& plan) {
  CodeLanguage out;
  BranchSyntax& syntax = out.syntax;
  syntax.tests = {quoted(plan.input_names(), python_string),
                  "row[{}]",
                  "_at_most(row.get({}), {})",
                  "_missing(row.get({}))",
                  "_missing(row.get({}))",
                  "row.get({}) == {}",
                  python_string,
                  {},
                  format_number,
                  " or "};
  syntax.close = "\n";
  syntax.if_open = "if ";
  syntax.then = ":";
  syntax.or_else_if = "elif ";
  syntax.or_else = "else:";
  syntax.end = syntax.end_of_statement = "";
  syntax.others = "_node_";
  syntax.indent = syntax.step = 4;
  out.path = "_path";
  out.member = "_member_";
  out.open = [](const std::string& name, CodeLanguage::Returns, bool) {
    return fmt::format("def {}(row):\n{}", name,
                       name == "classify" ? "    \"\"\"The index of the class of a row.\"\"\"\n" : "");
  };
  out.shares = [](const std::vector<std::string>& lists) {
    return fmt::format(
        "\n_SHARES = (\n    ({},),\n)\n\n\n"
        "def probabilities(row):\n    \"\"\"The share of each class.\"\"\"\n    return list(_SHARES[_path(row)])\n\n",
        fmt::join(lists, ",),\n    ("));
  };
  out.vote = [&plan](const std::vector<std::string>& members) {
    return python_votes(members, plan.options.probabilities, plan.classes().size());
  };
  return out;
}

// The first two lines are fixed: Python would read a name there as the file's encoding.
std::string python_file(const Plan& plan, const std::string& code, std::size_t members) {
  std::vector<std::string> lines = describe(plan, {}, {"None or NaN", "None or NaN"});
  lines.insert(lines.begin() + 1, "classify(row) and predict(row) take a mapping from names to values.");
  if (members > 0) lines.push_back(words_of_ballot(members));
  std::string out = comment_lines(lines, "# ") + "\nCLASSES = (";
  for (const std::string& name : plan.classes()) out += "\n    " + python_string(name) + ",";
  out += "\n)\nINPUTS = (";
  for (const std::string& name : quoted(plan.input_names(), python_string)) out += "\n    " + name + ",";
  out += "\n)\n\n\n";
  if (plan.raw())
    out +=
        "def _missing(value):\n    return value is None or value != value\n\n\n"
        "def _at_most(value, threshold):\n    return value is not None and value <= threshold\n\n\n";
  return out + code + "\ndef predict(row):\n    \"\"\"The class of a row.\"\"\"\n    return CLASSES[classify(row)]\n";
}

}  // namespace

Result<std::string> to_python(const Plan& plan) {
  return python_file(plan, code_of(plan, python_language(plan)), 0);
}

std::string to_python(const Ballot& ballot) {
  return python_file(ballot.optimum(), code_of(ballot, python_language(ballot.optimum())), ballot.plans.size());
}

}  // namespace beadwork::exports
