#include <beadwork/heuristic/oblivious.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

// Oblivious decision trees, grown from the root down (Kohavi and Li, IJCAI 1995).

namespace beadwork {
namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
using Real = long double;

// Weight times entropy, in bits.
Real entropy_of(const std::int64_t* counts, std::size_t classes) {
  Real total = 0;
  for (std::size_t k = 0; k < classes; ++k) total += static_cast<Real>(counts[k]);
  Real sum = 0;
  for (std::size_t k = 0; k < classes; ++k)
    if (counts[k] > 0) sum += static_cast<Real>(counts[k]) * std::log2(total / static_cast<Real>(counts[k]));
  return sum;
}

class ObliviousGrowth {
 public:
  ObliviousGrowth(const ValueTable& table, const OdtOptions& options, const Control& control)
      : table_(table), options_(options), control_(control), rng_(options.seed) {
    ObliviousNode root;
    root.counts.assign(table.num_classes, 0);
    node_of_.assign(table.labels.size(), kNowhere);
    for (std::size_t r = 0; r < table.labels.size(); ++r) {
      root.counts[table.labels[r]()] += table.weights[r];
      if (table.weights[r] > 0) node_of_[r] = 0;
    }
    graph_.weight_scale = table.weight_scale;
    graph_.nodes.push_back(std::move(root));
    level_ = {0};
  }

  ObliviousGraph grow() {
    for (std::size_t depth = 0; depth < options_.depth; ++depth) {
      const auto feature = next_feature();
      if (!feature) break;
      split_level(*feature);
      const double share = static_cast<double>(depth + 1) / static_cast<double>(options_.depth);
      if (!control_.report({"odt", share, 0, std::nullopt, clock_.seconds()})) graph_.complete = false;
      if (!graph_.complete) break;
    }
    label_leaves();
    return std::move(graph_);
  }

 private:
  // Rows in impure bags, numbered by bag: pure ones have no entropy to lose.
  void list_impure() {
    impure_.clear();
    bag_.assign(graph_.nodes.size(), kNowhere);
    bags_ = 0;
    for (const std::size_t n : level_)
      if (impure(graph_.nodes[n].counts)) bag_[n] = bags_++;
    for (std::size_t r = 0; r < node_of_.size(); ++r)
      if (node_of_[r] != kNowhere && bag_[node_of_[r]] != kNowhere) impure_.push_back(static_cast<std::uint32_t>(r));
  }

  // Entropy left per bit of the feature's own, negative gain; nothing if it splits no impure bag.
  std::optional<Real> loss(std::size_t f) const {
    const std::size_t classes = table_.num_classes;
    const std::size_t arity = table_.arity[f];
    std::vector<std::int64_t> counts(bags_ * arity * classes);
    for (const std::uint32_t r : impure_)
      counts[(bag_[node_of_[r]] * arity + table_.columns[f][r]) * classes + table_.labels[r]()] += table_.weights[r];
    Real change = 0;
    bool splits = false;
    for (std::size_t b = 0; b < bags_; ++b) {
      std::vector<std::int64_t> whole(classes);
      std::size_t parts = 0;
      for (std::size_t v = 0; v < arity; ++v) {
        const std::int64_t* part = counts.data() + (b * arity + v) * classes;
        change += entropy_of(part, classes);
        for (std::size_t k = 0; k < classes; ++k) whole[k] += part[k];
        parts += std::any_of(part, part + classes, [](std::int64_t c) { return c > 0; }) ? 1 : 0;
      }
      change -= entropy_of(whole.data(), classes);
      splits = splits || parts > 1;
    }
    if (!splits) return std::nullopt;
    return change / std::log2(static_cast<Real>(arity));
  }

