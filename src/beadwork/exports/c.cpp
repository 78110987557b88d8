#include <beadwork/exports/branches.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork::exports {
namespace {

class CWriter {
 public:
  explicit CWriter(const Plan& plan) : plan_(plan), ids_(input_identifiers(plan)) {}

  std::string head(std::string_view form) const {
    std::vector<std::string> lines = describe(plan_, ids_, {"NaN", "NULL"});
    lines.push_back(fmt::format("C99, {}; no allocation. {}_class returns the index of the class.", form, plan_.name));
    std::string out = comment_block(lines);
    if (any(TestKind::missing)) out += "#include <math.h>\n#include <stddef.h>\n";
    if (any(TestKind::equals)) out += "#include <string.h>\n";
    return out + "\n" + row_type() + "\n" + class_names() + "\n" + equality();
  }

  TestSyntax tests() const {
    return {ids_,     "row->{}", "row->{} <= {}", "isnan(row->{})", "row->{} == NULL", plan_.name + "_is(row->{}, {})",
            c_string, "0"};
  }

  // A row that no test reads would be warned of.
  std::string opening(const std::string& name, bool reads_row) const {
    return fmt::format("{}int {}(const struct {}_row *row) {{\n{}", name == plan_.name + "_class" ? "" : "static ",
                       name, plan_.name, reads_row ? "" : "  (void)row;\n");
  }

 private:
  bool any(TestKind kind) const {
    return plan_.raw() && std::any_of(plan_.tests().begin(), plan_.tests().end(), [&](const Test& t) {
             const bool word = t.kind == TestKind::at_most && plan_.columns()[t.column].ordinal();
             return (word ? TestKind::equals : t.kind) == kind && t.level.find('\0') == std::string::npos;
           });
  }
  std::string row_type() const {
    const std::vector<std::string> names = plan_.input_names();
    std::string out = fmt::format("struct {}_row {{\n", plan_.name);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const bool text = plan_.raw() && !names.empty() && plan_.columns()[i].text();
      const char* type = text ? "const char *" : plan_.raw() && !names.empty() ? "double " : "unsigned char ";
      out +=
          fmt::format("  {}{}; {}\n", type, ids_[i], comment_inline(names.empty() ? "not read" : in_quotes(names[i])));
    }
    return out + "};\n";
  }
  std::string class_names() const {
    return fmt::format("const char *const {}_class_names[{}] = {{\n  {},\n}};\n", plan_.name, plan_.classes().size(),
                       fmt::join(quoted(plan_.classes(), c_string), ",\n  "));
  }
  std::string equality() const {
    if (!any(TestKind::equals)) return "";
    return fmt::format(
        "static int {}_is(const char *value, const char *level) {{\n"
        "  return value != 0 && strcmp(value, level) == 0;\n"
        "}}\n\n",
        plan_.name);
  }

  const Plan& plan_;
  std::vector<std::string> ids_;
};

}  // namespace

Result<std::string> to_c(const Plan& plan) {
  const CWriter c(plan);
  BranchSyntax syntax;
  syntax.tests = c.tests();
  syntax.open = [&](const std::string& name) { return c.opening(name, plan.diagram.inner_nodes() != 0); };
  syntax.root = plan.name + "_class";
  syntax.others = plan.name + "_node_";
  return c.head("branches") + branches(plan, syntax);
}

std::string to_c(const Ballot& ballot) {
  const Plan& plan = ballot.optimum();
  const CWriter c(plan);
  const std::string& name = plan.name;
  std::string out = c.head("a function of branches for each member of a committee");
  std::string calls;
  for (std::size_t i = 0; i < ballot.plans.size(); ++i) {
    BranchSyntax syntax;
    syntax.tests = c.tests();
    syntax.open = [&](const std::string& f) { return c.opening(f, ballot.plans[i].diagram.inner_nodes() != 0); };
    syntax.root = fmt::format("{}_member_{}", name, i);
    syntax.others = syntax.root + "_node_";
    out += branches(ballot.plans[i], syntax) + "\n";
    calls += fmt::format("  ++votes[{}_member_{}(row)];\n", name, i);
  }
  const std::size_t classes = plan.classes().size();
  out += fmt::format(
      "{}\nvoid {}_votes(const struct {}_row *row, int votes[{}]) {{\n"
      "  int k;\n  for (k = 0; k < {}; ++k) votes[k] = 0;\n{}}}\n\n",
      comment_inline(fmt::format("How many of the {} members answer each class.", ballot.plans.size())), name, name,
      classes, classes, calls);
  out += fmt::format(
      "{0}\n"
      "int {1}_class(const struct {1}_row *row) {{\n"
      "  int votes[{2}], k, best = {1}_member_0(row);\n"
      "  {1}_votes(row, votes);\n"
      "  for (k = 0; k < {2}; ++k)\n"
      "    if (votes[k] > votes[best]) best = k;\n"
      "  return best;\n}}\n",
      comment_inline("A tie goes to the answer of member 0, or else to the first of the tied classes."), name, classes);
  return out;
}

// Children of a node in the table: another row of it, or the class k as -1 - k.
Result<std::string> to_c_table(const Plan& plan) {
  const CWriter c(plan);
  const Diagram& diagram = plan.diagram;
  std::string out = c.head("a table of nodes");
  std::vector<std::int64_t> number(diagram.size());
  std::int64_t count = 0;
  for (std::size_t n = 0; n < diagram.size(); ++n) {
    const DiagramNode& node = diagram.nodes()[n];
    number[n] = node.sink ? -1 - static_cast<std::int64_t>(plan.answer(node)()) : count++;
  }
  if (count == 0)
    return out + c.opening(plan.name + "_class", false) + fmt::format("  return {};\n}}\n", -1 - number[0]);
  out += comment_inline("test, next node where it fails, where it holds; -1 - k is class k") +
         fmt::format("\nstatic const long {}_nodes[{}][3] = {{\n", plan.name, count);
  for (const DiagramNode& node : diagram.nodes())
    if (!node.sink) out += fmt::format("  {{{}, {}, {}}},\n", node.feature(), number[node.low()], number[node.high()]);
  out += "};\n\n";
  out += fmt::format("static int {0}_test(const struct {0}_row *row, long test) {{\n  switch (test) {{\n", plan.name);
  for (std::size_t f = 0; f < plan.tests().size(); ++f)
    out += fmt::format("    case {}: return {};\n", f, condition(plan, c.tests(), Feature{f}));
  out += "  }\n  return 0;\n}\n\n";
  out += c.opening(plan.name + "_class", true);
  out += fmt::format(
      "  long node = 0;\n"
      "  while (node >= 0) node = {0}_nodes[node][{0}_test(row, {0}_nodes[node][0]) ? 2 : 1];\n"
      "  return (int)(-1 - node);\n"
      "}}\n",
      plan.name);
  return out;
}

}  // namespace beadwork::exports
