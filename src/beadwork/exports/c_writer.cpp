#include <beadwork/exports/c_writer.hpp>
#include <beadwork/exports/numbers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace beadwork::exports {
namespace {

using enum ExportNumbers::Kind;

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c & ~0x20);
  return text;
}

std::string enum_of(const std::string& name, const std::vector<std::string>& values,
                    const std::vector<std::string>& comments) {
  std::string out = fmt::format("enum {} {{\n", name);
  for (std::size_t i = 0; i < values.size(); ++i)
    out += fmt::format("  {} = {}{} {}\n", values[i], i, i + 1 < values.size() ? "," : "", comment_inline(comments[i]));
  return out + "};\n";
}

std::vector<std::string> all_in_quotes(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(in_quotes(name));
  return out;
}

// The smallest integer has no literal of its own in C.
std::string integer_literal(std::int64_t value) {
  if (value == INT64_MIN) return "(-9223372036854775807 - 1)";
  if (value == INT32_MIN) return "(-2147483647 - 1)";
  return fmt::format("{}", value);
}

}  // namespace

CWriter::CWriter(const Plan& plan, bool committee)
    : plan_(plan), committee_(committee), ids_(input_identifiers(plan)), codes_(plan.columns().size()) {
  if (!plan.options.enums || !plan.raw()) return;
  Identifiers taken(plan.name + "_");
  for (std::size_t c = 0; c < codes_.size(); ++c) {
    if (!plan.columns()[c].text()) continue;
    for (std::string word : {"missing", "other"}) codes_[c].push_back(taken.of(ids_[c] + " " + word));
    for (const std::string& level : codes_of(plan.columns()[c]).levels)
      codes_[c].push_back(taken.of(ids_[c] + " " + printable(level)));
  }
}

bool CWriter::any_missing() const {
  return plan_.raw() && std::any_of(plan_.tests().begin(), plan_.tests().end(), [&](const Test& t) {
           if (!own_test(t).empty()) return false;
           return t.kind == TestKind::missing || (plan_.columns()[t.column].text() && text_test(plan_, t).rest);
         });
}

Comparisons CWriter::comparisons() const {
  return plan_.options.enums ? Comparisons{} : comparisons_of(plan_);
}

bool CWriter::numbers() const {
  return plan_.raw() && std::any_of(plan_.columns().begin(), plan_.columns().end(),
                                    [](const InputColumn& column) { return !column.text(); });
}

std::string CWriter::description(std::string_view form) const {
  const bool integer = plan_.options.numbers.integer();
  std::vector<std::string> lines =
      describe(plan_, ids_, {integer ? "1 in missing_..." : "NaN", plan_.options.enums ? "..._missing" : "NULL"});
  lines.push_back(fmt::format("C99, {}; no allocation. {}_class returns the index of the class.", form, plan_.name));
  if (plan_.options.probabilities)
    lines.push_back(fmt::format("{}_probabilities returns the share of each class.", plan_.name));
  return comment_block(lines);
}

std::string CWriter::includes() const {
  std::string out;
  if (any_missing()) out += "#include <math.h>\n#include <stddef.h>\n";
  if (comparisons().exact) out += "#include <string.h>\n";
  if (plan_.options.header.empty() && plan_.options.numbers.integer() && numbers()) out += "#include <stdint.h>\n";
  return out;
}

std::string CWriter::head(std::string_view form) const {
  const std::string& header = plan_.options.header;
  std::string out = description(form) + includes();
  if (!header.empty()) out += fmt::format("#include \"{}\"\n", header);
  out += "\n";
  if (header.empty()) out += enums() + row_type() + "\n";
  return out + class_names() + "\n" + equality();
}