  std::optional<std::size_t> next_feature() {
    list_impure();
    std::vector<std::size_t> best;
    Real least = std::numeric_limits<Real>::infinity();
    const Real slack = 1e-15L * static_cast<Real>(total_of(graph_.nodes[0].counts));
    for (std::size_t f = 0; f < table_.columns.size() && !impure_.empty(); ++f) {
      if (control_.stopping() || control_.no_room_for(4 * level_.size() * sizeof(graph_.nodes[0]))) {
        graph_.complete = false;
        return std::nullopt;
      }
      if (std::find(graph_.order.begin(), graph_.order.end(), f) != graph_.order.end()) continue;
      const auto change = loss(f);
      if (!change || *change > least + slack) continue;
      if (*change < least - slack) best.clear();
      least = std::min(least, *change);
      best.push_back(f);
    }
    if (best.empty()) return std::nullopt;
    return options_.seed == 0 ? best.front() : best[rng_.below(best.size())];
  }

  void split_level(std::size_t f) {
    const std::size_t depth = graph_.order.size() + 1;
    graph_.order.push_back(f);
    for (const std::size_t n : level_)
      for (std::size_t v = 0; v < table_.arity[f]; ++v) {
        graph_.nodes[n].children.push_back(graph_.nodes.size());
        graph_.nodes.push_back({depth, {}, ClassCounts(table_.num_classes), std::nullopt});
      }
    for (std::size_t r = 0; r < node_of_.size(); ++r) {
      if (node_of_[r] == kNowhere) continue;
      node_of_[r] = static_cast<std::uint32_t>(graph_.nodes[node_of_[r]].children[table_.columns[f][r]]);
      graph_.nodes[node_of_[r]].counts[table_.labels[r]()] += table_.weights[r];
    }
    std::vector<std::size_t> next;
    for (const std::size_t n : level_)
      for (const std::size_t child : graph_.nodes[n].children)
        if (total_of(graph_.nodes[child].counts) > 0) next.push_back(child);
    level_ = std::move(next);
  }

  void label_leaves() {
    std::vector<std::size_t> parent(graph_.nodes.size());
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n)
      for (const std::size_t child : graph_.nodes[n].children) parent[child] = n;
    for (const std::size_t leaf : level_) {
      std::vector<const ClassCounts*> branch{&graph_.nodes[leaf].counts};
      for (std::size_t n = leaf; n != 0;) branch.push_back(&graph_.nodes[n = parent[n]].counts);
      graph_.nodes[leaf].label = label_on_branch(branch);
    }
  }

  const ValueTable& table_;
  const OdtOptions& options_;
  const Control& control_;
  Rng rng_;
  Stopwatch clock_;
  ObliviousGraph graph_;
  std::vector<std::size_t> level_;      // bags of the level that hold weight
  std::vector<std::uint32_t> node_of_;  // of each row; a row of no weight is nowhere
  std::vector<std::uint32_t> bag_;      // number of each impure node of the level
  std::vector<std::uint32_t> impure_;   // rows in those
  std::uint32_t bags_ = 0;
};

}  // namespace

ValueTable values_of(const Dataset& dataset) {
  ValueTable t;
  t.num_classes = dataset.num_classes();
  t.weight_scale = dataset.weight_scale();
  t.arity.assign(dataset.num_features(), 2);
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) {
    t.labels.push_back(dataset.label(Row{r}));
    t.weights.push_back(dataset.weight(Row{r}));
  }
  for (std::size_t f = 0; f < dataset.num_features(); ++f) {
    t.columns.emplace_back(dataset.num_rows());
    for (std::size_t r = 0; r < dataset.num_rows(); ++r) t.columns[f][r] = dataset.value(Feature{f}, Row{r}) ? 1 : 0;
  }
  return t;
}

ObliviousGraph grow_odt(const ValueTable& table, const OdtOptions& options, const Control& control) {
  require(options.depth <= kMaxDepth, "grow_odt: depth at most 20");
  require(table.num_classes > 0, "grow_odt: at least one class");
  return ObliviousGrowth(table, options, control).grow();
}

}  // namespace beadwork
