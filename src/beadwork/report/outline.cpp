#include <beadwork/report.hpp>
#include <beadwork/report/wording.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

using namespace report;

std::vector<std::size_t> in_degrees(const Diagram& diagram) {
  std::vector<std::size_t> degree(diagram.size());
  for (const DiagramNode& node : diagram.nodes()) {
    if (node.sink) continue;
    ++degree[node.low()];
    ++degree[node.high()];
  }
  return degree;
}

std::string sink_words(const Model& model, const NodeCounts& counts, Node n, bool shared) {
  const std::optional<Class>& answer = model.diagram()[n].answer;
  const std::int64_t total = counts.total(n);
  const std::string name = answer_words(model, answer);
  if (total == 0) return name + " (no training rows)";
  const std::int64_t right = right_weight(counts.at[n()], answer);
  return fmt::format("{} ({}{}, {})", name, shared ? "in all " : "", probability_words(right, total),
                     share_words(model, right, total));
}

}  // namespace

// A node that several edges lead to carries its number; where it is met again the number stands for what is below it.
// Beyond some depth a line stands no further to the right, and its depth is told.
std::string text_diagram(const Model& model) {
  constexpr std::size_t kDeepest = 40;
  const Diagram& diagram = model.diagram();
  const NodeCounts counts = node_counts(diagram, model.counts());
  const std::vector<std::size_t> degree = in_degrees(diagram);
  std::vector<bool> seen(diagram.size());
  struct Line {
    Node node;
    std::size_t depth;
    const char* edge;
  };
  std::string out = fmt::format("Predicts {}: {}\n\n", shown(model.binarizer().target()), summary(model));
  std::vector<Line> todo{{Node{0}, 0, ""}};
  while (!todo.empty()) {
    const Line line = todo.back();
    todo.pop_back();
    const DiagramNode& node = diagram[line.node];
    const bool shared = degree[line.node()] > 1;
    const bool again = seen[line.node()];
    seen[line.node()] = true;
    out += std::string(2 * std::min(line.depth, kDeepest), ' ');
    if (line.depth > kDeepest) out += fmt::format("[{}] ", line.depth);
    out += line.edge;
    if (node.sink) {
      out += "=> ";
      out += again ? answer_words(model, node.answer) : sink_words(model, counts, line.node, shared);
    } else {
      if (shared) out += fmt::format("#{} ", line.node());
      out += test_words(model, node.feature, true, shown, kPlain) + "?";
      out += again ? " (above)" : " (" + rows_words(model, counts.total(line.node)) + ")";
    }
    out += "\n";
    if (node.sink || again) continue;
    todo.push_back({node.high, line.depth + 1, "yes: "});
    todo.push_back({node.low, line.depth + 1, "no:  "});
  }
  return out;
}

}  // namespace beadwork
