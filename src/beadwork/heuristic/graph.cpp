#include <beadwork/heuristic/graph.hpp>

#include <algorithm>

namespace beadwork {
namespace {

constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);

std::size_t heaviest_known(const ObliviousGraph& graph, const ObliviousNode& node) {
  std::size_t best = kUnseen;
  for (const std::size_t child : node.children) {
    if (graph.nodes[child].unknown()) continue;
    if (best == kUnseen || total_of(graph.nodes[child].counts) > total_of(graph.nodes[best].counts)) best = child;
  }
  return best;
}

// Nodes that the root reaches, those of a level before those of the next.
std::vector<std::size_t> by_level(const ObliviousGraph& graph) {
  std::vector<bool> seen(graph.nodes.size());
  std::vector<std::size_t> found{0};
  seen[0] = true;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const std::size_t child : graph.nodes[found[i]].children)
      if (!seen[child]) {
        seen[child] = true;
        found.push_back(child);
      }
  std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
    const bool leaf_a = graph.nodes[a].leaf();
    const bool leaf_b = graph.nodes[b].leaf();
    if (leaf_a != leaf_b) return leaf_b;
    return !leaf_a && graph.nodes[a].level < graph.nodes[b].level;
  });
  return found;
}

ObliviousGraph renumbered(const ObliviousGraph& graph) {
  const std::vector<std::size_t> nodes = by_level(graph);
  std::vector<std::size_t> place(graph.nodes.size(), kUnseen);
  for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  ObliviousGraph out{graph.order, {}, graph.weight_scale, graph.complete};
  for (const std::size_t n : nodes) {
    out.nodes.push_back(graph.nodes[n]);
    for (std::size_t& child : out.nodes.back().children) child = place[child];
  }
  return out;
}

}  // namespace

ObliviousGraph finished(ObliviousGraph graph) {
  const std::vector<std::size_t> nodes = by_level(graph);
  std::vector<std::size_t> stands_for(graph.nodes.size());
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) stands_for[n] = n;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    ObliviousNode& node = graph.nodes[nodes[i]];
    if (node.leaf()) continue;
    const std::size_t known = heaviest_known(graph, node);
    for (std::size_t& child : node.children) {
      if (graph.nodes[child].unknown() && known != kUnseen) child = known;
      child = stands_for[child];
    }
    const std::size_t first = node.children.front();
    if (std::all_of(node.children.begin(), node.children.end(), [&](std::size_t c) { return c == first; }))
      stands_for[nodes[i]] = first;
  }
  if (stands_for[0] != 0) graph.nodes[0] = graph.nodes[stands_for[0]];
  return renumbered(graph);
}

ObliviousGraph label_by_parent(ObliviousGraph tree) {
  std::vector<std::size_t> parent(tree.nodes.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    for (const std::size_t child : tree.nodes[n].children) parent[child] = n;
  for (std::size_t leaf = 0; leaf < tree.nodes.size(); ++leaf) {
    if (!tree.nodes[leaf].unknown()) continue;
    std::vector<const ClassCounts*> branch;
    for (std::size_t n = leaf; n != 0;) branch.push_back(&tree.nodes[n = parent[n]].counts);
    if (!branch.empty()) tree.nodes[leaf].label = label_on_branch(branch);
  }
  return tree;
}

Diagram diagram_of(const ObliviousGraph& graph) {
  const ObliviousGraph g = renumbered(graph);
  std::vector<DiagramNode> nodes;
  for (const ObliviousNode& n : g.nodes) {
    require(n.leaf() || n.children.size() == 2, "diagram_of: features of two values");
    nodes.push_back(n.leaf() ? DiagramNode::leaf(n.label)
                             : DiagramNode::test(Feature{g.order[n.level]}, Node{n.children[0]}, Node{n.children[1]}));
  }
  return *Diagram::make(std::move(nodes));
}

}  // namespace beadwork
