#include <beadwork/report.hpp>
#include <beadwork/report/arrange.hpp>
#include <beadwork/report/colour.hpp>
#include <beadwork/report/markup.hpp>
#include <beadwork/report/shapes.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace beadwork {
namespace {

using namespace report;

constexpr double kBead = 260;  // a longer label is cut
constexpr double kLineHeight = 13;

std::string feature_or_class(const Sketch& sketch, const DiagramNode& node) {
  if (!node.sink) return sketch.features[node.feature()];
  return node.answer ? std::to_string((*node.answer)()) : "u";
}

std::vector<std::string> lines_of(const Sketch& sketch, std::size_t n) {
  std::vector<std::string> out = sketch.labels[n];
  if (out.empty()) out.push_back(feature_or_class(sketch, sketch.diagram.nodes()[n]));
  for (std::string& line : out) line = fitted(line, kBead, kText);
  return out;
}

std::string fill_of(const DiagramNode& node) {
  return node.sink && node.answer ? class_colour((*node.answer)()) : "#ffffff";
}

void check_sketch(const Sketch& sketch) {
  require(sketch.labels.size() == sketch.diagram.size(), "Sketch: labels for every node");
  for (const DiagramNode& node : sketch.diagram.nodes())
    require(node.sink || node.feature() < sketch.features.size(), "Sketch: a name for every feature");
}

std::string node_shape(const Sketch& sketch, const Layout::PlacedNode& placed, std::size_t n) {
  const DiagramNode& node = sketch.diagram.nodes()[n];
  const std::string fill = fill_of(node);
  std::string out = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" fill=\"{}\" stroke=\"{}\"/>",
      -placed.rx, -placed.ry, 2 * placed.rx, 2 * placed.ry, node.sink ? 0 : 9, fill, kLine);
  const std::vector<std::string> lines = lines_of(sketch, n);
  double y = 4 - kLineHeight / 2 * static_cast<double>(lines.size() - 1);
  for (const std::string& line : lines) {
    out += text_tag(0, y, kText, line, fmt::format("fill=\"{}\"", node.sink ? ink_on(fill) : "#20262c"));
    y += kLineHeight;
  }
  return out;
}

}  // namespace

Layout lay_out(const Sketch& sketch) {
  check_sketch(sketch);
  Layout layout;
  layout.ordered = false;  // nodes are boxes, wide enough for their labels
  const Levels levels = levels_of(sketch.diagram);
  std::vector<double> half_widths;
  for (std::size_t n = 0; n < sketch.diagram.size(); ++n) {
    double half = kRadius;
    for (const std::string& line : lines_of(sketch, n)) half = std::max(half, text_width(line, kText) / 2 + 9);
    layout.nodes.push_back(
        {0, 0, half, kRadius, levels.of[n], fmt::format("{}", fmt::join(lines_of(sketch, n), " ")), {}});
    half_widths.push_back(half);
  }
  const LevelWords words = [&](std::size_t level, const Shorten& shorten) {
    return level < levels.features.size() ? shorten(sketch.features[levels.features[level]()]) : std::string();
  };
  arrange(sketch.diagram, levels, half_widths, words, layout);
  return layout;
}

std::string to_svg(const Sketch& sketch) {
  constexpr double kHead = 40;
  constexpr double kKey = 20;
  const Layout layout = lay_out(sketch);
  const std::string head = fitted(sketch.title, 700, 14);
  const std::string key = "dashed: 0, solid: 1";
  const double width = std::max({layout.width, 24 + kBold * text_width(head, 14), 24 + text_width(key, 10.5)});
  const double shift = (width - layout.width) / 2;
  const double height = kHead + layout.height + kKey;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"{2}\" fill=\"#20262c\">\n",
      std::ceil(width), std::ceil(height), kFaces);
  out += "<title id=\"title\">" + xml_text(printable(sketch.title, 1000)) + "</title>\n";
  out += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  out += text_tag(12, 24, 14, head, "font-weight=\"bold\"") + "\n";
  for (const Layout::LevelName& level : layout.levels)
    out += text_tag(12, kHead + level.y + 4, kText, level.text, "fill=\"#56616b\"") + "\n";
  out += fmt::format("<g transform=\"translate({:.1f} {})\" text-anchor=\"middle\">\n", shift, kHead);
  for (const Layout::PlacedEdge& edge : layout.edges)
    out += fmt::format("<path class=\"edge\" data-from=\"{}\" data-high=\"{}\" d=\"{}\" {}/>\n", edge.from(),
                       edge.high ? 1 : 0, curve_data(edge.points), edge_style(edge.high, 1.4, kLine));
  for (std::size_t n = 0; n < layout.nodes.size(); ++n) {
    const Layout::PlacedNode& placed = layout.nodes[n];
    out += fmt::format("<g class=\"{}\" data-node=\"{}\" transform=\"translate({:.1f} {:.1f})\">{}</g>\n",
                       sketch.diagram.nodes()[n].sink ? "sink" : "node", n, placed.x, placed.y,
                       node_shape(sketch, placed, n));
  }
  out += "</g>\n" + text_tag(12, height - 14, 10.5, key, "fill=\"#56616b\"");
  return out + "\n</svg>\n";
}