std::string CWriter::header() const {
  const std::string guard = upper(plan_.name) + "_MODEL_H", row = fmt::format("const struct {}_row *row", plan_.name);
  std::string out = description("declarations") + fmt::format("#ifndef {0}\n#define {0}\n", guard);
  if (plan_.options.numbers.integer() && numbers()) out += "#include <stdint.h>\n";
  out += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" + enums() + row_type() + "\n";
  out += fmt::format("extern const char *const {}_class_names[{}];\n", plan_.name, plan_.classes().size());
  out += fmt::format("int {}_class({});\n", plan_.name, row);
  if (committee_) out += fmt::format("void {}_votes({}, int votes[{}]);\n", plan_.name, row, plan_.classes().size());
  if (plan_.options.probabilities) out += fmt::format("const {} *{}_probabilities({});\n", real(), plan_.name, row);
  return out + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

std::string CWriter::enums() const {
  if (!plan_.options.enums) return "";
  const std::vector<std::string>& classes = plan_.classes();
  std::string out =
      enum_of(plan_.name + "_classes", Identifiers(plan_.name + "_y_").of(classes), all_in_quotes(classes)) + "\n";
  for (std::size_t c = 0; c < codes_.size(); ++c) {
    if (codes_[c].empty()) continue;
    std::vector<std::string> comments = all_in_quotes(codes_of(plan_.columns()[c]).levels);
    comments.insert(comments.begin(), {"missing", "any other category"});
    out += enum_of(fmt::format("{}_{}", plan_.name, ids_[c]), codes_[c], comments) + "\n";
  }
  return out;
}

// Without the semicolon.
std::string CWriter::field(std::size_t i) const {
  if (!plan_.raw() || plan_.columns().empty()) return "unsigned char " + ids_[i];
  if (plan_.columns()[i].text())
    return codes_[i].empty() ? "const char *" + ids_[i] : fmt::format("enum {}_{} {}", plan_.name, ids_[i], ids_[i]);
  const ExportNumbers& numbers = plan_.options.numbers;
  if (!numbers.integer()) return (numbers.kind == float32 ? "float " : "double ") + ids_[i];
  return fmt::format("unsigned char {}; int{}_t {}", missing_of(i), numbers.bits, ids_[i]);
}

std::string CWriter::row_type() const {
  const std::vector<std::string> names = plan_.input_names();
  std::string out = fmt::format("struct {}_row {{\n", plan_.name);
  for (std::size_t i = 0; i < ids_.size(); ++i)
    out += fmt::format("  {}; {}\n", field(i), comment_inline(names.empty() ? "not read" : in_quotes(names[i])));
  return out + "};\n";
}

std::string CWriter::class_names() const {
  return fmt::format("const char *const {}_class_names[{}] = {{\n  {},\n}};\n", plan_.name, plan_.classes().size(),
                     fmt::join(quoted(plan_.classes(), c_string), ",\n  "));
}

std::string CWriter::equality() const {
  const Comparisons used = comparisons();
  const std::string& name = plan_.name;
  std::string out;
  if (used.exact)
    out += fmt::format(
        "static int {}_is(const char *value, const char *level) {{\n"
        "  return value != 0 && strcmp(value, level) == 0;\n"
        "}}\n\n",
        name);
  if (used.any_case)
    out += fmt::format(
        "{}\nstatic int {}_word(const char *value, const char *word) {{\n"
        "  if (value == 0) return 0;\n"
        "  for (; *word != 0; ++value, ++word)\n"
        "    if (*value != *word && !(*value >= 'A' && *value <= 'Z' && *value + ('a' - 'A') == *word)) return 0;\n"
        "  return *value == 0;\n"
        "}}\n\n",
        comment_inline("This word, in whichever case."), name);
  if (used.number)
    out += fmt::format(
        "{}\nstatic int {}_same(const char *value, const char *number) {{\n"
        "  int point = 0;\n"
        "  if (value == 0) return 0;\n"
        "  if (*value == '-' && number[0] == '0' && number[1] == 0) ++value;\n"
        "  for (; *number != 0; ++value, ++number) {{\n"
        "    if (*value != *number) return 0;\n"
        "    if (*number == '.') point = 1;\n"
        "  }}\n"
        "  if (!point && *value == 0) return 1;\n"
        "  if (!point && *value++ != '.') return 0;\n"
        "  while (*value == '0') ++value;\n"
        "  return *value == 0;\n"
        "}}\n\n",
        comment_inline("The same number: 1, 1.0 and 1.00."), name);
  const auto truth = [&](const char* what, const char* digit, const auto& words) {
    std::string test = fmt::format("{}_same(value, \"{}\")", name, digit);
    for (const std::string_view word : words) test += fmt::format(" ||\n         {}_word(value, \"{}\")", name, word);
    out += fmt::format("static int {}_{}(const char *value) {{\n  return {};\n}}\n\n", name, what, test);
  };
  if (used.yes) truth("yes", "1", kYesWords);
  if (used.no) truth("no", "0", kNoWords);
  return out;
}

std::string CWriter::integer_test(const Test& test) const {
  const std::string missing = "row->" + missing_of(test.column);
  if (test.kind == TestKind::missing) return missing;
  const auto last = largest_at_most(test.threshold, plan_.options.numbers);
  if (!last) return "0";
  if (*last == largest_of(plan_.options.numbers.bits)) return "!" + missing;
  return fmt::format("!{} && row->{} <= {}", missing, ids_[test.column], integer_literal(*last));
}

std::string CWriter::enum_test(const Test& test) const {
  const std::vector<std::string>& codes = codes_[test.column];
  const std::string value = "row->" + ids_[test.column];
  if (test.kind == TestKind::missing) return fmt::format("{} == {}", value, codes[kMissingCode]);
  if (test.kind == TestKind::equals) {
    const std::string own =
        fmt::format("{} == {}", value, codes[codes_of(plan_.columns()[test.column]).of(test.level)]);
    return text_test(plan_, test).rest ? fmt::format("({} || {} == {})", own, value, codes[kOtherCode]) : own;
  }
  return fmt::format("{} > {} && {} <= {}", value, codes[kOtherCode], value,
                     codes[kFirstCode + static_cast<std::size_t>(test.threshold)]);
}

std::string CWriter::own_test(const Test& test) const {
  if (!codes_[test.column].empty()) return enum_test(test);
  if (plan_.columns()[test.column].text()) return "";
  if (plan_.options.numbers.integer()) return integer_test(test);
  if (plan_.options.numbers.kind != float32 || test.kind != TestKind::at_most) return "";
  const float last = largest_float_at_most(test.threshold);
  if (std::isfinite(last)) return fmt::format("row->{} <= {}", ids_[test.column], float_literal(last));
  return fmt::format("row->{} < -{}", ids_[test.column], float_literal(std::numeric_limits<float>::max()));
}

TestSyntax CWriter::tests() const {
  TestSyntax out{
      ids_,     "row->{}", "row->{} <= {}", "isnan(row->{})", "row->{} == NULL", plan_.name + "_is(row->{}, {})",
      c_string, "0"};
  out.any_case = plan_.name + "_word(row->{}, {})";
  out.same_number = plan_.name + "_same(row->{}, {})";
  out.yes = plan_.name + "_yes(row->{})";
  out.no = plan_.name + "_no(row->{})";
  out.own = [this](const Test& test) { return own_test(test); };
  return out;
}

// A row that no test reads would be warned of.
std::string CWriter::opening(const std::string& name, bool reads_row) const {
  const bool path = name.starts_with(plan_.name + "_path");
  return fmt::format("{}{} {}(const struct {}_row *row) {{\n{}", name == plan_.name + "_class" ? "" : "static ",
                     path ? "long" : "int", name, plan_.name, reads_row ? "" : "  (void)row;\n");
}

std::string CWriter::real() const {
  return plan_.options.numbers.kind == float64 ? "double" : "float";
}

std::string CWriter::shares() const {
  if (!plan_.options.probabilities) return "";
  const bool full = plan_.options.numbers.kind == float64;
  std::string out = fmt::format("\n{}\nstatic const {} {}_shares[{}][{}] = {{\n",
                                comment_inline("Shares of the classes, path by path."), real(), plan_.name,
                                plan_.diagram.num_paths(), plan_.classes().size());
  for (const std::vector<double>& shares : shares_of_paths(plan_)) {
    std::vector<std::string> words;
    for (const double p : shares) words.push_back(full ? real_literal(p) : float_literal(static_cast<float>(p)));
    out += fmt::format("  {{{}}},\n", fmt::join(words, ", "));
  }
  return out + fmt::format(
                   "}};\n\nconst {0} *{1}_probabilities(const struct {1}_row *row) {{\n"
                   "  return {1}_shares[{1}_path(row)];\n}}\n",
                   real(), plan_.name);
}

}  // namespace beadwork::exports
