#include <beadwork/report/layers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace beadwork::report {
namespace {

constexpr std::size_t kMostBends = 50'000;

// The tested features so that every edge leads onwards: by Kahn's algorithm, the smallest number that may come next.
std::vector<Feature> feature_order(const Diagram& diagram) {
  std::map<Feature, std::vector<Feature>> after;
  std::map<Feature, std::size_t> waiting;
  for (const DiagramNode& node : diagram.nodes()) {
    if (node.sink) continue;
    waiting.try_emplace(node.feature, 0);
    for (const Node child : {node.low, node.high}) {
      if (diagram[child].sink) continue;
      after[node.feature].push_back(diagram[child].feature);
      ++waiting[diagram[child].feature];
    }
  }
  std::set<Feature> ready;
  for (const auto& [feature, count] : waiting)
    if (count == 0) ready.insert(feature);
  std::vector<Feature> order;
  while (!ready.empty()) {
    order.push_back(*ready.begin());
    ready.erase(ready.begin());
    for (const Feature later : after[order.back()])
      if (--waiting[later] == 0) ready.insert(later);
  }
  require(order.size() == waiting.size(), "feature_order: an ordered diagram");
  return order;
}

// The longest way from the root to each node; returns the longest of all.
std::size_t longest_ways(const Diagram& diagram, std::vector<std::size_t>& to) {
  std::size_t longest = 0;
  for (std::size_t n = 0; n < diagram.size(); ++n) {
    const DiagramNode& node = diagram.nodes()[n];
    if (node.sink) continue;
    for (const Node child : {node.low, node.high}) to[child()] = std::max(to[child()], to[n] + 1);
    longest = std::max(longest, to[n] + 1);
  }
  return longest;
}

void connect(Layers& layers, const Layers::Route& route) {
  for (std::size_t i = 0; i + 1 < route.vertices.size(); ++i) {
    layers.down[route.vertices[i]].push_back(route.vertices[i + 1]);
    layers.up[route.vertices[i + 1]].push_back(route.vertices[i]);
  }
}

Vertex add_bend(Layers& layers, std::size_t level) {
  constexpr double kHalfEdge = 3;
  layers.level.push_back(level);
  layers.half_width.push_back(kHalfEdge);
  layers.up.emplace_back();
  layers.down.emplace_back();
  return layers.level.size() - 1;
}

}  // namespace

Levels levels_of(const Diagram& diagram) {
  Levels out;
  out.of.assign(diagram.size(), 0);
  const std::size_t depth = longest_ways(diagram, out.of);
  if (diagram.ordered()) out.features = feature_order(diagram);
  // A tree may follow an order by chance, with many more features than tests on a path: too many levels to read.
  out.by_feature = diagram.ordered() && out.features.size() <= 2 * depth;
  if (out.by_feature) {
    std::map<Feature, std::size_t> place;
    for (std::size_t l = 0; l < out.features.size(); ++l) place[out.features[l]] = l;
    for (std::size_t n = 0; n < diagram.size(); ++n)
      if (const DiagramNode& node = diagram.nodes()[n]; !node.sink) out.of[n] = place[node.feature];
    out.count = out.features.size() + 1;
  } else {
    out.features.clear();
    out.count = depth + 1;
  }
  for (std::size_t n = 0; n < diagram.size(); ++n)
    if (diagram.nodes()[n].sink) out.of[n] = out.count - 1;
  return out;
}

std::string level_words(const Model& model, const Levels& levels, std::size_t level, const Shorten& shorten,
                        const Signs& signs) {
  if (level + 1 == levels.count) return shorten(model.binarizer().target());
  if (levels.by_feature) return test_words(model, levels.features[level], true, shorten, signs);
  return fmt::format("test {}", level + 1);
}

Layers make_layers(const Diagram& diagram, const Levels& levels, const std::vector<double>& half_widths) {
  Layers out;
  out.num_nodes = diagram.size();
  out.level = levels.of;
  out.half_width = half_widths;
  out.up.resize(diagram.size());
  out.down.resize(diagram.size());
  std::size_t bends = 0;
  for (std::size_t n = 0; n < diagram.size() && bends <= kMostBends; ++n)
    if (const DiagramNode& node = diagram.nodes()[n]; !node.sink)
      for (const Node child : {node.low, node.high}) bends += levels.of[child()] - levels.of[n] - 1;
  out.bent = bends <= kMostBends;
  for (std::size_t n = 0; n < diagram.size(); ++n) {
    const DiagramNode& node = diagram.nodes()[n];
    if (node.sink) continue;
    for (const bool high : {false, true}) {
      const Node to = high ? node.high : node.low;
      Layers::Route route{Node{n}, to, high, {n}};
      if (out.bent)
        for (std::size_t l = levels.of[n] + 1; l < levels.of[to()]; ++l) route.vertices.push_back(add_bend(out, l));
      route.vertices.push_back(to());
      connect(out, route);
      out.routes.push_back(std::move(route));
    }
  }
  out.order.resize(levels.count);
  return out;
}

}  // namespace beadwork::report
