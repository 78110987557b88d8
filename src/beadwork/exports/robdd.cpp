#include <beadwork/exports/robdd.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace beadwork::exports {
namespace {

class Manager {
 public:
  explicit Manager(std::size_t levels) : levels_(levels) {}

  BddRef node(std::size_t level, BddRef low, BddRef high) {
    if (low == high) return low;
    if (high < 0) return -node(level, -low, -high);
    const auto [it, fresh] = unique_.try_emplace({level, low, high}, static_cast<BddRef>(nodes_.size() + 2));
    if (fresh) nodes_.push_back({level, low, high});
    return it->second;
  }

  // The feature at `level` decides between two functions that may test anything (Bryant 1986, restricted to a
  // variable).
  BddRef choose(std::size_t level, BddRef low, BddRef high) {
    if (low == high) return low;
    const std::size_t top = std::min(level_of(low), level_of(high));
    if (level < top) return node(level, low, high);
    const auto key = std::make_tuple(level, low, high);
    if (const auto it = chosen_.find(key); it != chosen_.end()) return it->second;
    const auto [low0, low1] = halves(low, top);
    const auto [high0, high1] = halves(high, top);
    const BddRef made =
        top == level ? node(level, low0, high1) : node(top, choose(level, low0, high0), choose(level, low1, high1));
    return chosen_[key] = made;
  }

  const std::vector<BddNode>& nodes() const { return nodes_; }

 private:
  const BddNode& at(BddRef f) const { return nodes_[static_cast<std::size_t>(std::abs(f) - 2)]; }
  std::size_t level_of(BddRef f) const { return std::abs(f) == 1 ? levels_ : at(f).level; }
  std::pair<BddRef, BddRef> halves(BddRef f, std::size_t level) const {
    if (level_of(f) != level) return {f, f};
    const BddNode& n = at(f);
    return f < 0 ? std::pair{-n.low, -n.high} : std::pair{n.low, n.high};
  }

  std::size_t levels_;
  std::vector<BddNode> nodes_;
  std::map<std::tuple<std::size_t, BddRef, BddRef>, BddRef> unique_;
  std::map<std::tuple<std::size_t, BddRef, BddRef>, BddRef> chosen_;
};

// The model lists features in the order it was learnt with; a diagram that follows it stays as it is.
std::vector<Feature> order_of(const Plan& plan) {
  const std::vector<Feature> used = plan.model.diagram().used_features();  // feature i of the plan is used[i]
  std::vector<Feature> order;
  for (std::size_t f = 0; f < used.size(); ++f) order.emplace_back(f);
  const bool listed = std::all_of(plan.diagram.nodes().begin(), plan.diagram.nodes().end(), [&](const auto& n) {
    const auto after = [&](Node child) {
      const DiagramNode& c = plan.diagram[child];
      return c.sink || used[n.feature()] < used[c.feature()];
    };
    return n.sink || (after(n.low) && after(n.high));
  });
  if (listed) std::sort(order.begin(), order.end(), [&](Feature a, Feature b) { return used[a()] < used[b()]; });
  return order;
}

// What the roots reach, renumbered by level from the last.
void keep_reached(const std::vector<BddNode>& all, Bdd& bdd) {
  std::vector<bool> reached(all.size() + 2);
  std::vector<BddRef> todo = bdd.roots;
  while (!todo.empty()) {
    const auto n = static_cast<std::size_t>(std::abs(todo.back()));
    todo.pop_back();
    if (n == 1 || reached[n]) continue;
    reached[n] = true;
    todo.insert(todo.end(), {all[n - 2].low, all[n - 2].high});
  }
  std::vector<std::size_t> kept;
  for (std::size_t n = 2; n < reached.size(); ++n)
    if (reached[n]) kept.push_back(n);
  std::stable_sort(kept.begin(), kept.end(),
                   [&](std::size_t a, std::size_t b) { return all[a - 2].level > all[b - 2].level; });
  std::vector<BddRef> number(reached.size(), 1);
  for (std::size_t i = 0; i < kept.size(); ++i) number[kept[i]] = static_cast<BddRef>(i + 2);
  const auto renumbered = [&](BddRef f) {
    const BddRef n = number[static_cast<std::size_t>(std::abs(f))];
    return f < 0 ? -n : n;
  };
  for (const std::size_t n : kept)
    bdd.nodes.push_back({all[n - 2].level, renumbered(all[n - 2].low), renumbered(all[n - 2].high)});
  for (BddRef& root : bdd.roots) root = renumbered(root);
}

}  // namespace

Bdd bdd_of(const Plan& plan, const Outputs& outputs) {
  Bdd bdd;
  bdd.order = order_of(plan);
  std::vector<std::size_t> level(bdd.order.size());
  for (std::size_t l = 0; l < bdd.order.size(); ++l) level[bdd.order[l]()] = l;
  Manager manager(level.size());
  for (const Class k : outputs.classes) {
    std::vector<BddRef> function(plan.diagram.size());
    for (std::size_t n = function.size(); n-- > 0;) {
      const DiagramNode& node = plan.diagram.nodes()[n];
      function[n] = node.sink ? (node.answer == k ? 1 : -1)
                              : manager.choose(level[node.feature()], function[node.low()], function[node.high()]);
    }
    bdd.roots.push_back(function[0]);
  }
  keep_reached(manager.nodes(), bdd);
  return bdd;
}

}  // namespace beadwork::exports
