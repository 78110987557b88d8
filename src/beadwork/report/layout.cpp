#include <beadwork/report.hpp>
#include <beadwork/report/arrange.hpp>
#include <beadwork/report/layers.hpp>
#include <beadwork/report/markup.hpp>
#include <beadwork/report/routing.hpp>
#include <beadwork/report/wording.hpp>

#include <algorithm>
#include <cmath>

namespace beadwork {
namespace {

using namespace report;

constexpr double kNote = 10.5;
constexpr double kMargin = 12;
constexpr double kCaption = 40;   // below the sinks
constexpr double kCloser = 6;     // captions may come this much nearer to each other than shapes
constexpr double kPicture = 760;  // a picture may be this wide for the sake of long names

Shorten at_most_wide(double width) {
  return [width](std::string_view name) { return fitted(name, width, kText); };
}

// Labels and sizes; returns the room that each node needs to either side.
std::vector<double> dress(const Model& model, const Levels& levels, Layout& layout) {
  const Diagram& diagram = model.diagram();
  const NodeCounts counts = node_counts(diagram, model.counts());
  const std::size_t sinks = diagram.size() - diagram.inner_nodes();
  std::vector<double> half_widths;
  for (std::size_t n = 0; n < diagram.size(); ++n) {
    const DiagramNode& node = diagram.nodes()[n];
    Layout::PlacedNode placed{0, 0, kRadius, kRadius, levels.of[n], {}, {}};
    double half = kRadius;
    if (node.sink) {
      placed.label = answer_words(model, node.answer,
                                  at_most_wide(std::clamp(kPicture / static_cast<double>(sinks) - 40, 90.0, 260.0)));
      const std::int64_t total = counts.total(Node{n});
      placed.note = total == 0 ? "no rows"
                               : weight_words(model, right_weight(counts.at[n], node.answer)) + " of " +
                                     weight_words(model, total);
      half = std::max(
          {half, kBold * text_width(placed.label, kText) / 2 - kCloser, text_width(placed.note, kNote) / 2 - kCloser});
    } else if (levels.by_feature) {
      placed.label = short_weight(model, counts.total(Node{n}));
    } else {
      placed.label = test_words(model, node.feature, true, at_most_wide(levels.count <= 4 ? 180 : 110));
      placed.rx = half = std::max(kRadius, text_width(placed.label, kText) / 2 + 11);
    }
    half_widths.push_back(half);
    layout.nodes.push_back(std::move(placed));
  }
  return half_widths;
}

// Levels stand further apart where edges between them go far sideways.
void stack_levels(const LevelWords& words, const Levels& levels, const Layers& layers, const std::vector<double>& x,
                  double names, Layout& layout) {
  std::vector<double> furthest(levels.count);
  for (Vertex v = 0; v < layers.num_vertices(); ++v)
    for (const Vertex w : layers.down[v])
      furthest[layers.level[v]] = std::max(furthest[layers.level[v]], std::abs(x[w] - x[v]));
  double y = kMargin + kRadius;
  for (std::size_t l = 0; l < levels.count; ++l) {
    layout.levels.push_back({words(l, at_most_wide(names)), words(l, shown), y});
    y += 2 * kRadius + std::clamp(26 + 0.16 * furthest[l], 36.0, 110.0);
  }
  for (Layout::PlacedNode& node : layout.nodes) node.y = layout.levels[node.level].y;
  layout.height = layout.levels.back().y + kRadius + kCaption + kMargin;
}

// From the left end of the leftmost vertex to the right end of the rightmost.
std::pair<double, double> extent(const Layers& layers, const std::vector<double>& x) {
  double left = 0;
  double right = 0;
  for (Vertex v = 0; v < x.size(); ++v) {
    const double half = layers.half_width[v] + kCloser;
    left = v == 0 ? x[v] - half : std::min(left, x[v] - half);
    right = v == 0 ? x[v] + half : std::max(right, x[v] + half);
  }
  return {left, right};
}

}  // namespace

void report::arrange(const Diagram& diagram, const Levels& levels, const std::vector<double>& half_widths,
                     const LevelWords& words, Layout& layout) {
  Layers layers = make_layers(diagram, levels, half_widths);
  reduce_crossings(layers);
  std::vector<double> x = place(layers);
  const auto [left, right] = extent(layers, x);
  stack_levels(words, levels, layers, x, std::clamp(kPicture - (right - left), 170.0, 420.0), layout);

  for (const Layout::LevelName& name : layout.levels)
    layout.names_width = std::max(
        layout.names_width, 3 * kMargin + text_width(name.text, kText) * (&name == &layout.levels.back() ? kBold : 1));
  for (double& at : x) at += layout.names_width - left;
  layout.width = layout.names_width + right - left + kMargin;
  for (std::size_t n = 0; n < layout.nodes.size(); ++n) layout.nodes[n].x = x[n];
  route_edges(layers, x, layout);
}

Layout lay_out(const Model& model) {
  Layout layout;
  const Levels levels = levels_of(model);
  layout.ordered = levels.by_feature;
  const std::vector<double> half_widths = dress(model, levels, layout);
  const LevelWords words = [&](std::size_t level, const Shorten& shorten) {
    return level_words(model, levels, level, shorten);
  };
  arrange(model.diagram(), levels, half_widths, words, layout);

  const NodeCounts counts = node_counts(model.diagram(), model.counts());
  const double total = static_cast<double>(counts.total(Node{0}));
  for (Layout::PlacedEdge& edge : layout.edges)
    if (total > 0) edge.share = static_cast<double>((edge.high ? counts.high : counts.low)[edge.from()]) / total;
  return layout;
}

}  // namespace beadwork
