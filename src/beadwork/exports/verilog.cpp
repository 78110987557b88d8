#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

#include <bit>

namespace beadwork::exports {

// Nodes from the sinks up, so that each is declared before it is used.
Result<std::string> to_verilog(const Plan& plan) {
  const std::vector<std::string> ids = input_identifiers(plan);
  const std::size_t last = plan.classes().size() - 1;
  const std::size_t width = std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(last)));
  std::vector<std::string> lines = describe(plan, ids);
  lines.emplace_back("Output: class_index, the index of the class");
  std::string out = comment_lines(lines, "// ") + fmt::format("module {}_model(\n", plan.name);
  for (const std::string& id : ids) out += fmt::format("  input wire {},\n", id);
  out += fmt::format("  output wire [{}:0] class_index\n);\n", width - 1);
  const Diagram& diagram = plan.diagram;
  const auto value = [&](Node n) {
    return diagram[n].sink ? fmt::format("{}'d{}", width, plan.answer(diagram[n])()) : fmt::format("n{}", n());
  };
  for (std::size_t n = diagram.size(); n-- > 0;) {
    const DiagramNode& node = diagram.nodes()[n];
    if (!node.sink)
      out += fmt::format("  wire [{}:0] n{} = {} ? {} : {};\n", width - 1, n, ids[node.feature()], value(node.high),
                         value(node.low));
  }
  return out + fmt::format("  assign class_index = {};\nendmodule\n", value(Node{0}));
}

}  // namespace beadwork::exports
