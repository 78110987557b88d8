#pragma once
// How much work lies below a prefix of search positions, without doing it (docs/scale.md).
//
// A dive goes from a node down to the last pairs. At each node it takes one of the branches that may live, the first
// ones more often, judges it as the search would and multiplies what it finds below by one over the chance of that
// branch (Knuth 1975): on average the work of the whole subtree.

#include <beadwork/search/tree/tree.hpp>

#include <cmath>

namespace beadwork::detail {

struct WorkUnit {
  std::vector<std::uint32_t> prefix;
  double work = 0;
};

// For one thread. What it says follows from the problem, the sink's limit, the seed and the prefix.
template <class B>
class Dives {
 public:
  using Node = typename B::Node;
  using Cursor = typename Tree<B>::Cursor;

  Dives(const B& backend, Shared& shared, const Node& root, bool by_weight, std::uint64_t seed)
      : backend_(&backend),
        shared_(&shared),
        root_(&root),
        by_weight_(by_weight),
        seed_(seed),
        tree_(shared, backend),
        rng_(seed) {}

  // As TreeStats::work, of everything so far.
  std::uint64_t work() { return tree_.stats().work; }

  // The next positions that may live, each with the mean of so many dives; none where nothing is left below. Throws
  // Stopped.
  std::vector<WorkUnit> divide(const std::vector<std::uint32_t>& prefix, std::size_t dives) {
    rng_ = Rng(seed_);
    for (const std::uint32_t t : prefix) rng_ = Rng(rng_.next() + t);
    const ArenaScope scope(tree_.arena());
    Node node = *root_;
    if (!go_to(prefix, node)) return {};
    const auto r = static_cast<std::uint32_t>(shared_->choose - prefix.size());
    return living(node, r, prefix.empty() && by_weight_, prefix, dives);
  }

 private:
  // From the root to the open node of a prefix; false where it is dead.
  bool go_to(const std::vector<std::uint32_t>& prefix, Node& node) {
    std::vector<std::uint32_t> above;
    for (const std::uint32_t t : prefix) {
      Node* n = tree_.arena().template get<Node>(1);
      *n = node;
      const auto r = static_cast<std::uint32_t>(shared_->choose - above.size());
      Cursor c = tree_.start(tree_.arena(), *n, r, above.empty() && by_weight_);
      if (c.num_lanes == 0 || !tree_.seek(c, t)) return false;
      const std::uint32_t lane = c.lanes[c.next];
      std::int64_t error = 0;
      above.push_back(t);
      if (tree_.judge(c, error) != Tree<B>::Verdict::alive || !make(c, lane, above, node)) return false;
    }
    return true;
  }

  std::vector<WorkUnit> living(const Node& n, std::uint32_t r, bool sorted, const std::vector<std::uint32_t>& prefix,
                               std::size_t dives) {
    std::vector<WorkUnit> out;
    const ArenaScope scope(tree_.arena());
    Cursor c = tree_.start(tree_.arena(), n, r, sorted);
    while (Tree<B>::more(c)) {
      poll(*shared_->control);
      const std::uint32_t t = c.lanes[c.next];
      std::int64_t error = 0;
      const auto verdict = tree_.judge(c, error);
      if (verdict == Tree<B>::Verdict::rest_dead) break;
      if (verdict == Tree<B>::Verdict::dead) continue;
      WorkUnit& unit = out.emplace_back(WorkUnit{prefix, static_cast<double>(c.size)});
      unit.prefix.push_back(n.ids[t]);
      const ArenaScope inner(tree_.arena());
      unit.work += below(c, t, dives, unit.prefix);
    }
    return out;
  }

  // The open child of the lane judged last; false where nothing below it is worth a visit.
  bool make(Cursor& c, std::uint32_t t, const std::vector<std::uint32_t>& prefix, Node& child) {
    child = tree_.child(tree_.arena(), c, t);
    backend_->cancel(tree_.arena(), child, c.r - 1);
    tree_.prefix() = prefix;
    const bool settled = tree_.settle(child, c.r - 1);
    tree_.prefix().clear();
    if (!settled) backend_->open(tree_.arena(), child, c.r - 1);
    return !settled;
  }

  // Work below the lane judged last.
  double below(Cursor& c, std::uint32_t t, std::size_t dives, std::vector<std::uint32_t> prefix) {
    const auto size = static_cast<double>(c.size);
    if (c.r == 2) return size;
    if (c.scratch.pairs) return size * c.alive;
    Node n;
    if (!make(c, t, prefix, n)) return size;
    double sum = 0;
    for (std::size_t i = 0; i < dives; ++i) sum += dive(n, c.r - 1, prefix);
    return sum / static_cast<double>(dives);
  }

  double dive(const Node& n, std::uint32_t r, std::vector<std::uint32_t>& prefix) {
    poll(*shared_->control);
    const ArenaScope scope(tree_.arena());
    Cursor c = tree_.start(tree_.arena(), n, r, true);
    const auto size = static_cast<double>(c.size);
    if (r < 2) return size;
    const std::uint32_t living = num_living(c);
    if (living == 0) return size;
    const double q = r, all = std::pow(living, q);
    const auto i = std::min(living - 1, static_cast<std::uint32_t>(living * (1 - std::pow(rng_.unit(), 1 / q))));
    const double chance = (std::pow(living - i, q) - std::pow(living - i - 1, q)) / all;
    for (std::uint32_t j = 0; j < i; ++j) c.rest[c.lanes[j]] = -1;
    c.next = i;
    const std::uint32_t t = c.lanes[i];
    std::int64_t error = 0;
    double sum = size * living;
    if (tree_.judge(c, error) != Tree<B>::Verdict::alive) return sum;
    prefix.push_back(n.ids[t]);
    sum += below(c, t, 1, prefix) / chance;
    prefix.pop_back();
    return sum;
  }

  // Lanes that the linear cap alone does not end.
  std::uint32_t num_living(const Cursor& c) const {
    const Node& n = *c.node;
    const std::int64_t slack = n.error - tree_.limit(n);
    std::uint32_t i = 0;
    if (!c.sorted) {  // groups come first
      while (i < c.until && i + c.r <= c.num_lanes) ++i;
      return i;
    }
    while (i + c.r <= c.num_lanes && slack - (c.sums[i + c.r] - c.sums[i]) < 0) ++i;
    return i;
  }

  const B* backend_;
  Shared* shared_;
  const Node* root_;
  bool by_weight_;
  std::uint64_t seed_;
  Tree<B> tree_;
  Rng rng_;
};

}  // namespace beadwork::detail
