#include <beadwork/heuristic/graph.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

// Merging the subtrees of an oblivious tree from the root down (Kohavi and Li, IJCAI 1995). While a level is merged all
// below it is still a forest, so that merging two nodes consumes both. What is merged only gets more defined: two nodes
// that are not compatible stay so, and one pass over the pairs in order finds the same as a new scan after every merge.

namespace beadwork {
namespace {

// Errors of a leaf as a pessimist sees them: the upper end of the interval of z deviations.
double pessimistic(const ClassCounts& counts, double scale, double z) {
  const double n = static_cast<double>(total_of(counts)) / scale;
  if (n == 0) return 0;
  const double x =
      1 - static_cast<double>(*std::max_element(counts.begin(), counts.end())) / static_cast<double>(total_of(counts));
  const double root = std::sqrt(std::max(0.0, 4 * n * x + z * z - 4 * n * x * x));
  return n * (2 * n * x + z * z + z * root) / (2 * (n + z * z));
}

ClassCounts sum(ClassCounts a, const ClassCounts& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
  return a;
}

class Merging {
 public:
  Merging(ObliviousGraph graph, double z, const Control& control)
      : graph_(std::move(graph)), z_(z), control_(control) {}

  ObliviousGraph run() {
    std::vector<std::size_t> level{0};
    while (!level.empty() && graph_.complete) {
      std::vector<std::size_t> next;
      for (const std::size_t n : level)
        for (const std::size_t child : graph_.nodes[n].children)
          if (!graph_.nodes[child].unknown()) next.push_back(child);
      merge_level(next);
      for (const std::size_t n : level)
        for (std::size_t& child : graph_.nodes[n].children) child = find(child);
      level = std::move(next);
    }
    return finished(std::move(graph_));
  }

 private:
  std::size_t find(std::size_t n) const {
    while (n < into_.size() && into_[n] != n) n = into_[n];
    return n;
  }
  void put_into(std::size_t a, std::size_t b) {
    for (std::size_t n = into_.size(); n < graph_.nodes.size(); ++n) into_.push_back(n);
    merge_pair(graph_, a, b);
    into_[b] = a;
  }
  bool stopping() {
    if (control_.stopping()) graph_.complete = false;
    return !graph_.complete;
  }

  // What changes no answer, at once; then what a pessimist does not mind, best first.
  void merge_level(std::vector<std::size_t>& nodes) {
    do {
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t j = i + 1; j < nodes.size();) {
          if (stopping()) return;
          if (compatible(graph_, nodes[i], nodes[j])) {
            put_into(nodes[i], nodes[j]);
            nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(j));
          } else {
            ++j;
          }
        }
    } while (z_ > 0 && merge_best(nodes));
  }

  bool merge_best(std::vector<std::size_t>& nodes) {
    std::optional<std::pair<std::size_t, std::size_t>> best;
    double most = 0;
    std::int64_t weight = -1;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t j = i + 1; j < nodes.size(); ++j) {
        if (stopping()) return false;
        const double gain = estimate(nodes[i]) + estimate(nodes[j]) - merged_estimate(nodes[i], nodes[j]);
        const std::int64_t both = total_of(graph_.nodes[nodes[i]].counts) + total_of(graph_.nodes[nodes[j]].counts);
        if (gain < most || (gain == most && both <= weight)) continue;
        best = {i, j};
        most = gain;
        weight = both;
      }
    if (!best) return false;
    put_into(nodes[best->first], nodes[best->second]);
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(best->second));
    return true;
  }

  double of_leaf(const ClassCounts& counts) const {
    return pessimistic(counts, static_cast<double>(graph_.weight_scale), z_);
  }
  double estimate(std::size_t n) const {
    const ObliviousNode& node = graph_.nodes[n];
    if (node.leaf()) return of_leaf(node.counts);
    return std::accumulate(node.children.begin(), node.children.end(), 0.0,
                           [&](double e, std::size_t child) { return e + estimate(child); });
  }
  double merged_estimate(std::size_t a, std::size_t b) const {
    const ObliviousNode& x = graph_.nodes[a];
    const ObliviousNode& y = graph_.nodes[b];
    if (x.unknown()) return estimate(b);
    if (y.unknown()) return estimate(a);
    if (x.leaf()) return of_leaf(sum(x.counts, y.counts));
    double e = 0;
    for (std::size_t v = 0; v < x.children.size(); ++v) e += merged_estimate(x.children[v], y.children[v]);
    return e;
  }

  ObliviousGraph graph_;
  double z_;
  const Control& control_;
  std::vector<std::size_t> into_;  // where a merged node went
};

// The heavier class; where classes tie, what one of the two leaves said before.
Class joint_label(const ObliviousNode& a, const ObliviousNode& b, const ClassCounts& counts) {
  const std::int64_t most = *std::max_element(counts.begin(), counts.end());
  for (const Class k : {*a.label, *b.label})
    if (counts[k()] == most) return k;
  return Class{static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin())};
}

}  // namespace

bool compatible(const ObliviousGraph& graph, std::size_t a, std::size_t b) {
  const ObliviousNode& x = graph.nodes[a];
  const ObliviousNode& y = graph.nodes[b];
  if (x.unknown() || y.unknown()) return true;
  if (x.leaf() || y.leaf()) return x.leaf() && y.leaf() && x.label == y.label;
  for (std::size_t v = 0; v < x.children.size(); ++v)
    if (!compatible(graph, x.children[v], y.children[v])) return false;
  return true;
}

void merge_pair(ObliviousGraph& graph, std::size_t a, std::size_t b) {
  ObliviousNode& x = graph.nodes[a];
  const ObliviousNode& y = graph.nodes[b];
  if (y.unknown()) return;
  if (x.unknown()) {
    x = y;
    return;
  }
  require(x.leaf() == y.leaf() && x.children.size() == y.children.size(), "merge_pair: nodes of one level");
  const ClassCounts counts = sum(x.counts, y.counts);
  if (x.leaf() && x.label != y.label) x.label = joint_label(x, y, counts);
  x.counts = counts;
  for (std::size_t v = 0; v < x.children.size(); ++v) merge_pair(graph, x.children[v], y.children[v]);
}

ObliviousGraph merge_subtrees(ObliviousGraph tree, double z, const Control& control) {
  require(z >= 0, "merge_subtrees: z from 0");
  return Merging(std::move(tree), z, control).run();
}

}  // namespace beadwork
