#include <beadwork/smallest/diagram_shape.hpp>

#include <algorithm>

namespace beadwork {

std::size_t DiagramShape::end_of(const Edge& edge) const {
  if (edge.node != kEnd) return nodes[edge.node].to[edge.side];
  return nodes.empty() ? kEnd : 0;
}

DiagramShape DiagramShape::with(const Test& test) const {
  DiagramShape out = *this;
  if (test.new_level) {
    out.places.insert(out.places.begin() + static_cast<std::ptrdiff_t>(test.level), test.place);
    for (Node& n : out.nodes) n.level += n.level >= test.level ? 1 : 0;
  }
  const auto at = static_cast<std::size_t>(
      std::find_if(out.nodes.begin(), out.nodes.end(), [&](const Node& n) { return n.level >= test.level; }) -
      out.nodes.begin());
  for (Node& n : out.nodes)
    for (std::size_t& to : n.to) to += to != kEnd && to >= at ? 1 : 0;
  const std::size_t before = end_of(test.edge);
  Node made{test.level, {kEnd, kEnd}};
  made.to[1 - test.ends] = before != kEnd && before >= at ? before + 1 : before;
  // The edge comes from an earlier level, so its node has kept its number.
  if (test.edge.node != kEnd) out.nodes[test.edge.node].to[test.edge.side] = at;
  out.nodes.insert(out.nodes.begin() + static_cast<std::ptrdiff_t>(at), made);
  out.tidy();
  return out;
}

DiagramShape DiagramShape::with(const Edge& e, std::size_t to) const {
  DiagramShape out = *this;
  out.nodes[e.node].to[e.side] = to;
  out.tidy();
  return out;
}

DiagramShape DiagramShape::without(std::size_t node, std::size_t side) const {
  DiagramShape out = *this;
  const std::size_t to = nodes[node].to[side];
  if (node == 0 && to == kEnd) return {};
  for (Node& n : out.nodes)
    for (std::size_t& t : n.to)
      if (t == node) t = to;
  if (node == 0) {  // the first node is where rows come in
    out.nodes[0] = out.nodes[to];
    for (Node& n : out.nodes)
      for (std::size_t& t : n.to)
        if (t == to) t = 0;
  }
  out.tidy();
  return out;
}

void DiagramShape::tidy() {
  if (nodes.empty()) return void(places.clear());
  std::vector<bool> reached(nodes.size());
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    if (reached[i]) continue;
    reached[i] = true;
    for (const std::size_t to : nodes[i].to)
      if (to != kEnd) open.push_back(to);
  }
  std::vector<std::size_t> order, number(nodes.size(), kEnd), level(places.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (reached[i]) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return nodes[a].level < nodes[b].level; });
  DiagramShape out;
  for (std::size_t k = 0; k < order.size(); ++k) {
    number[order[k]] = k;
    const std::size_t l = nodes[order[k]].level;
    if (k == 0 || l != nodes[order[k - 1]].level) out.places.push_back(places[l]);
    level[l] = out.places.size() - 1;
  }
  for (const std::size_t i : order) {
    Node n = nodes[i];
    n.level = level[n.level];
    for (std::size_t& to : n.to) to = to == kEnd ? kEnd : number[to];
    out.nodes.push_back(n);
  }
  *this = std::move(out);
}

}  // namespace beadwork
