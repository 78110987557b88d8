#include <beadwork/diagram.hpp>

#include <algorithm>
#include <numeric>

namespace beadwork {
namespace {

std::int64_t sum(std::span<const std::int64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::vector<std::int64_t> range_counts(const PathCounts& counts, std::uint64_t first, std::uint64_t count) {
  std::vector<std::int64_t> out(counts.num_classes());
  for (std::uint64_t p = first; p < first + count; ++p)
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += counts.of(p)[k];
  return out;
}

}  // namespace

std::int64_t PathCounts::total(std::uint64_t path) const {
  return sum(of(path));
}

std::int64_t NodeCounts::total(Node n) const {
  return sum(at[n()]);
}

NodeCounts node_counts(const Diagram& diagram, const PathCounts& counts) {
  require(counts.num_paths() == diagram.num_paths(), "node_counts: counts of this diagram");
  NodeCounts out;
  out.at.assign(diagram.size(), std::vector<std::int64_t>(counts.num_classes()));
  out.low.assign(diagram.size(), 0);
  out.high.assign(diagram.size(), 0);
  const auto add = [&](Node n, std::span<const std::int64_t> c) {
    for (std::size_t k = 0; k < c.size(); ++k) out.at[n()][k] += c[k];
  };
  for (std::uint64_t p = 0; p < diagram.num_paths(); ++p) {
    const std::int64_t total = counts.total(p);
    if (total == 0) continue;
    const Diagram::Path path = diagram.path(p);
    for (const Diagram::Step& step : path.steps) {
      add(step.node, counts.of(p));
      (step.passed ? out.high : out.low)[step.node()] += total;
    }
    add(path.sink, counts.of(p));
  }
  return out;
}

std::vector<std::int64_t> branch_counts(const Diagram& diagram, const PathCounts& counts, std::uint64_t path) {
  require(path < diagram.num_paths() && counts.num_paths() == diagram.num_paths(),
          "branch_counts: a path of this diagram");
  if (counts.total(path) != 0) return {counts.of(path).begin(), counts.of(path).end()};
  // Ranges of paths that share more and more steps with this one; the last that has rows speaks for it.
  std::vector<std::int64_t> best = range_counts(counts, 0, diagram.num_paths());
  std::uint64_t first = 0;
  for (const Diagram::Step& step : diagram.path(path).steps) {
    const DiagramNode& node = diagram[step.node];
    if (step.passed) first += diagram.num_paths(node.low);
    std::vector<std::int64_t> here = range_counts(counts, first, diagram.num_paths(step.passed ? node.high : node.low));
    if (sum(here) == 0) break;
    best = std::move(here);
  }
  return best;
}

}  // namespace beadwork
