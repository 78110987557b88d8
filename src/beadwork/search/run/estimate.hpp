#pragma once
// How much work lies below prefixes of search positions, without doing it (docs/scale.md).
//
// A dive goes from a node down to the last pairs. At each node it takes one of the branches that may live, the first
// ones more often, judges it as the search would and multiplies what it finds below by one over the chance of that
// branch (Knuth 1975): on average the work of the whole subtree. The prefix that holds most is divided by its next
// position, and estimated again, up to three positions, until all are small or enough work went into it. Everything
// follows from the problem, the incumbent and the seed.

#include <beadwork/search/tree/tree.hpp>

#include <cmath>
#include <queue>

namespace beadwork::detail {

struct WorkUnit {
  std::vector<std::uint32_t> prefix;
  double work = 0;
};

template <class B>
class Estimate {
 public:
  using Node = typename B::Node;
  using Cursor = typename Tree<B>::Cursor;

  Estimate(const B& backend, Shared& shared, const Node& root, bool by_weight, std::uint64_t seed)
      : backend_(&backend), shared_(&shared), root_(&root), by_weight_(by_weight), tree_(shared, backend), rng_(seed) {}

  // Units that may be cut into so many parts, in order; those that are dead are left out. Throws Stopped.
  std::vector<WorkUnit> units(std::size_t parts) {
    const auto r = static_cast<std::uint32_t>(shared_->choose);
    const std::vector<WorkUnit> first = divide(*root_, r, by_weight_, {}, kFirstDives);
    double all = 0;
    for (const WorkUnit& u : first) all += u.work;
    const double most = all / (kFiner * static_cast<double>(parts));
    const std::uint64_t enough =
        tree_.stats().work + std::max(kLeast, static_cast<std::uint64_t>(std::min(1e18, kShare * all)));
    std::priority_queue<WorkUnit, std::vector<WorkUnit>, Smaller> queue(Smaller{}, first);
    std::vector<WorkUnit> out;
    while (!queue.empty()) {
      const WorkUnit unit = queue.top();
      queue.pop();
      const bool divisible = unit.prefix.size() < kMostLevels && unit.prefix.size() + 1 < shared_->choose;
      if (unit.work <= most || !divisible || tree_.stats().work > enough || !divide(unit, queue)) out.push_back(unit);
    }
    std::sort(out.begin(), out.end(), [](const WorkUnit& x, const WorkUnit& y) { return x.prefix < y.prefix; });
    return out;
  }

 private:
  static constexpr std::size_t kFirstDives = 8, kDives = 2, kMostLevels = 3;
  static constexpr double kFiner = 6;                              // units in a part, or more
  static constexpr double kShare = 1.0 / 32;                       // of the work, at most, for estimating it
  static constexpr std::uint64_t kLeast = std::uint64_t{1} << 36;  // or so much: a tenth of a second

  struct Smaller {
    bool operator()(const WorkUnit& a, const WorkUnit& b) const {
      return a.work != b.work ? a.work < b.work : a.prefix > b.prefix;
    }
  };

  // The positions of an open node that may live, each with the mean of some dives.
  std::vector<WorkUnit> divide(const Node& n, std::uint32_t r, bool sorted, const std::vector<std::uint32_t>& prefix,
                               std::size_t dives) {
    std::vector<WorkUnit> out;
    const ArenaScope scope(tree_.arena());
    Cursor c = tree_.start(tree_.arena(), n, r, sorted);
    while (c.next + r <= c.num_lanes) {
      look(*shared_->control);
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

  // Puts what a unit divides into in its place; false where that is nothing.
  template <class Queue>
  bool divide(const WorkUnit& unit, Queue& queue) {
    const ArenaScope scope(tree_.arena());
    std::vector<std::uint32_t> prefix;
    Node node = *root_;
    auto r = static_cast<std::uint32_t>(shared_->choose);
    for (const std::uint32_t t : unit.prefix) {
      Node* above = tree_.arena().template get<Node>(1);
      *above = node;
      Cursor c = tree_.start(tree_.arena(), *above, r, prefix.empty() && by_weight_);
      if (c.num_lanes == 0 || !tree_.seek(c, t)) return false;
      const std::uint32_t lane = c.lanes[c.next];
      std::int64_t error = 0;
      prefix.push_back(t);
      if (tree_.judge(c, error) != Tree<B>::Verdict::alive || !make(c, lane, prefix, node)) return false;
      --r;
    }
    const auto units = divide(node, r, false, unit.prefix, kDives);
    for (const WorkUnit& u : units) queue.push(u);
    return !units.empty();
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
    look(*shared_->control);
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
    while (i + c.r <= c.num_lanes && slack - (c.sums[i + c.r] - c.sums[i]) < 0) ++i;
    return i;
  }

  const B* backend_;
  Shared* shared_;
  const Node* root_;
  bool by_weight_;
  Tree<B> tree_;
  Rng rng_;
};

}  // namespace beadwork::detail
