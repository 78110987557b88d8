#include <beadwork/report/layers.hpp>

#include <algorithm>
#include <numeric>

namespace beadwork::report {
namespace {

// Least squares: minimise the weighted sum of (x_u - x_v)^2 over the edges while neighbours on a level keep
// their distance. One level at a time, its neighbours held still, this is isotonic regression of the
// positions that the vertices would like, solved exactly by pooling adjacent violators; going over the levels
// again and again leads to the optimum of the whole. It gives balanced pictures, and symmetric ones for
// symmetric functions; the alignment method of Brandes and Koepf is faster and leans to one side.
class Placement {
 public:
  explicit Placement(const Layers& layers) : layers_(layers), x_(layers.num_vertices()) {}

  std::vector<double> run() {
    pack();
    const std::size_t size = layers_.num_vertices();
    const std::size_t count = layers_.order.size();
    const std::size_t rounds = size <= 1'500 ? 400 : size <= 20'000 ? 40 : 4;
    for (std::size_t round = 0; round < rounds; ++round) {
      double moved = 0;
      for (std::size_t i = 0; i < count; ++i) moved = std::max(moved, settle(round % 2 == 0 ? i : count - 1 - i));
      if (moved < 0.01) break;
    }
    return std::move(x_);
  }

 private:
  double distance(Vertex left, Vertex right) const {
    const bool nodes = layers_.is_node(left) && layers_.is_node(right);
    const bool bends = !layers_.is_node(left) && !layers_.is_node(right);
    return layers_.half_width[left] + layers_.half_width[right] + (nodes ? 26 : bends ? 12 : 16);
  }

  // Equal pulls draw a long edge as a straight line wherever there is room; slightly more for its inner
  // pieces keeps the bends at its ends.
  double pull(Vertex a, Vertex b) const {
    const int bends = (layers_.is_node(a) ? 0 : 1) + (layers_.is_node(b) ? 0 : 1);
    return bends == 0 ? 1 : bends == 1 ? 1.2 : 1.5;
  }

  void pack() {
    for (const auto& level : layers_.order) {
      double at = 0;
      for (std::size_t i = 0; i < level.size(); ++i) x_[level[i]] = at += i == 0 ? 0 : distance(level[i - 1], level[i]);
      for (const Vertex v : level) x_[v] -= at / 2;
    }
  }

  double settle(std::size_t l) {
    struct Block {
      double sum, weight;
      std::size_t size;
      double value() const { return sum / weight; }
    };
    const auto& level = layers_.order[l];
    std::vector<double> offset(level.size());
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < level.size(); ++i) {
      offset[i] = i == 0 ? 0 : offset[i - 1] + distance(level[i - 1], level[i]);
      double sum = 0;
      double weight = 0;
      for (const auto* near : {&layers_.up[level[i]], &layers_.down[level[i]]})
        for (const Vertex u : *near) {
          sum += pull(level[i], u) * x_[u];
          weight += pull(level[i], u);
        }
      if (weight == 0) return 0;  // a single sink and nothing else
      blocks.push_back({sum - weight * offset[i], weight, 1});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].value() > blocks.back().value()) {
        const Block last = blocks.back();
        blocks.pop_back();
        blocks.back() = {blocks.back().sum + last.sum, blocks.back().weight + last.weight,
                         blocks.back().size + last.size};
      }
    }
    double moved = 0;
    std::size_t i = 0;
    for (const Block& block : blocks)
      for (std::size_t k = 0; k < block.size; ++k, ++i) {
        const double to = block.value() + offset[i];
        moved = std::max(moved, std::abs(to - x_[level[i]]));
        x_[level[i]] = to;
      }
    return moved;
  }

  const Layers& layers_;
  std::vector<double> x_;
};

}  // namespace

std::vector<double> place(const Layers& layers) {
  return Placement(layers).run();
}

}  // namespace beadwork::report
