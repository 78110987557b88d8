#include <beadwork/heuristic/cart.hpp>
#include <beadwork/heuristic/label.hpp>
#include <beadwork/heuristic/row_set.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// CART (Breiman, Friedman, Olshen, Stone 1984), grown level by level and not pruned. Impurities are those of all rows
// of a side together, weight times mean: that adds up over sides, is exactly 0 for a pure side, and does not cancel for
// weights of very different size.

namespace beadwork {
namespace {

using Real = long double;

Real impurity_of(const ClassCounts& counts, Impurity kind) {
  const auto total = static_cast<Real>(total_of(counts));
  Real sum = 0;
  for (const std::int64_t c : counts) {
    const auto n = static_cast<Real>(c);
    if (c > 0) sum += kind == Impurity::gini ? n * ((total - n) / total) : n * std::log2(total / n);
  }
  return sum;
}

struct Grown {
  std::size_t parent = 0;
  std::size_t depth = 0;
  RowSet rows;  // emptied once it is split
  SideCounts counts;
  std::optional<Feature> feature;
  std::size_t low = 0;
  std::size_t high = 0;
};

class Growth {
 public:
  Growth(const Dataset& dataset, const CartOptions& options, const Control& control)
      : dataset_(dataset), options_(options), control_(control), counter_(dataset), rng_(options.seed) {
    RowSet all = RowSet::all(dataset.num_rows());
    SideCounts counts = counter_.all(all);
    nodes_.push_back({0, 0, std::move(all), std::move(counts), std::nullopt, 0, 0});
    for (std::size_t n = 0; n < nodes_.size() && !stopped_; ++n) grow(n);
  }

  CartTree tree() const {
    std::vector<DiagramNode> out;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Grown& g = nodes_[n];
      out.push_back(g.feature ? DiagramNode::test(*g.feature, Node{g.low}, Node{g.high}) : DiagramNode::leaf(label(n)));
    }
    return {tree_of(out), tied_nodes_, !stopped_};
  }

 private:
  bool worth_splitting(const Grown& g) const {
    return g.depth < options_.depth && g.counts.rows >= options_.min_split && impure(g.counts.weight);
  }
  bool admissible(const SideCounts& low, const SideCounts& high) const {
    const std::size_t least = std::max<std::size_t>(options_.min_leaf, 1);
    return low.rows >= least && high.rows >= least && total_of(low.weight) > 0 && total_of(high.weight) > 0;
  }

  // The features that leave least impurity, in order; several if they tie.
  std::vector<Feature> best_features(const Grown& g) {
    std::vector<Feature> best;
    Real least = std::numeric_limits<Real>::infinity();
    const Real slack = 1e-15L * static_cast<Real>(total_of(g.counts.weight));
    for (std::size_t f = 0; f < dataset_.num_features(); ++f) {
      if (control_.stopping()) {
        stopped_ = true;
        return {};
      }
      const SideCounts high = counter_.of(g.rows, dataset_.column(Feature{f}));
      const SideCounts low = g.counts - high;
      if (!admissible(low, high)) continue;
      const Real left = impurity_of(low.weight, options_.impurity) + impurity_of(high.weight, options_.impurity);
      if (left > least + slack) continue;
      if (left < least - slack) best.clear();
      least = std::min(least, left);
      best.emplace_back(f);
    }
    return best;
  }

  void grow(std::size_t n) {
    if (!worth_splitting(nodes_[n])) return;
    const std::vector<Feature> best = best_features(nodes_[n]);
    if (best.empty()) return;
    if (best.size() > 1) ++tied_nodes_;
    split(n, options_.seed == 0 ? best.front() : best[rng_.below(best.size())]);
    const double share = static_cast<double>(n + 1) / static_cast<double>(nodes_.size());
    if (!control_.report({"cart", share, 0, std::nullopt, clock_.seconds()})) stopped_ = true;
  }

  void split(std::size_t n, Feature f) {
    const BitColumn& column = dataset_.column(f);
    const SideCounts high = counter_.of(nodes_[n].rows, column);
    const std::array sides = {nodes_[n].counts - high, high};
    const RowSet rows = std::exchange(nodes_[n].rows, {});
    nodes_[n].feature = f;
    for (const bool passed : {false, true}) {
      (passed ? nodes_[n].high : nodes_[n].low) = nodes_.size();
      Grown child{n, nodes_[n].depth + 1, {}, sides[passed ? 1 : 0], std::nullopt, 0, 0};
      if (worth_splitting(child)) child.rows = rows.where(column, passed);
      nodes_.push_back(std::move(child));
    }
  }

  Class label(std::size_t n) const {
    std::vector<const ClassCounts*> branch{&nodes_[n].counts.weight};
    while (n != 0) branch.push_back(&nodes_[n = nodes_[n].parent].counts.weight);
    return label_on_branch(branch);
  }

  const Dataset& dataset_;
  const CartOptions& options_;
  const Control& control_;
  RowCounter counter_;
  Rng rng_;
  Stopwatch clock_;
  std::vector<Grown> nodes_;
  std::size_t tied_nodes_ = 0;
  bool stopped_ = false;
};

}  // namespace

CartTree cart(const Dataset& dataset, const CartOptions& options, const Control& control) {
  require(options.depth <= kMaxDepth, "cart: depth at most 20");
  require(dataset.num_classes() > 0, "cart: at least one class");
  return Growth(dataset, options, control).tree();
}

}  // namespace beadwork
