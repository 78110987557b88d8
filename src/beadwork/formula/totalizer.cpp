#include <beadwork/formula.hpp>

#include <algorithm>

namespace beadwork {

namespace {

std::vector<std::vector<Lit>> singletons(Clause xs) {
  std::vector<std::vector<Lit>> blocks;
  for (const Lit x : xs) blocks.push_back({x});
  return blocks;
}

}  // namespace

Totalizer::Totalizer(Clause xs) : Totalizer(singletons(xs)) {}

Totalizer::Totalizer(std::vector<std::vector<Lit>> blocks) : blocks_(std::move(blocks)) {
  if (!blocks_.empty()) build(0, blocks_.size());
}

std::size_t Totalizer::build(std::size_t first, std::size_t last) {
  Node n;
  if (last - first == 1) {
    n.outputs = blocks_[first];
    n.capacity = n.outputs.size();
  } else {
    const std::size_t middle = first + (last - first) / 2;
    n.left = build(first, middle);
    n.right = build(middle, last);
    n.capacity = nodes_[n.left].capacity + nodes_[n.right].capacity;
  }
  nodes_.push_back(std::move(n));
  return nodes_.size() - 1;
}

void Totalizer::extend(ClauseSinkRef sink, std::size_t k) {
  if (!nodes_.empty()) extend_node(sink, nodes_.size() - 1, k);
}

void Totalizer::extend_node(ClauseSinkRef sink, std::size_t node, std::size_t k) {
  k = std::min(k, nodes_[node].capacity);
  const std::size_t old = nodes_[node].outputs.size();
  if (k <= old) return;
  const std::size_t left = nodes_[node].left, right = nodes_[node].right;
  extend_node(sink, left, k);
  extend_node(sink, right, k);
  Node& n = nodes_[node];
  while (n.outputs.size() < k) n.outputs.push_back(sink.fresh_var());
  connect(sink, n, old);
  for (std::size_t i = std::max<std::size_t>(old, 1); i < k; ++i) sink.add_clause({~n.outputs[i], n.outputs[i - 1]});
}

// i on the left and j on the right make i+j. Sums that had their output before are connected already; those
// above the bound are left for a later extension.
void Totalizer::connect(ClauseSinkRef sink, const Node& n, std::size_t old) const {
  const std::vector<Lit>& a = nodes_[n.left].outputs;
  const std::vector<Lit>& b = nodes_[n.right].outputs;
  for (std::size_t i = 0; i <= std::min(a.size(), n.outputs.size()); ++i)
    for (std::size_t j = i > old ? 0 : old + 1 - i; j <= b.size() && i + j <= n.outputs.size(); ++j) {
      const Lit out = n.outputs[i + j - 1];
      if (i == 0)
        sink.add_clause({~b[j - 1], out});
      else if (j == 0)
        sink.add_clause({~a[i - 1], out});
      else
        sink.add_clause({~a[i - 1], ~b[j - 1], out});
    }
}

Lit Totalizer::at_least(std::size_t k) const {
  require(k >= 1 && k <= bound(), "Totalizer: no such output yet");
  return nodes_.back().outputs[k - 1];
}

}  // namespace beadwork
