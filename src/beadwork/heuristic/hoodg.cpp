#include <beadwork/heuristic/graph.hpp>

#include <algorithm>
#include <map>

// Oblivious read-once decision graphs from the bottom up (Kohavi, ECML 1994). Rows are combinations of values, each
// with the node that it has reached, at first the leaf of its class. Taking a feature away leaves rows without it, each
// with a vector of destinations, one a value; vectors that do not contradict each other share a new node. Those with
// most destinations come first. The feature taken is the one that needs fewest nodes.

namespace beadwork {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
using Values = std::vector<std::uint16_t>;
using Destinations = std::vector<std::size_t>;

struct Reached {
  std::size_t node = 0;
  ClassCounts counts;
};
using Instances = std::map<Values, Reached>;

struct Cover {
  std::vector<Destinations> nodes;        // of each new node
  std::map<Values, std::size_t> node_of;  // of each row without the feature
  std::size_t tests = 0;                  // nodes with different destinations
};

bool agree(const Destinations& a, const Destinations& b) {
  for (std::size_t v = 0; v < a.size(); ++v)
    if (a[v] != kNone && b[v] != kNone && a[v] != b[v]) return false;
  return true;
}

std::size_t defined(const Destinations& d) {
  return d.size() - static_cast<std::size_t>(std::count(d.begin(), d.end(), kNone));
}

Values without(Values values, std::size_t place) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(place));
  return values;
}

Cover cover(const Instances& rows, std::size_t place, std::size_t arity) {
  std::map<Values, Destinations> vectors;
  for (const auto& [values, reached] : rows) {
    Destinations& d = vectors.try_emplace(without(values, place), arity, kNone).first->second;
    d[values[place]] = reached.node;
  }
  std::vector<const std::pair<const Values, Destinations>*> sorted;
  for (const auto& entry : vectors) sorted.push_back(&entry);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](auto* a, auto* b) { return defined(a->second) > defined(b->second); });
  Cover c;
  for (const auto* entry : sorted) {
    std::size_t n = 0;
    while (n < c.nodes.size() && !agree(c.nodes[n], entry->second)) ++n;
    if (n == c.nodes.size()) c.nodes.emplace_back(arity, kNone);
    for (std::size_t v = 0; v < arity; ++v)
      if (entry->second[v] != kNone) c.nodes[n][v] = entry->second[v];
    c.node_of[entry->first] = n;
  }
  for (const Destinations& d : c.nodes) {
    const auto first = std::find_if(d.begin(), d.end(), [](std::size_t n) { return n != kNone; });
    c.tests += std::any_of(first, d.end(), [&](std::size_t n) { return n != kNone && n != *first; }) ? 1 : 0;
  }
  return c;
}

class BottomUp {
 public:
  BottomUp(const ValueTable& table, const std::vector<std::size_t>& features)
      : table_(table), left_(features), order_(features.size()) {
    ClassCounts whole(table.num_classes);
    for (std::size_t r = 0; r < table.labels.size(); ++r) {
      if (table.weights[r] == 0) continue;
      Values values;
      for (const std::size_t f : features) values.push_back(table.columns[f][r]);
      Reached& cell = rows_.try_emplace(values, Reached{0, ClassCounts(table.num_classes)}).first->second;
      cell.counts[table.labels[r]()] += table.weights[r];
      whole[table.labels[r]()] += table.weights[r];
    }
    std::map<Class, std::size_t> leaf_of;
    for (auto& [values, cell] : rows_) {
      const Class label = label_on_branch(std::vector<const ClassCounts*>{&cell.counts, &whole});
      const auto [leaf, is_new] = leaf_of.try_emplace(label, nodes_.size());
      if (is_new) nodes_.push_back({features.size(), {}, ClassCounts(table.num_classes), label});
      cell.node = leaf->second;
      add(nodes_[cell.node].counts, cell.counts);
    }
  }

  ObliviousGraph run(const Control& control) {
    while (!left_.empty()) {
      std::size_t best = 0;
      Cover least = cover(rows_, 0, table_.arity[left_[0]]);
      // Stopped: the features left are taken as they come.
      for (std::size_t i = 1; i < left_.size() && complete_; ++i) {
        complete_ = !control.stopping();
        Cover c = cover(rows_, i, table_.arity[left_[i]]);
        if (std::pair(c.nodes.size(), c.tests) >= std::pair(least.nodes.size(), least.tests)) continue;
        least = std::move(c);
        best = i;
      }
      take(best, least);
    }
    if (rows_.empty()) return constant();
    std::swap(nodes_[0], nodes_[rows_.begin()->second.node]);
    for (ObliviousNode& n : nodes_)
      for (std::size_t& child : n.children)
        child = child == 0 ? rows_.begin()->second.node : child;  // nothing leads to the root
    return finished({order_, std::move(nodes_), table_.weight_scale, complete_});
  }

 private:
  static void add(ClassCounts& a, const ClassCounts& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
  }

  // No weight at all.
  ObliviousGraph constant() const {
    return {order_, {{0, {}, ClassCounts(table_.num_classes), Class{0}}}, table_.weight_scale, complete_};
  }

  void take(std::size_t place, const Cover& c) {
    const std::size_t level = left_.size() - 1;
    const std::size_t first = nodes_.size();
    order_[level] = left_[place];
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(place));
    const std::size_t unknown = first + c.nodes.size();
    for (const Destinations& d : c.nodes) {
      ObliviousNode node{level, d, ClassCounts(table_.num_classes), std::nullopt};
      std::replace(node.children.begin(), node.children.end(), kNone, unknown);
      nodes_.push_back(std::move(node));
    }
    nodes_.push_back({level + 1, {}, ClassCounts(table_.num_classes), std::nullopt});
    Instances next;
    for (const auto& [values, cell] : rows_) {
      const Values rest = without(values, place);
      const std::size_t node = first + c.node_of.at(rest);
      Reached& r = next.try_emplace(rest, Reached{node, ClassCounts(table_.num_classes)}).first->second;
      add(r.counts, cell.counts);
      add(nodes_[node].counts, cell.counts);
    }
    rows_ = std::move(next);
  }

  const ValueTable& table_;
  std::vector<std::size_t> left_;
  std::vector<std::size_t> order_;
  std::vector<ObliviousNode> nodes_;
  Instances rows_;
  bool complete_ = true;
};

}  // namespace

ObliviousGraph hoodg(const ValueTable& table, const std::vector<std::size_t>& features, const Control& control) {
  require(table.num_classes > 0, "hoodg: at least one class");
  return BottomUp(table, features).run(control);
}

}  // namespace beadwork
