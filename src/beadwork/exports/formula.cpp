#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/numbers.hpp>
#include <beadwork/exports/tree.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>

// One formula for a spreadsheet: nested IFs over the cells of row 2, inputs from column A on.
namespace beadwork::exports {
namespace {

constexpr std::size_t kMostCharacters = 8192, kMostNested = 64;  // of Excel
constexpr std::size_t kMostInLiteral = 255;

std::string cell(std::size_t column) {
  std::string out;
  for (++column; column > 0; column = (column - 1) / 26)
    out.insert(out.begin(), static_cast<char>('A' + (column - 1) % 26));
  return out + "2";
}

// A literal has 255 characters and stands on one line; longer ones are put together.
std::string formula_text(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t length = kMostInLiteral;  // of the last part, in units of 16 bits; full at first
  for (const char32_t c : code_points(text)) {
    if (c < 0x20) {
      parts.push_back(fmt::format("CHAR({})", static_cast<std::uint32_t>(c)));
      length = kMostInLiteral;
      continue;
    }
    if (length + 4 > kMostInLiteral) {
      parts.emplace_back("\"\"");
      length = 0;
    }
    parts.back().insert(parts.back().size() - 1, c == '"' ? "\"\"" : utf8_of(c));
    length += 2;
  }
  if (parts.empty()) return "\"\"";
  return parts.size() == 1 ? parts[0] : fmt::format("{}", fmt::join(parts, "&"));
}

bool empty_is_a_category(const InputColumn& column) {
  const std::vector<std::string> levels = codes_of(column).levels;
  return std::find(levels.begin(), levels.end(), "") != levels.end();
}

std::string plain_decimals(const std::string& at, const std::string& number) {
  const std::string start = number + (number.find('.') == std::string::npos ? "." : "");
  std::string out =
      fmt::format("EXACT({0},\"{1}\"),AND(LEFT({0},{2})=\"{3}\",SUBSTITUTE(MID({0},{4},999),\"0\",\"\")=\"\")", at,
                  number, start.size(), start, start.size() + 1);
  return out;
}

// A cell may hold a text, a number or a truth value; what the last is called depends on the language of the sheet.
std::string spelled_in_cell(const std::string& at, const Spelling& spelling) {
  using enum Spelling::Kind;
  const auto logical = [&](const char* value, const std::string& otherwise) {
    return fmt::format("IF(ISLOGICAL({0}),{1},{2})", at, fmt::format(fmt::runtime(value), at), otherwise);
  };
  const auto numeric = [&](const std::string& number) {
    return fmt::format("IF(ISNUMBER({0}),{0}={1},OR({2}{3}))", at, number, plain_decimals(at, number),
                       number == "0" ? "," + plain_decimals(at, "-0") : "");
  };
  const auto truth = [&](const auto& words, const std::string& number) {
    std::string list = "|";
    for (const std::string_view word : words) list.append(word).append("|");
    const std::string is_word =
        fmt::format("AND(ISERROR(FIND(\"|\",{0})),ISNUMBER(FIND(\"|\"&LOWER({0})&\"|\",\"{1}\")))", at, list);
    return fmt::format("OR({},{})", is_word, numeric(number));
  };
  switch (spelling.kind) {
    case number:
      return numeric(spelling.text);
    case any_case:
      return logical(spelling.text == "true" ? "{0}" : "NOT({0})",
                     fmt::format("EXACT(LOWER({}),{})", at, formula_text(spelling.text)));
    case yes:
      return logical("{0}", truth(kYesWords, "1"));
    case no:
      return logical("NOT({0})", truth(kNoWords, "0"));
    case exact:
      break;
  }
  if (spelling.text.empty()) return fmt::format("AND(NOT(ISBLANK({0})),LEN({0})=0)", at);
  return fmt::format("EXACT({},{})", at, formula_text(spelling.text));
}

TestSyntax formula_tests(const Plan& plan) {
  TestSyntax out{{}, "{}=1", "AND(ISNUMBER({0}),{0}<={1})", "NOT(ISNUMBER({}))", "", "", formula_text, ""};
  for (std::size_t i = 0; i < std::max<std::size_t>(1, plan.input_names().size()); ++i) out.inputs.push_back(cell(i));
  out.own = [&plan](const Test& test) -> std::string {
    const InputColumn& column = plan.columns()[test.column];
    if (!column.text()) return "";
    const std::string at = cell(test.column);
    const std::string absent = fmt::format(fmt::runtime(empty_is_a_category(column) ? "ISBLANK({})" : "LEN({})=0"), at);
    const auto any_of = [&](const std::vector<Spelling>& texts, bool missing) {
      std::vector<std::string> words;
      if (missing) words.push_back(absent);
      for (const Spelling& s : texts) words.push_back(spelled_in_cell(at, s));
      return words.size() == 1 ? words[0] : fmt::format("OR({})", fmt::join(words, ","));
    };
    const TextTest texts = text_test(plan, test);
    if (texts.rest) return fmt::format("NOT({})", any_of(texts.texts, true));
    const std::string all = any_of(texts.texts, texts.missing);
    return texts.but.empty() ? all : fmt::format("AND({},NOT({}))", all, any_of(texts.but, false));
  };
  return out;
}

using LeafText = std::function<std::string(const TreeNode&)>;

std::string nested(const Plan& plan, const TestSyntax& tests, const std::vector<TreeNode>& tree, std::size_t n,
                   const LeafText& leaf) {
  const TreeNode& node = tree[n];
  if (node.leaf) return leaf(node);
  return fmt::format("IF({},{},{})", condition(plan, tests, node.feature), nested(plan, tests, tree, node.high, leaf),
                     nested(plan, tests, tree, node.low, leaf));
}

Status check_length(const std::string& formula) {
  const std::size_t length = code_points(formula).size();
  if (length <= kMostCharacters) return Done{};
  return option_error(
      fmt::format("the formula has {} characters, and Excel takes {}; fit a smaller model", length, kMostCharacters),
      "to");
}

}  // namespace

Result<std::string> to_formula(const Plan& plan) {
  if (plan.diagram.depth() > kMostNested)
    return option_error(fmt::format("the formula nests {} deep, and Excel takes {}", plan.diagram.depth(), kMostNested),
                        "to");
  if (auto nul = nul_in_classes(plan, "formula")) return *std::move(nul);
  if (plan.diagram.num_paths() > kMostCharacters)
    return option_error(fmt::format("the formula has {} paths, and Excel takes {} characters; fit a smaller model",
                                    plan.diagram.num_paths(), kMostCharacters),
                        "to");
  const TestSyntax tests = formula_tests(plan);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < plan.input_names().size(); ++i) ids.push_back(cell(i));
  std::vector<std::string> lines = describe(plan, ids, {"empty", "empty"});
  lines.emplace_back(
      "Row 2 of a sheet; fill it down for more rows. Numbers that agree in 15 digits are equal to a spreadsheet.");
  const std::vector<TreeNode> tree = unrolled(plan);
  std::vector<std::string> formulas{
      nested(plan, tests, tree, 0, [&](const TreeNode& leaf) { return formula_text(plan.classes()[leaf.answer()]); })};
  for (std::size_t k = 0; plan.options.probabilities && k < plan.classes().size(); ++k)
    formulas.push_back(nested(plan, tests, tree, 0, [&](const TreeNode& leaf) {
      return format_number(probabilities(plan.model, leaf.first_path)[k]);
    }));
  if (plan.options.probabilities) lines.emplace_back("The class, then the share of each class.");
  std::string out = comment_lines(lines, "# ");
  for (const std::string& formula : formulas) {
    if (const auto fits = check_length(formula); !fits) return fits.error();
    out += "=" + formula + "\n";
  }
  return out;
}

}  // namespace beadwork::exports
