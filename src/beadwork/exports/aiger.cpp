#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace beadwork::exports {
namespace {

using Literal = std::uint64_t;  // 0 false, 1 true, 2v a variable, 2v + 1 its negation

class Gates {
 public:
  explicit Gates(std::size_t inputs) : inputs_(inputs) {}
  Literal both(Literal a, Literal b) {
    if (a < b) std::swap(a, b);
    if (b == 0 || a == (b ^ 1U)) return 0;
    if (b == 1 || a == b) return a;
    const auto [it, fresh] = known_.try_emplace({a, b}, 2 * (inputs_ + gates_.size() + 1));
    if (fresh) gates_.push_back({it->second, a, b});
    return it->second;
  }
  Literal either(Literal a, Literal b) { return both(a ^ 1U, b ^ 1U) ^ 1U; }
  std::size_t size() const { return gates_.size(); }
  std::string text() const {
    std::string out;
    for (const auto& [output, a, b] : gates_) out += fmt::format("{} {} {}\n", output, a, b);
    return out;
  }

 private:
  struct Gate {
    Literal output, a, b;
  };
  std::size_t inputs_;
  std::vector<Gate> gates_;
  std::map<std::pair<Literal, Literal>, Literal> known_;
};

// As in BLIF: a signal a node, whether the row comes by.
std::vector<Literal> output_literals(const Plan& plan, const Outputs& outputs, Gates& gates) {
  const Diagram& diagram = plan.diagram;
  std::vector<Literal> reached(diagram.size(), 0);
  reached[0] = 1;
  std::vector<Literal> out(outputs.classes.size(), 0);
  const auto wanted = [&](Node n) {
    const DiagramNode& node = diagram[n];
    return !node.sink ||
           std::find(outputs.classes.begin(), outputs.classes.end(), node.answer) != outputs.classes.end();
  };
  for (std::size_t n = 0; n < diagram.size(); ++n) {
    const DiagramNode& node = diagram.nodes()[n];
    if (node.sink) {
      for (std::size_t i = 0; i < out.size(); ++i)
        if (node.answer == outputs.classes[i]) out[i] = gates.either(out[i], reached[n]);
      continue;
    }
    const Literal test = 2 * (node.feature() + 1);
    for (const auto& [child, literal] : {std::pair{node.low, test ^ 1U}, std::pair{node.high, test}})
      if (wanted(child)) reached[child()] = gates.either(reached[child()], gates.both(reached[n], literal));
  }
  return out;
}

}  // namespace

Result<std::string> to_aiger(const Plan& plan) {
  const std::vector<std::string> ids = input_identifiers(plan);
  const Outputs outputs = outputs_of(plan);
  Gates gates(ids.size());
  const std::vector<Literal> literals = output_literals(plan, outputs, gates);
  std::string out =
      fmt::format("aag {} {} 0 {} {}\n", ids.size() + gates.size(), ids.size(), literals.size(), gates.size());
  for (std::size_t i = 0; i < ids.size(); ++i) out += fmt::format("{}\n", 2 * (i + 1));
  for (const Literal l : literals) out += fmt::format("{}\n", l);
  out += gates.text();
  for (std::size_t i = 0; i < ids.size(); ++i) out += fmt::format("i{} {}\n", i, ids[i]);
  for (std::size_t i = 0; i < literals.size(); ++i) out += fmt::format("o{} {}\n", i, outputs.identifiers[i]);
  std::vector<std::string> lines = describe(plan, ids);
  describe_outputs(plan, outputs, lines);
  for (std::string& line : lines) line = ascii(line);
  return out + "c\n" + comment_lines(lines, "");
}

}  // namespace beadwork::exports
