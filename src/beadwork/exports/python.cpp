#include <beadwork/exports/code.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork::exports {
namespace {

bool asks_texts(const Plan& plan) {
  return plan.raw() && std::any_of(plan.columns().begin(), plan.columns().end(),
                                   [](const InputColumn& column) { return column.text(); });
}

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
                  "_holds(row[{}])",
                  "_at_most(row.get({}), {})",
                  "_no_number(row.get({}))",
                  "_missing(row.get({}))",
                  "_is(row.get({}), {})",
                  python_string,
                  {},
                  format_number,
                  " or "};
  syntax.tests.any_case = "_word(row.get({}), {})";
  syntax.tests.same_number = "_same(row.get({}), {})";
  syntax.tests.yes = "_yes(row.get({}))";
  syntax.tests.no = "_no(row.get({}))";
  syntax.tests.both = " and ";
  syntax.tests.negated = "not ({})";
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

constexpr const char* kPythonNumbers = R"(
def _number(value):
    if isinstance(value, (str, bytes)) or getattr(getattr(value, "dtype", None), "kind", "") in ("m", "M"):
        raise TypeError("expected a number, got %r" % (value,))
    return float(value)


def _no_number(value):
    return _missing(value) or _number(value) != _number(value)


def _at_most(value, threshold):
    return not _missing(value) and _number(value) <= threshold

)";

constexpr const char* kPythonTexts = R"(
# A category as text: a whole number by its digits, a truth value as true or false.
def _text(value):
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Number):
        value = float(value)
        return str(int(value)) if value.is_integer() else repr(value)
    raise TypeError("expected a text, a number or a truth value, got %r" % (value,))


def _is(value, level):
    return not _missing(value) and _text(value) == level

)";

constexpr const char* kPythonWord = R"(
# This word, in whichever case.
def _word(value, word):
    return not _missing(value) and _text(value).lower() == word

)";

constexpr const char* kPythonSame = R"(
# The same number: 1, 1.0 and 1.00.
def _same(value, number):
    text = "" if _missing(value) else _text(value)
    if number == "0" and text.startswith("-"):
        text = text[1:]
    if not text.startswith(number):
        return False
    rest = text[len(number):]
    if "." not in number and rest:
        if rest[0] != ".":
            return False
        rest = rest[1:]
    return not rest.strip("0")

)";

std::string python_comparisons(const Plan& plan) {
  if (!plan.raw()) {
    return R"(
def _holds(value):
    if value not in (0, 1):
        raise ValueError("expected 0 or 1, got %r" % (value,))
    return bool(value)

)";
  }
  const Comparisons used = comparisons_of(plan);
  std::string out = R"(
def _missing(value):
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value

)";
  out += kPythonNumbers;
  if (asks_texts(plan)) out += kPythonTexts;
  if (used.any_case) out += kPythonWord;
  if (used.number) out += kPythonSame;
  const auto truth = [&](const char* what, const char* digit, const auto& words) {
    std::string test = fmt::format("_same(value, \"{}\")", digit);
    for (const std::string_view word : words) test += fmt::format(" or _word(value, \"{}\")", word);
    out += fmt::format("\ndef {}(value):\n    return {}\n\n", what, test);
  };
  if (used.yes) truth("_yes", "1", kYesWords);
  if (used.no) truth("_no", "0", kNoWords);
  return out;
}

// The first two lines are fixed: Python would read a name there as the file's encoding.
std::string python_file(const Plan& plan, const std::string& code, std::size_t members) {
  std::vector<std::string> lines = describe(plan, {}, {"None or NaN", "None or NaN"});
  lines.insert(lines.begin() + 1, "classify(row) and predict(row) take a mapping from names to values.");
  if (members > 0) lines.push_back(words_of_ballot(members));
  std::string out = comment_lines(lines, "# ") + (asks_texts(plan) ? "\nimport numbers\n" : "") + "\nCLASSES = (";
  for (const std::string& name : plan.classes()) out += "\n    " + python_string(name) + ",";
  out += "\n)\nINPUTS = (";
  for (const std::string& name : quoted(plan.input_names(), python_string)) out += "\n    " + name + ",";
  out += "\n)\n\n" + python_comparisons(plan) + "\n";
  return out + code + "\ndef predict(row):\n    \"\"\"The class of a row.\"\"\"\n    return CLASSES[classify(row)]\n";
}

}  // namespace

Result<std::string> to_python(const Plan& plan) {
  return python_file(plan, code_of(plan, python_language(plan)), 0);
}

Result<std::string> to_python(const Ballot& ballot) {
  return python_file(ballot.optimum(), code_of(ballot, python_language(ballot.optimum())), ballot.plans.size());
}

}  // namespace beadwork::exports
