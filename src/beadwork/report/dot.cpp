#include <beadwork/report.hpp>
#include <beadwork/report/colour.hpp>
#include <beadwork/report/layers.hpp>
#include <beadwork/report/markup.hpp>
#include <beadwork/report/wording.hpp>

#include <fmt/format.h>

namespace beadwork {
namespace {

using namespace report;

std::string cut(std::string_view name) {
  return printable(name, 40);
}

std::string inner_node(const Model& model, const NodeCounts& counts, Node n, bool ordered) {
  const Feature f = model.diagram()[n].feature;
  const std::string tip = test_words(model, f, true, shown, kPlain) + ": " + rows_words(model, counts.total(n));
  const std::string rows = short_weight(model, counts.total(n));
  const std::string label =
      ordered ? dot_text(rows) : dot_text(test_words(model, f, true, cut, kPlain)) + "\\n" + dot_text(rows);
  return fmt::format("  n{} [shape={}, label=\"{}\", tooltip=\"{}\"];\n", n(),
                     ordered ? "circle, fixedsize=true, width=0.55" : "box, style=rounded", label, dot_text(tip));
}

std::string sink_node(const Model& model, const NodeCounts& counts, Node n) {
  const std::optional<Class>& answer = model.diagram()[n].answer;
  const std::int64_t total = counts.total(n);
  const std::int64_t right = right_weight(counts.at[n()], answer);
  const std::string fill = answer ? class_colour((*answer)()) : "#ffffff";
  const std::string evidence =
      total == 0 ? "no training rows" : probability_words(right, total) + ", " + share_words(model, right, total);
  return fmt::format(
      "  n{} [shape=box, style=filled, fillcolor=\"{}\", fontcolor=\"{}\", label=\"{}\\n{}\", "
      "tooltip=\"{}\"];\n",
      n(), fill, ink_on(fill), dot_text(answer_words(model, answer, cut)), dot_text(evidence),
      dot_text(answer_words(model, answer) + ": " + evidence));
}

std::string edge(const Model& model, Node from, Node to, bool high, std::int64_t weight, std::int64_t total) {
  const double share = total == 0 ? 0 : static_cast<double>(weight) / static_cast<double>(total);
  const std::string tip =
      test_words(model, model.diagram()[from].feature, high, shown, kPlain) + ": " + rows_words(model, weight);
  return fmt::format("  n{} -> n{} [style={}, penwidth={:.2f}{}, edgetooltip=\"{}\"];\n", from(), to(),
                     high ? "solid" : "dashed", 1 + 3 * share, weight == 0 ? ", color=\"#999999\"" : "", dot_text(tip));
}

// Comes first, and has invisible edges to the right within each rank, so that Graphviz leaves it at the left.
std::string name_column(const Model& model, const Levels& levels) {
  std::vector<std::string> rank(levels.count);
  for (std::size_t n = 0; n < levels.of.size(); ++n) rank[levels.of[n]] += fmt::format(" n{}", n);
  std::string out;
  std::string column;
  for (std::size_t l = 0; l < levels.count; ++l) {
    out += fmt::format("  level{} [shape=plaintext, label=\"{}\", tooltip=\"{}\"];\n", l,
                       dot_text(level_words(model, levels, l, cut, kPlain)),
                       dot_text(level_words(model, levels, l, shown, kPlain)));
    out += fmt::format("  {{ rank=same; level{0}; level{0} -> {{{1} }} [style=invis, weight=0]; }}\n", l, rank[l]);
    column += fmt::format("{}level{}", l == 0 ? "" : " -> ", l);
  }
  return out + "  " + column + " [style=invis, weight=100];\n";
}

}  // namespace

std::string to_dot(const Model& model) {
  const Diagram& diagram = model.diagram();
  const NodeCounts counts = node_counts(diagram, model.counts());
  const Levels levels = levels_of(model);
  std::string out = fmt::format(
      "digraph model {{\n"
      "  label=\"{}: {}\\nsolid: the test passes, dashed: it fails\";\n"
      "  labelloc=t; fontname=\"Helvetica\"; nodesep=0.35; ranksep=0.55;\n"
      "  node [fontname=\"Helvetica\", fontsize=11]; edge [arrowhead=none];\n",
      dot_text(cut(model.binarizer().target())), dot_text(summary(model)));
  out += name_column(model, levels);
  for (std::size_t n = 0; n < diagram.size(); ++n)
    out += diagram.nodes()[n].sink ? sink_node(model, counts, Node{n})
                                   : inner_node(model, counts, Node{n}, levels.by_feature);
  for (std::size_t n = 0; n < diagram.size(); ++n) {
    const DiagramNode& node = diagram.nodes()[n];
    if (node.sink) continue;
    out += edge(model, Node{n}, node.low, false, counts.low[n], counts.total(Node{0}));
    out += edge(model, Node{n}, node.high, true, counts.high[n], counts.total(Node{0}));
  }
  return out + "}\n";
}

}  // namespace beadwork
