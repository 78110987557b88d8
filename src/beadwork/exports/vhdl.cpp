#include <beadwork/exports/circuit.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

// VHDL-93. Constants are bit strings: an integer of VHDL need have 32 bits only.
namespace beadwork::exports {
namespace {

std::string bit_string(std::uint64_t value, std::size_t width) {
  std::string out;
  for (std::size_t i = width; i-- > 0;) out += i < 64 && ((value >> i) & 1U) != 0 ? '1' : '0';
  return '"' + out + '"';
}

std::string vhdl_number(std::int64_t value, std::size_t width) {
  return fmt::format("signed'({})", bit_string(static_cast<std::uint64_t>(value), width));
}

std::string vhdl_code(std::size_t value, std::size_t width) {
  return fmt::format("unsigned'({})", bit_string(value, width));
}

const WireTests& vhdl_tests() {
  static const WireTests tests{"{1} = '1'",
                               "{1} = '0'",
                               "{1} = '0' and {0} <= {2}",
                               "{0} = {2}",
                               "{0} >= {2} and {0} <= {3}",
                               "false",
                               "{0} = '1'",
                               " or ",
                               vhdl_number,
                               vhdl_code};
  return tests;
}

std::string vhdl_ports(const Wires& wires, std::size_t width) {
  std::string out;
  for (std::size_t i = 0; i < wires.ids.size(); ++i) {
    const bool number = !wires.missing[i].empty();
    if (number) out += fmt::format("    {} : in std_logic;\n", wires.missing[i]);
    if (wires.width[i] == 0)
      out += fmt::format("    {} : in std_logic;\n", wires.ids[i]);
    else
      out += fmt::format("    {} : in {}({} downto 0);\n", wires.ids[i], number ? "signed" : "unsigned",
                         wires.width[i] - 1);
  }
  return out + fmt::format("    class_index : out std_logic_vector({} downto 0)\n", width - 1);
}

}  // namespace

Result<std::string> to_vhdl(const Plan& plan) {
  const Wires wires = wires_of(plan);
  const std::size_t width = class_width(plan);
  std::vector<std::string> lines = describe_circuit(plan, wires);
  for (std::string& line : lines) line = ascii(line);
  std::string name = plan.name;
  while (name.ends_with('_')) name.pop_back();
  name += "_model";
  std::string out =
      comment_lines(lines, "-- ") + "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\n\n";
  out += fmt::format("entity {0} is\n  port (\n{1}  );\nend {0};\n\narchitecture diagram of {0} is\n", name,
                     vhdl_ports(wires, width));
  const Diagram& diagram = plan.diagram;
  const auto value = [&](Node n) {
    return diagram[n].sink ? bit_string(plan.answer(diagram[n])(), width) : fmt::format("n{}", n());
  };
  std::string body;
  for (std::size_t n = 0; n < diagram.size(); ++n) {
    const DiagramNode& node = diagram.nodes()[n];
    if (node.sink) continue;
    out += fmt::format("  signal n{} : std_logic_vector({} downto 0);\n", n, width - 1);
    body += fmt::format("  n{} <= {} when {} else {};\n", n, value(node.high),
                        wire_condition(plan, wires, vhdl_tests(), node.feature), value(node.low));
  }
  return out + fmt::format("begin\n{}  class_index <= {};\nend diagram;\n", body, value(Node{0}));
}

}  // namespace beadwork::exports
