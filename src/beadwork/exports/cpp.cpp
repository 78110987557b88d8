#include <beadwork/exports/branches.hpp>
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

}  // namespace

Result<std::string> to_cpp(const Plan& plan) {
  const std::vector<std::string> ids = input_identifiers(plan);
  std::vector<std::string> lines = describe(plan, ids, {"NaN", "std::nullopt"});
  lines.push_back(fmt::format("C++17. {}_model::classify returns the index of the class.", plan.name));
  std::string out = comment_block(lines);
  out += "#include <cmath>\n#include <optional>\n#include <string_view>\n\n";
  out += fmt::format("namespace {}_model {{\n\nusing namespace std::string_view_literals;\n\n{}\n", plan.name,
                     row_type(plan, ids));
  out += fmt::format("inline constexpr std::string_view class_names[{}] = {{\n    {}sv,\n}};\n\n",
                     plan.classes().size(), fmt::join(quoted(plan.classes(), c_string), "sv,\n    "));
  BranchSyntax syntax;
  syntax.tests = {ids, "row.{}", "row.{} <= {}", "std::isnan(row.{})", "!row.{}", "row.{} == {}sv", c_string};
  syntax.open = [&](const std::string& name) {
    return fmt::format("inline int {}(const Row&{}) {{\n", name, plan.diagram.inner_nodes() == 0 ? "" : " row");
  };
  return out + branches(plan, syntax) + fmt::format("\n}}  // namespace {}_model\n", plan.name);
}

}  // namespace beadwork::exports
