#include <beadwork/exports/code.hpp>
#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/numbers.hpp>

#include <fmt/format.h>

#include <algorithm>

// A method of Java has 64 KiB of code at most, so nesting is shallow and the table of shares is filled in pieces. In
// comments, too, \u begins a character.
namespace beadwork::exports {
namespace {

constexpr std::size_t kMostShares = 30'000;  // a class has 65,535 constants, a double takes two
constexpr std::size_t kSharesInMethod = 2'000;

std::string java_comment(std::string_view line) {
  return "// " + escaped(ascii(line), {{'\\', "\\\\"}});
}

std::string java_row(const Plan& plan, const std::vector<std::string>& ids) {
  const std::vector<std::string> names = plan.input_names();
  std::string out = "  public static final class Row {\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool text = plan.raw() && plan.columns()[i].text();
    out += fmt::format("    public {}; {}\n",
                       text         ? "String " + ids[i]
                       : plan.raw() ? fmt::format("double {} = Double.NaN", ids[i])
                                    : "boolean " + ids[i],
                       java_comment(in_quotes(names[i])));
  }
  return out + "  }\n";
}

std::string java_shares(const std::vector<std::string>& lists, std::size_t classes) {
  const std::size_t piece = std::max<std::size_t>(1, kSharesInMethod / classes);
  std::string out, calls;
  for (std::size_t first = 0; first < lists.size(); first += piece) {
    out += fmt::format("  private static void fill_{}() {{\n", first);
    calls += fmt::format("    fill_{}();\n", first);
    for (std::size_t p = first; p < std::min(first + piece, lists.size()); ++p)
      out += fmt::format("    SHARES[{}] = new double[] {{{}}};\n", p, lists[p]);
    out += "  }\n\n";
  }
  return fmt::format(
      "  private static final double[][] SHARES = new double[{}][];\n\n{}"
      "  static {{\n{}  }}\n\n"
      "  public static double[] probabilities(Row row) {{\n    return SHARES[path(row)].clone();\n  }}\n",
      lists.size(), out, calls);
}

std::string java_votes(const std::vector<std::string>& members, bool probabilities, std::size_t classes) {
  std::string out = fmt::format("  public static int[] votes(Row row) {{\n    int[] out = new int[{}];\n", classes);
  for (const std::string& member : members) out += fmt::format("    ++out[{}(row)];\n", member);
  out +=
      "    return out;\n  }\n\n"
      "  public static int classify(Row row) {\n"
      "    int[] counts = votes(row);\n"
      "    int best = member_0(row);\n"
      "    for (int k = 0; k < counts.length; ++k)\n"
      "      if (counts[k] > counts[best]) best = k;\n"
      "    return best;\n  }\n";
  if (!probabilities) return out;
  return out + fmt::format(
                   "\n  public static double[] probabilities(Row row) {{\n"
                   "    int[] counts = votes(row);\n"
                   "    double[] out = new double[{0}];\n"
                   "    for (int k = 0; k < {0}; ++k) out[k] = counts[k] / {1}.0;\n"
                   "    return out;\n  }}\n",
                   classes, members.size());
}

std::string java_comparisons(const Plan& plan) {
  const Comparisons used = comparisons_of(plan);
  std::string out;
  if (used.any_case)
    out +=
        "  // This word, in whichever case.\n"
        "  private static boolean word(String value, String word) {\n"
        "    return value != null && value.toLowerCase(java.util.Locale.ROOT).equals(word);\n  }\n\n";
  if (used.number)
    out +=
        "  // The same number: 1, 1.0 and 1.00.\n"
        "  private static boolean same(String value, String number) {\n"
        "    if (value == null) return false;\n"
        "    String rest = number.equals(\"0\") && value.startsWith(\"-\") ? value.substring(1) : value;\n"
        "    if (!rest.startsWith(number)) return false;\n"
        "    rest = rest.substring(number.length());\n"
        "    if (number.indexOf('.') < 0 && !rest.isEmpty()) {\n"
        "      if (rest.charAt(0) != '.') return false;\n"
        "      rest = rest.substring(1);\n"
        "    }\n"
        "    for (int i = 0; i < rest.length(); ++i)\n"
        "      if (rest.charAt(i) != '0') return false;\n"
        "    return true;\n  }\n\n";
  const auto truth = [&](const char* what, const char* digit, const auto& words) {
    std::string test = fmt::format("same(value, \"{}\")", digit);
    for (const std::string_view word : words) test += fmt::format(" || word(value, \"{}\")", word);
    out += fmt::format("  private static boolean {}(String value) {{\n    return {};\n  }}\n\n", what, test);
  };
  if (used.yes) truth("yes", "1", kYesWords);
  if (used.no) truth("no", "0", kNoWords);
  return out;
}

CodeLanguage java_language(const Plan& plan) {
  CodeLanguage out;
  const std::size_t classes = plan.classes().size();
  BranchSyntax& syntax = out.syntax;
  syntax.tests = {input_identifiers(plan),
                  "row.{}",
                  "row.{} <= {}",
                  "Double.isNaN(row.{})",
                  "row.{} == null",
                  "{1}.equals(row.{0})",
                  java_string,
                  {},
                  real_literal};
  syntax.tests.any_case = "word(row.{}, {})";
  syntax.tests.same_number = "same(row.{}, {})";
  syntax.tests.yes = "yes(row.{})";
  syntax.tests.no = "no(row.{})";
  syntax.close = "  }\n";
  syntax.indent = 4;
  syntax.deepest = 8;
  out.open = [](const std::string& name, CodeLanguage::Returns, bool) {
    return fmt::format("  {} static int {}(Row row) {{\n", name == "classify" ? "public" : "private", name);
  };
  out.shares = [classes](const std::vector<std::string>& lists) { return java_shares(lists, classes); };
  out.vote = [&plan, classes](const std::vector<std::string>& members) {
    return java_votes(members, plan.options.probabilities, classes);
  };
  return out;
}

std::string java_file(const Plan& plan, const std::string& code, std::size_t members) {
  const std::vector<std::string> ids = input_identifiers(plan);
  std::vector<std::string> lines = describe(plan, ids, {"NaN", "null"});
  lines.push_back(fmt::format("Java 8, in a file {}_model.java. classify returns the index of the class.", plan.name));
  if (members > 0) lines.push_back(words_of_ballot(members));
  std::string out;
  for (const std::string& line : lines) out += java_comment(line) + "\n";
  return out +
         fmt::format(
             "public final class {0}_model {{\n  private {0}_model() {{}}\n\n"
             "  public static final String[] CLASSES = {{\n    {1},\n  }};\n\n",
             plan.name, fmt::join(quoted(plan.classes(), java_string), ",\n    ")) +
         java_row(plan, ids) + "\n" + java_comparisons(plan) + code + "}\n";
}

}  // namespace

Result<std::string> to_java(const Plan& plan) {
  const std::uint64_t shares = plan.diagram.num_paths() * plan.classes().size();
  if (plan.options.probabilities && shares > kMostShares)
    return option_error(fmt::format("{} paths x {} classes are more than a class of Java can hold ({})",
                                    plan.diagram.num_paths(), plan.classes().size(), kMostShares),
                        "probabilities");
  return java_file(plan, code_of(plan, java_language(plan)), 0);
}

Result<std::string> to_java(const Ballot& ballot) {
  return java_file(ballot.optimum(), code_of(ballot, java_language(ballot.optimum())), ballot.plans.size());
}

}  // namespace beadwork::exports