std::string to_dot(const Sketch& sketch) {
  check_sketch(sketch);
  const Levels levels = levels_of(sketch.diagram);
  std::string out = fmt::format(
      "digraph beads {{\n"
      "  label=\"{}\\ndashed: 0, solid: 1\"; labelloc=t; fontname=\"Helvetica\";\n"
      "  node [fontname=\"Helvetica\", fontsize=11]; edge [arrowhead=none];\n",
      dot_text(printable(sketch.title, 1000)));
  std::vector<std::string> ranks(levels.count);
  for (std::size_t n = 0; n < sketch.diagram.size(); ++n) {
    const DiagramNode& node = sketch.diagram.nodes()[n];
    std::vector<std::string> lines = lines_of(sketch, n);
    for (std::string& line : lines) line = dot_text(line);
    const std::string fill = fill_of(node);
    out += fmt::format(
        "  n{} [{}, label=\"{}\"];\n", n,
        node.sink ? fmt::format("shape=box, style=filled, fillcolor=\"{}\", fontcolor=\"{}\"", fill, ink_on(fill))
                  : "shape=box, style=rounded",
        fmt::join(lines, "\\n"));
    ranks[levels.of[n]] += fmt::format(" n{};", n);
  }
  std::string column;
  for (std::size_t l = 0; l < levels.features.size(); ++l) {
    out += fmt::format("  level{0} [shape=plaintext, label=\"{1}\"];\n  {{ rank=same; level{0};{2} }}\n", l,
                       dot_text(printable(sketch.features[levels.features[l]()], 40)), ranks[l]);
    column += fmt::format("{}level{}", l == 0 ? "" : " -> ", l);
  }
  if (!levels.features.empty()) out += "  " + column + " [style=invis, weight=100];\n";
  out += fmt::format("  {{ rank=sink;{} }}\n", ranks.back());
  for (std::size_t n = 0; n < sketch.diagram.size(); ++n) {
    const DiagramNode& node = sketch.diagram.nodes()[n];
    if (!node.sink)
      out += fmt::format("  n{0} -> n{1} [style=dashed];\n  n{0} -> n{2} [style=solid];\n", n, node.low(), node.high());
  }
  return out + "}\n";
}

// As with a model: where a node is met again, its number stands for what is below it.
std::string text_diagram(const Sketch& sketch) {
  check_sketch(sketch);
  const Diagram& diagram = sketch.diagram;
  std::vector<std::size_t> degree(diagram.size());
  for (const DiagramNode& node : diagram.nodes()) {
    if (node.sink) continue;
    ++degree[node.low()];
    ++degree[node.high()];
  }
  std::vector<bool> seen(diagram.size());
  struct Line {
    Node node;
    std::size_t depth;
    const char* edge;
  };
  std::string out;
  std::vector<Line> open{{Node{0}, 0, ""}};
  while (!open.empty()) {
    const Line line = open.back();
    open.pop_back();
    const std::size_t n = line.node();
    const DiagramNode& node = diagram[line.node];
    const bool again = seen[n];
    seen[n] = true;
    out += std::string(2 * line.depth, ' ') + line.edge;
    if (!node.sink && degree[n] > 1) out += fmt::format("#{} ", n);
    out += printable(feature_or_class(sketch, node));
    if (!node.sink && !sketch.labels[n].empty()) out += fmt::format(" [{}]", fmt::join(sketch.labels[n], " -> "));
    out += again && !node.sink ? " (above)\n" : "\n";
    if (node.sink || again) continue;
    open.push_back({node.high, line.depth + 1, "1: "});
    open.push_back({node.low, line.depth + 1, "0: "});
  }
  return out;
}

}  // namespace beadwork
