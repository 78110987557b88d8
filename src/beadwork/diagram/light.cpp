#include <beadwork/diagram.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace beadwork {
namespace {

// Walks the tree of all paths, and shares equal nodes again on the way back up.
class Pruner {
 public:
  Pruner(const Diagram& diagram, const PathCounts& counts, std::int64_t least)
      : diagram_(diagram), counts_(counts), least_(least) {}

  Diagram prune() { return assemble(walk(Node{0}, 0)); }

 private:
  using Key = std::tuple<bool, std::size_t, std::size_t, std::size_t>;

  std::vector<std::int64_t> weights(Node node, std::uint64_t first) const {
    std::vector<std::int64_t> out(counts_.num_classes());
    for (std::uint64_t p = first; p < first + diagram_.num_paths(node); ++p)
      for (std::size_t k = 0; k < out.size(); ++k) out[k] += counts_.of(p)[k];
    return out;
  }

  bool light(Node n, std::uint64_t first) const {
    const auto here = weights(n, first);
    return std::accumulate(here.begin(), here.end(), std::int64_t{0}) < least_;
  }

  std::size_t walk(Node n, std::uint64_t first) {
    const DiagramNode& node = diagram_[n];
    if (node.sink) return make(node);
    const std::uint64_t middle = first + diagram_.num_paths(node.low);
    const bool light_low = light(node.low, first);
    const bool light_high = light(node.high, middle);
    if (light_low && light_high) {
      const auto here = weights(n, first);
      const auto most = std::max_element(here.begin(), here.end()) - here.begin();
      return make(DiagramNode::leaf(Class{static_cast<std::size_t>(most)}));
    }
    if (light_low) return walk(node.high, middle);
    if (light_high) return walk(node.low, first);
    const std::size_t low = walk(node.low, first);
    const std::size_t high = walk(node.high, middle);
    return low == high ? low : make(DiagramNode::test(node.feature, Node{low}, Node{high}));
  }

  std::size_t make(const DiagramNode& node) {
    const Key key = node.sink ? Key{true, node.answer ? (*node.answer)() + 1 : 0, 0, 0}
                              : Key{false, node.feature(), node.low(), node.high()};
    const auto [at, added] = known_.try_emplace(key, made_.size());
    if (added) made_.push_back(node);
    return at->second;
  }

  // Children were made before their parents: from the last to the first is from the root down. Sinks go last.
  Diagram assemble(std::size_t root) const {
    std::vector<bool> reached(made_.size());
    reached[root] = true;
    std::vector<std::size_t> order;
    for (std::size_t i = root + 1; i-- > 0;) {
      if (!reached[i] || made_[i].sink) continue;
      order.push_back(i);
      reached[made_[i].low()] = reached[made_[i].high()] = true;
    }
    std::vector<std::size_t> sinks;
    for (std::size_t i = 0; i < made_.size(); ++i)
      if (reached[i] && made_[i].sink) sinks.push_back(i);
    std::sort(sinks.begin(), sinks.end(),
              [&](std::size_t a, std::size_t b) { return made_[a].answer < made_[b].answer; });
    order.insert(order.end(), sinks.begin(), sinks.end());
    std::vector<std::size_t> number(made_.size());
    for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = i;
    std::vector<DiagramNode> nodes;
    for (const std::size_t i : order) {
      nodes.push_back(made_[i]);
      if (made_[i].sink) continue;
      nodes.back().low = Node{number[made_[i].low()]};
      nodes.back().high = Node{number[made_[i].high()]};
    }
    auto diagram = Diagram::make(std::move(nodes));
    require(static_cast<bool>(diagram), "without_light_branches: nodes make a diagram");
    return *std::move(diagram);
  }

  const Diagram& diagram_;
  const PathCounts& counts_;
  std::int64_t least_;
  std::map<Key, std::size_t> known_;
  std::vector<DiagramNode> made_;
};

}  // namespace

Diagram without_light_branches(const Diagram& diagram, const PathCounts& counts, std::int64_t least) {
  require(counts.num_paths() == diagram.num_paths(), "without_light_branches: counts of this diagram");
  return Pruner(diagram, counts, least).prune();
}

}  // namespace beadwork
