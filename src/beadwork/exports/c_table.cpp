#include <beadwork/exports/c_writer.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

// Children of a node in the table: another row of it, or the class k as -1 - k.
std::vector<std::int64_t> numbers_in_table(const Plan& plan) {
  std::vector<std::int64_t> out(plan.diagram.size());
  std::int64_t count = 0;
  for (std::size_t n = 0; n < out.size(); ++n) {
    const DiagramNode& node = plan.diagram.nodes()[n];
    out[n] = node.sink ? -1 - static_cast<std::int64_t>(plan.answer(node)()) : count++;
  }
  return out;
}

std::string node_table(const Plan& plan, const std::vector<std::int64_t>& number) {
  const bool paths = plan.options.probabilities;
  std::string out =
      comment_inline(std::string("test, next node where it fails, where it holds; -1 - k is class k") +
                     (paths ? "; the paths below where it fails" : "")) +
      fmt::format("\nstatic const long {}_nodes[{}][{}] = {{\n", plan.name, plan.diagram.inner_nodes(), paths ? 4 : 3);
  for (const DiagramNode& node : plan.diagram.nodes())
    if (!node.sink)
      out += fmt::format("  {{{}, {}, {}{}}},\n", node.feature(), number[node.low()], number[node.high()],
                         paths ? fmt::format(", {}", plan.diagram.num_paths(node.low)) : "");
  return out + "};\n\n";
}

std::string path_function(const Plan& plan, const CWriter& c) {
  if (!plan.options.probabilities) return "";
  const bool walks = plan.diagram.inner_nodes() != 0;
  std::string out = "\n" + c.opening(plan.name + "_path", walks);
  if (!walks) return out + "  return 0;\n}\n" + c.shares();
  out += fmt::format(
      "  long node = 0, path = 0;\n"
      "  while (node >= 0) {{\n"
      "    const int holds = {0}_test(row, {0}_nodes[node][0]);\n"
      "    if (holds) path += {0}_nodes[node][3];\n"
      "    node = {0}_nodes[node][holds ? 2 : 1];\n"
      "  }}\n"
      "  return path;\n}}\n",
      plan.name);
  return out + c.shares();
}

}  // namespace

Result<std::string> to_c_table(const Plan& plan) {
  const CWriter c(plan);
  const std::vector<std::int64_t> number = numbers_in_table(plan);
  std::string out = c.head("a table of nodes");
  if (plan.diagram.inner_nodes() == 0)
    return out + c.opening(plan.name + "_class", false) + fmt::format("  return {};\n}}\n", -1 - number[0]) +
           path_function(plan, c);
  out += node_table(plan, number);
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
  return out + path_function(plan, c);
}

}  // namespace beadwork::exports
