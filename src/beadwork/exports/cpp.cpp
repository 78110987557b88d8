#include <beadwork/exports/branches.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

std::string cpp_condition(const Plan& plan, const std::vector<std::string>& ids, Feature f) {
  if (!plan.raw()) return "row." + ids[f()];
  const Test& test = plan.tests()[f()];
  const std::string& id = ids[test.column];
  switch (test.kind) {
    case TestKind::at_most:
      return fmt::format("row.{} <= {}", id, format_number(test.threshold));
    case TestKind::missing:
      return plan.columns()[test.column].type == ColumnType::numeric ? fmt::format("std::isnan(row.{})", id)
                                                                     : fmt::format("!row.{}", id);
    case TestKind::equals:
      break;
  }
  return fmt::format("row.{} == {}sv", id, c_string(test.level));
}

std::string row_type(const Plan& plan, const std::vector<std::string>& ids) {
  const std::vector<std::string> names = plan.input_names();
  std::string out = "struct Row {\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool text = plan.raw() && plan.columns()[i].type == ColumnType::nominal;
    out += fmt::format("  {} {}{{}};  {}\n",
                       text         ? "std::optional<std::string_view>"
                       : plan.raw() ? "double"
                                    : "bool",
                       ids[i], comment_inline(in_quotes(names[i])));
  }
  return out + "};\n";
}

}  // namespace

Result<std::string> to_cpp(const Plan& plan) {
  const std::vector<std::string> ids = input_identifiers(plan);
  std::vector<std::string> lines = describe(plan, ids, {"NaN", "std::nullopt"});
  lines.push_back(fmt::format("C++17. {}_model::classify returns the index of the class.", plan.name));
  std::string out = comment_block(lines);
  out += "#include <cmath>\n#include <optional>\n#include <string_view>\n\n";
  out += fmt::format("namespace {}_model {{\n\nusing namespace std::string_view_literals;\n\n{}\n", plan.name,
                     row_type(plan, ids));
  out += fmt::format("inline constexpr std::string_view class_names[{}] = {{", plan.classes().size());
  for (const std::string& name : plan.classes()) out += fmt::format("\n    {}sv,", c_string(name));
  out += "\n};\n\n";
  BranchSyntax syntax;
  syntax.condition = [&](Feature f) { return cpp_condition(plan, ids, f); };
  syntax.open = [&](const std::string& name) {
    return fmt::format("inline int {}(const Row&{}) {{\n", name, plan.diagram.inner_nodes() == 0 ? "" : " row");
  };
  return out + branches(plan, syntax) + fmt::format("\n}}  // namespace {}_model\n", plan.name);
}

}  // namespace beadwork::exports
