#include <beadwork/diagram.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace beadwork {
namespace {

Status check_edges(const std::vector<DiagramNode>& nodes) {
  std::vector<bool> reached(nodes.size());
  reached[0] = true;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!reached[n]) return input_error(fmt::format("node {} cannot be reached from the root", n));
    if (nodes[n].sink) continue;
    for (const Node child : {nodes[n].low, nodes[n].high}) {
      if (child() >= nodes.size())
        return input_error(fmt::format("node {} has a child {} that does not exist", n, child()));
      if (child() <= n)
        return input_error(fmt::format(
            "node {} has the child {}: children come after their parents, or there is a cycle", n, child()));
      reached[child()] = true;
    }
  }
  return Done{};
}

}  // namespace

Result<Diagram> Diagram::make(std::vector<DiagramNode> nodes) {
  if (nodes.empty()) return input_error("a diagram has at least one node");
  TRY_DONE(check_edges(nodes));
  Diagram d;
  d.paths_.assign(nodes.size(), 1);
  for (std::size_t n = nodes.size(); n-- > 0;) {
    if (nodes[n].sink) continue;
    d.paths_[n] = d.paths_[nodes[n].low()] + d.paths_[nodes[n].high()];
    if (d.paths_[n] > kMaxPaths) return input_error(fmt::format("the diagram has more than {} paths", kMaxPaths));
  }
  d.nodes_ = std::move(nodes);
  return d;
}

std::size_t Diagram::inner_nodes() const {
  return static_cast<std::size_t>(
      std::count_if(nodes_.begin(), nodes_.end(), [](const DiagramNode& n) { return !n.sink; }));
}

std::size_t Diagram::depth() const {
  std::vector<std::size_t> height(nodes_.size());
  for (std::size_t n = nodes_.size(); n-- > 0;)
    if (!nodes_[n].sink) height[n] = 1 + std::max(height[nodes_[n].low()], height[nodes_[n].high()]);
  return height[0];
}

std::vector<Feature> Diagram::used_features() const {
  std::vector<Feature> used;
  std::set<Feature> seen;
  for (const DiagramNode& n : nodes_)
    if (!n.sink && seen.insert(n.feature).second) used.push_back(n.feature);
  return used;
}

// The features must have a topological order in which every edge goes forward: "f right above g" has no cycle. Two
// tests of one feature on a path make such a cycle.
bool Diagram::ordered() const {
  std::map<Feature, std::vector<Feature>> below;
  std::map<Feature, std::size_t> waiting;
  for (const DiagramNode& n : nodes_) {
    if (n.sink) continue;
    waiting.try_emplace(n.feature, 0);
    for (const Node child : {n.low, n.high}) {
      if (nodes_[child()].sink) continue;
      below[n.feature].push_back(nodes_[child()].feature);
      ++waiting[nodes_[child()].feature];
    }
  }
  std::vector<Feature> ready;
  for (const auto& [feature, count] : waiting)
    if (count == 0) ready.push_back(feature);
  for (std::size_t i = 0; i < ready.size(); ++i)
    for (const Feature next : below[ready[i]])
      if (--waiting[next] == 0) ready.push_back(next);
  return ready.size() == waiting.size();
}

bool Diagram::reduced() const {
  std::set<std::tuple<bool, Feature, Node, Node, std::optional<Class>>> seen;
  for (const DiagramNode& n : nodes_) {
    if (!n.sink && n.low == n.high) return false;
    if (!seen.emplace(n.sink, n.feature, n.low, n.high, n.answer).second) return false;
  }
  return true;
}

Diagram::Path Diagram::path(std::uint64_t number) const {
  require(number < num_paths(), "Diagram: a path of the diagram");
  Path p;
  Node n{0};
  while (!nodes_[n()].sink) {
    const std::uint64_t low = paths_[nodes_[n()].low()];
    const bool high = number >= low;
    p.steps.push_back({n, high});
    if (high) number -= low;
    n = high ? nodes_[n()].high : nodes_[n()].low;
  }
  p.sink = n;
  return p;
}

std::vector<Node> path_sinks(const Diagram& diagram) {
  std::vector<Node> out, todo{Node{0}};
  out.reserve(diagram.num_paths());
  while (!todo.empty()) {
    const Node n = todo.back();
    todo.pop_back();
    if (diagram[n].sink)
      out.push_back(n);
    else
      todo.insert(todo.end(), {diagram[n].high, diagram[n].low});
  }
  return out;
}

Diagram tree_of(const std::vector<DiagramNode>& nodes) {
  std::vector<std::size_t> found{0};
  for (std::size_t i = 0; i < found.size(); ++i) {
    require(found.size() <= nodes.size(), "tree_of: one parent for each node");
    const DiagramNode& n = nodes[found[i]];
    if (!n.sink) found.insert(found.end(), {n.low(), n.high()});
  }
  std::stable_partition(found.begin(), found.end(), [&](std::size_t n) { return !nodes[n].sink; });
  std::vector<Node> place(nodes.size());
  for (std::size_t i = 0; i < found.size(); ++i) place[found[i]] = Node{i};
  std::vector<DiagramNode> out;
  for (const std::size_t n : found) {
    out.push_back(nodes[n]);
    if (nodes[n].sink) continue;
    out.back().low = place[nodes[n].low()];
    out.back().high = place[nodes[n].high()];
  }
  auto tree = Diagram::make(std::move(out));
  require(static_cast<bool>(tree), "tree_of: a tree of at most 2^20 leaves");
  return *std::move(tree);
}

}  // namespace beadwork
