#include <beadwork/exports/circuit.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

std::string verilog_number(std::int64_t value, std::size_t width) {
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  return fmt::format("{}'sh{:x}", width, static_cast<std::uint64_t>(value) & mask);
}

std::string verilog_code(std::size_t value, std::size_t width) {
  return fmt::format("{}'d{}", width, value);
}

const WireTests& verilog_tests() {
  static const WireTests tests{"{1}", "!{1}", "!{1} && {0} <= {2}", "{0} == {2}", "{0} >= {2} && {0} <= {3}", "1'b0",
                               "{0}", " || ", verilog_number,       verilog_code};
  return tests;
}

std::string verilog_inputs(const Wires& wires) {
  std::string out;
  for (std::size_t i = 0; i < wires.ids.size(); ++i) {
    const bool number = !wires.missing[i].empty();
    if (number) out += fmt::format("  input wire {},\n", wires.missing[i]);
    const std::string range = wires.width[i] == 0 ? "" : fmt::format("[{}:0] ", wires.width[i] - 1);
    out += fmt::format("  input wire {}{}{},\n", number ? "signed " : "", range, wires.ids[i]);
  }
  return out;
}

}  // namespace

// Nodes from the sinks up, so that each is declared before it is used.
Result<std::string> to_verilog(const Plan& plan) {
  const Wires wires = wires_of(plan);
  const std::size_t width = class_width(plan);
  std::string out = comment_lines(describe_circuit(plan, wires), "// ") + fmt::format("module {}_model(\n", plan.name);
  out += verilog_inputs(wires) + fmt::format("  output wire [{}:0] class_index\n);\n", width - 1);
  const Diagram& diagram = plan.diagram;
  const auto value = [&](Node n) {
    return diagram[n].sink ? fmt::format("{}'d{}", width, plan.answer(diagram[n])()) : fmt::format("n{}", n());
  };
  for (std::size_t n = diagram.size(); n-- > 0;) {
    const DiagramNode& node = diagram.nodes()[n];
    if (node.sink) continue;
    const std::string test = wire_condition(plan, wires, verilog_tests(), node.feature);
    out += fmt::format("  wire [{}:0] n{} = {} ? {} : {};\n", width - 1, n, plan.raw() ? "(" + test + ")" : test,
                       value(node.high), value(node.low));
  }
  return out + fmt::format("  assign class_index = {};\nendmodule\n", value(Node{0}));
}

}  // namespace beadwork::exports
