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

std::vector<std::int64_t> sums_over_paths(const PathCounts& counts) {
  const std::size_t classes = counts.num_classes();
  std::vector<std::int64_t> out((counts.num_paths() + 1) * classes);
  for (std::uint64_t p = 0; p < counts.num_paths(); ++p)
    for (std::size_t k = 0; k < classes; ++k) out[(p + 1) * classes + k] = out[p * classes + k] + counts.of(p)[k];
  return out;
}

std::vector<std::int64_t> between_paths(const std::vector<std::int64_t>& sums, std::size_t classes, std::uint64_t first,
                                        std::uint64_t count) {
  std::vector<std::int64_t> out(classes);
  for (std::size_t k = 0; k < classes; ++k) out[k] = sums[(first + count) * classes + k] - sums[first * classes + k];
  return out;
}

}  // namespace

std::int64_t PathCounts::total(std::uint64_t path) const {
  return sum(of(path));
}

std::int64_t NodeCounts::total(Node n) const {
  return sum(at[n()]);
}

// A node stands for a range of paths wherever it is met, so sums over the first paths are enough.
NodeCounts node_counts(const Diagram& diagram, const PathCounts& counts) {
  require(counts.num_paths() == diagram.num_paths(), "node_counts: counts of this diagram");
  NodeCounts out;
  out.at.assign(diagram.size(), std::vector<std::int64_t>(counts.num_classes()));
  out.low.assign(diagram.size(), 0);
  out.high.assign(diagram.size(), 0);
  const std::vector<std::int64_t> sums = sums_over_paths(counts);
  struct Met {
    Node node;
    std::uint64_t first;
  };
  std::vector<Met> todo{{Node{0}, 0}};
  while (!todo.empty()) {
    const auto [n, first] = todo.back();
    todo.pop_back();
    const std::vector<std::int64_t> here = between_paths(sums, counts.num_classes(), first, diagram.num_paths(n));
    if (sum(here) == 0) continue;
    for (std::size_t k = 0; k < here.size(); ++k) out.at[n()][k] += here[k];
    if (diagram[n].sink) continue;
    const std::uint64_t low = diagram.num_paths(diagram[n].low), high = diagram.num_paths(diagram[n].high);
    out.low[n()] += sum(between_paths(sums, counts.num_classes(), first, low));
    out.high[n()] += sum(between_paths(sums, counts.num_classes(), first + low, high));
    todo.push_back({diagram[n].low, first});
    todo.push_back({diagram[n].high, first + low});
  }
  return out;
}

BranchCounts::BranchCounts(const Diagram& diagram, const PathCounts& counts)
    : classes_(counts.num_classes()), sums_(sums_over_paths(counts)) {
  require(counts.num_paths() == diagram.num_paths(), "BranchCounts: counts of this diagram");
  struct Met {
    Node node;
    std::uint64_t first;
    std::pair<std::uint64_t, std::uint64_t> speaking;
  };
  speaking_.reserve(diagram.num_paths());
  std::vector<Met> todo{{Node{0}, 0, {0, diagram.num_paths()}}};
  while (!todo.empty()) {
    Met met = todo.back();
    todo.pop_back();
    const std::uint64_t end = met.first + diagram.num_paths(met.node);
    if (sum(between_paths(sums_, classes_, met.first, end - met.first)) != 0) met.speaking = {met.first, end};
    const DiagramNode& node = diagram[met.node];
    if (node.sink) {
      speaking_.push_back(met.speaking);
      continue;
    }
    todo.push_back({node.high, met.first + diagram.num_paths(node.low), met.speaking});
    todo.push_back({node.low, met.first, met.speaking});
  }
}

std::vector<std::int64_t> BranchCounts::of(std::uint64_t path) const {
  const auto [first, end] = speaking_[path];
  return between_paths(sums_, classes_, first, end - first);
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
