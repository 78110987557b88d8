#include <beadwork/exports/code.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

std::string row_type(const Plan& plan, const std::vector<std::string>& ids) {
  const std::vector<std::string> names = plan.input_names();
  std::string out = "struct Row {\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool text = plan.raw() && plan.columns()[i].text();
    out += fmt::format("  {} {}{{}};  {}\n",
                       text         ? "std::optional<std::string_view>"
                       : plan.raw() ? "double"
                                    : "bool",
                       ids[i], comment_inline(in_quotes(names[i])));
  }
  return out + "};\n";
}

std::string cpp_votes(const std::vector<std::string>& members, bool probabilities, std::size_t classes) {
  std::string out = fmt::format("inline std::array<int, {}> votes(const Row& row) {{\n  std::array<int, {}> out{{}};\n",
                                classes, classes);
  for (const std::string& member : members) out += fmt::format("  ++out[static_cast<unsigned>({}(row))];\n", member);
  out +=
      "  return out;\n}\n\n"
      "inline int classify(const Row& row) {\n"
      "  const auto counts = votes(row);\n"
      "  unsigned best = static_cast<unsigned>(member_0(row));\n"
      "  for (unsigned k = 0; k < counts.size(); ++k)\n"
      "    if (counts[k] > counts[best]) best = k;\n"
      "  return static_cast<int>(best);\n}\n";
  if (!probabilities) return out;
  return out + fmt::format(
                   "\ninline std::array<double, {0}> probabilities(const Row& row) {{\n"
                   "  const auto counts = votes(row);\n"
                   "  std::array<double, {0}> out{{}};\n"
                   "  for (unsigned k = 0; k < {0}; ++k) out[k] = counts[k] / {1}.0;\n"
                   "  return out;\n}}\n",
                   classes, members.size());
}

std::string cpp_comparisons(const Plan& plan) {
  const Comparisons used = comparisons_of(plan);
  std::string out;
  if (used.any_case)
    out +=
        "// This word, in whichever case.\n"
        "inline bool word(std::optional<std::string_view> value, std::string_view word) {\n"
        "  if (!value || value->size() != word.size()) return false;\n"
        "  for (std::size_t i = 0; i < word.size(); ++i) {\n"
        "    const char c = (*value)[i];\n"
        "    if (c != word[i] && !(c >= 'A' && c <= 'Z' && c + ('a' - 'A') == word[i])) return false;\n"
        "  }\n"
        "  return true;\n}\n\n";
  if (used.number)
    out +=
        "// The same number: 1, 1.0 and 1.00.\n"
        "inline bool same(std::optional<std::string_view> value, std::string_view number) {\n"
        "  if (!value) return false;\n"
        "  std::string_view rest = *value;\n"
        "  if (number == \"0\" && !rest.empty() && rest[0] == '-') rest.remove_prefix(1);\n"
        "  if (rest.substr(0, number.size()) != number) return false;\n"
        "  rest.remove_prefix(number.size());\n"
        "  if (number.find('.') == std::string_view::npos && !rest.empty()) {\n"
        "    if (rest[0] != '.') return false;\n"
        "    rest.remove_prefix(1);\n"
        "  }\n"
        "  return rest.find_first_not_of('0') == std::string_view::npos;\n}\n\n";
  const auto truth = [&](const char* what, const char* digit, const auto& words) {
    std::string test = fmt::format("same(value, \"{}\")", digit);
    for (const std::string_view word : words) test += fmt::format(" || word(value, \"{}\")", word);
    out += fmt::format("inline bool {}(std::optional<std::string_view> value) {{\n  return {};\n}}\n\n", what, test);
  };
  if (used.yes) truth("yes", "1", kYesWords);
  if (used.no) truth("no", "0", kNoWords);
  return out;
}

CodeLanguage cpp_language(const Plan& plan) {
  CodeLanguage out;
  const std::size_t classes = plan.classes().size();
  out.syntax.tests = {input_identifiers(plan), "row.{}", "row.{} <= {}", "std::isnan(row.{})", "!row.{}",
                      "row.{} == {}sv",        c_string};
  out.syntax.tests.any_case = "word(row.{}, {})";
  out.syntax.tests.same_number = "same(row.{}, {})";
  out.syntax.tests.yes = "yes(row.{})";
  out.syntax.tests.no = "no(row.{})";
  out.open = [](const std::string& name, CodeLanguage::Returns returns, bool reads_row) {
    return fmt::format("inline {} {}(const Row&{}) {{\n", returns == CodeLanguage::Returns::path ? "long" : "int", name,
                       reads_row ? " row" : "");
  };
  out.shares = [classes](const std::vector<std::string>& lists) {
    return fmt::format(
        "inline constexpr double shares[{0}][{1}] = {{\n    {{{2}}},\n}};\n\n"
        "inline std::array<double, {1}> probabilities(const Row& row) {{\n"
        "  const long p = path(row);\n"
        "  std::array<double, {1}> out{{}};\n"
        "  for (unsigned k = 0; k < {1}; ++k) out[k] = shares[p][k];\n"
        "  return out;\n}}\n",
        lists.size(), classes, fmt::join(lists, "},\n    {"));
  };
  out.vote = [&plan, classes](const std::vector<std::string>& members) {
    return cpp_votes(members, plan.options.probabilities, classes);
  };
  return out;
}

std::string cpp_file(const Plan& plan, const std::string& code, std::size_t members) {
  const std::vector<std::string> ids = input_identifiers(plan);
  std::vector<std::string> lines = describe(plan, ids, {"NaN", "std::nullopt"});
  lines.push_back(fmt::format("C++17. {}_model::classify returns the index of the class.", plan.name));
  if (members > 0) lines.push_back(words_of_ballot(members));
  std::string out = comment_block(lines);
  if (members > 0 || plan.options.probabilities) out += "#include <array>\n";
  out += "#include <cmath>\n#include <cstddef>\n#include <optional>\n#include <string_view>\n\n";
  out += fmt::format("namespace {}_model {{\n\nusing namespace std::string_view_literals;\n\n{}\n", plan.name,
                     row_type(plan, ids));
  out += fmt::format("inline constexpr std::string_view class_names[{}] = {{\n    {}sv,\n}};\n\n",
                     plan.classes().size(), fmt::join(quoted(plan.classes(), c_string), "sv,\n    "));
  return out + cpp_comparisons(plan) + code + fmt::format("\n}}  // namespace {}_model\n", plan.name);
}

}  // namespace

Result<std::string> to_cpp(const Plan& plan) {
  return cpp_file(plan, code_of(plan, cpp_language(plan)), 0);
}

Result<std::string> to_cpp(const Ballot& ballot) {
  return cpp_file(ballot.optimum(), code_of(ballot, cpp_language(ballot.optimum())), ballot.plans.size());
}

}  // namespace beadwork::exports
