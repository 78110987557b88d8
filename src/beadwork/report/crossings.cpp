#include <beadwork/base.hpp>
#include <beadwork/report/layers.hpp>

#include <algorithm>
#include <span>

namespace beadwork::report {
namespace {

constexpr std::size_t kSmall = 1'500;  // vertices; more get fewer attempts
constexpr std::size_t kLarge = 20'000;

// Sugiyama's method: sweep down and up, sort each level by the mean position of the neighbours (barycentre),
// then swap neighbours while that helps (Gansner et al. 1993), and keep the best. The result hangs on the
// start, so several are tried: depth first with low or high to the left, then shuffles of a fixed seed.
class Ordering {
 public:
  explicit Ordering(Layers& layers) : layers_(layers), at_(layers.num_vertices()) {}

  std::size_t run() {
    const std::size_t size = layers_.num_vertices();
    std::size_t fewest = SIZE_MAX;
    std::vector<std::vector<Vertex>> best;
    Rng rng(1);
    const std::size_t starts = size <= 300 ? 24 : size <= kSmall ? 6 : 1;
    for (std::size_t start = 0; start < starts && fewest > 0; ++start) {
      start_depth_first(start == 1);
      if (start > 1)
        for (auto& level : layers_.order) rng.shuffle(std::span<Vertex>(level));
      number();
      improve(fewest, best);
    }
    layers_.order = std::move(best);
    return fewest;
  }

 private:
  void start_depth_first(bool high_first) {
    for (auto& level : layers_.order) level.clear();
    std::vector<bool> seen(layers_.num_vertices());
    std::vector<Vertex> todo{0};
    while (!todo.empty()) {
      const Vertex v = todo.back();
      todo.pop_back();
      if (seen[v]) continue;
      seen[v] = true;
      layers_.order[layers_.level[v]].push_back(v);
      const auto& down = layers_.down[v];
      if (high_first) todo.insert(todo.end(), down.begin(), down.end());
      if (!high_first) todo.insert(todo.end(), down.rbegin(), down.rend());
    }
  }

  void number() {
    for (const auto& level : layers_.order)
      for (std::size_t i = 0; i < level.size(); ++i) at_[level[i]] = i;
  }

  void improve(std::size_t& fewest, std::vector<std::vector<Vertex>>& best) {
    const std::size_t size = layers_.num_vertices();
    const std::size_t sweeps = size <= kSmall ? 24 : size <= kLarge ? 8 : 2;
    std::size_t idle = 0;
    for (std::size_t sweep = 0; sweep < sweeps && idle < 6; ++sweep) {
      const std::size_t now = crossings();
      idle = now < fewest ? 0 : idle + 1;
      if (now < fewest) {
        fewest = now;
        best = layers_.order;
      }
      if (fewest == 0) return;
      sort_levels(sweep % 2 == 0, sweep % 4 >= 2);
      if (size <= kSmall) swap_neighbours();
    }
    if (const std::size_t now = crossings(); now < fewest) {
      fewest = now;
      best = layers_.order;
    }
  }

  // Ties keep their order, or are turned round: standing still is how this search gets stuck.
  void sort_levels(bool downwards, bool turn_ties) {
    const std::size_t count = layers_.order.size();
    std::vector<double> centre(layers_.num_vertices());
    for (std::size_t i = 1; i < count; ++i) {
      auto& level = layers_.order[downwards ? i : count - 1 - i];
      for (const Vertex v : level) {
        const auto& near = downwards ? layers_.up[v] : layers_.down[v];
        double sum = 0;
        for (const Vertex u : near) sum += static_cast<double>(at_[u]);
        centre[v] = near.empty() ? static_cast<double>(at_[v]) : sum / static_cast<double>(near.size());
      }
      if (turn_ties) std::reverse(level.begin(), level.end());
      std::stable_sort(level.begin(), level.end(), [&](Vertex a, Vertex b) { return centre[a] < centre[b]; });
      for (std::size_t k = 0; k < level.size(); ++k) at_[level[k]] = k;
    }
  }

  // Crossings between the edges of u and of v if u stands to the left.
  std::size_t crossings_of(const std::vector<Vertex>& u, const std::vector<Vertex>& v) const {
    std::size_t count = 0;
    for (const Vertex a : u)
      for (const Vertex b : v) count += at_[a] > at_[b] ? 1U : 0U;
    return count;
  }

  void swap_neighbours() {
    bool better = true;
    for (std::size_t round = 0; better && round < 20; ++round) {
      better = false;
      for (auto& level : layers_.order)
        for (std::size_t i = 0; i + 1 < level.size(); ++i) {
          const Vertex u = level[i];
          const Vertex v = level[i + 1];
          const std::size_t kept =
              crossings_of(layers_.up[u], layers_.up[v]) + crossings_of(layers_.down[u], layers_.down[v]);
          const std::size_t swapped =
              crossings_of(layers_.up[v], layers_.up[u]) + crossings_of(layers_.down[v], layers_.down[u]);
          if (swapped >= kept) continue;
          std::swap(level[i], level[i + 1]);
          std::swap(at_[u], at_[v]);
          better = true;
        }
    }
  }

  // Inversions among the edges between two levels, counted with a Fenwick tree (Barth, Juenger, Mutzel 2002).
  std::size_t crossings() const {
    std::size_t count = 0;
    for (std::size_t l = 0; l + 1 < layers_.order.size(); ++l) {
      std::vector<std::size_t> ends;
      for (const Vertex v : layers_.order[l]) {
        const std::size_t first = ends.size();
        for (const Vertex w : layers_.down[v]) ends.push_back(at_[w]);
        std::sort(ends.begin() + static_cast<std::ptrdiff_t>(first), ends.end());
      }
      count += inversions(ends);
    }
    return count;
  }

  static std::size_t inversions(const std::vector<std::size_t>& values) {
    if (values.empty()) return 0;
    std::vector<std::size_t> tree(*std::max_element(values.begin(), values.end()) + 2);
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::size_t not_above = 0;
      for (std::size_t k = values[i] + 1; k > 0; k &= k - 1) not_above += tree[k];
      count += i - not_above;
      for (std::size_t k = values[i] + 1; k < tree.size(); k += k & (~k + 1)) ++tree[k];
    }
    return count;
  }

  Layers& layers_;
  std::vector<std::size_t> at_;  // position of a vertex on its level
};

}  // namespace

std::size_t reduce_crossings(Layers& layers) {
  return Ordering(layers).run();
}

}  // namespace beadwork::report
