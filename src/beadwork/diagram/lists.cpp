#include <beadwork/diagram.hpp>

#include <algorithm>
#include <deque>
#include <map>

namespace beadwork {
namespace {

std::string text_of(const std::string& cells, const Subtable& s) {
  return cells.substr(s.first, s.length);
}

bool constant(const TruthTable& table, const Subtable& s) {
  for (std::size_t i = 1; i < s.length; ++i)
    if (!table.cells_equal(s.first, s.first + i)) return false;
  return true;
}

// -1 for class 1, -2 for class 0, -3 on for further classes, and the number after them for unknown.
std::int64_t sink_id(const TruthTable& table, std::size_t cell) {
  if (!table.decided(cell)) {
    require(table.unknown(cell), "bead_lists: cells are decided or unknown");
    return -static_cast<std::int64_t>(std::max<std::size_t>(table.num_classes(), 2)) - 1;
  }
  const auto k = static_cast<std::int64_t>(table.first_allowed(cell)());
  return k == 0 ? -2 : k == 1 ? -1 : -k - 1;
}

}  // namespace

// As printed but for the right child, which is the second half; for children, which are queued once; and for a constant
// table, which is a sink alone.
BeadLists bead_lists(const TruthTable& table) {
  struct Waiting {
    Subtable s;
    std::int64_t parent;
    bool right;
  };
  BeadLists out;
  const std::string cells = table.to_string();
  std::map<std::string, std::int64_t> seen;
  std::map<std::int64_t, Subtable, std::greater<>> sinks;
  std::deque<Waiting> queue{{{0, 0, table.num_cells()}, 0, false}};
  while (!queue.empty()) {
    const Waiting w = queue.front();
    queue.pop_front();
    const Subtable left{w.s.level + 1, w.s.first, w.s.length / 2};
    const Subtable right{w.s.level + 1, w.s.first + w.s.length / 2, w.s.length / 2};
    std::int64_t id = 0;
    if (constant(table, w.s)) {
      id = sink_id(table, w.s.first);
      sinks.try_emplace(id, Subtable{table.depth(), w.s.first, 1});
    } else if (!is_bead(table, w.s)) {
      queue.push_back({left, w.parent, w.right});
      continue;
    } else {
      const auto [at, first] = seen.try_emplace(text_of(cells, w.s), static_cast<std::int64_t>(seen.size()) + 1);
      id = at->second;
      if (first) {
        out.nodes.push_back({id, w.s});
        queue.push_back({left, id, false});
        queue.push_back({right, id, true});
      }
    }
    if (w.parent != 0) out.edges.push_back({w.parent, id, w.right});
  }
  std::vector<BeadLists::Vertex> first;
  for (const auto& [id, cell] : sinks) first.push_back({id, cell});
  out.nodes.insert(out.nodes.begin(), first.begin(), first.end());
  return out;
}

std::vector<Subtable> beads_of_nodes(const TruthTable& table) {
  const Diagram diagram = diagram_of(table);
  std::vector<Subtable> out(diagram.size());
  std::vector<bool> known(diagram.size());
  const auto settle = [&](Subtable s, Node n) {
    while (s.length > 1 && !is_bead(table, s)) s = {s.level + 1, s.first, s.length / 2};
    if (known[n()]) return;
    known[n()] = true;
    out[n()] = s;
  };
  settle({0, 0, table.num_cells()}, Node{0});
  for (std::size_t n = 0; n < diagram.size(); ++n) {
    const DiagramNode& node = diagram.nodes()[n];
    if (node.sink) continue;
    const Subtable& s = out[n];
    settle({s.level + 1, s.first, s.length / 2}, node.low);
    settle({s.level + 1, s.first + s.length / 2, s.length / 2}, node.high);
  }
  return out;
}

}  // namespace beadwork
