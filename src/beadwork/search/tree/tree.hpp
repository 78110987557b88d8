#pragma once
// The search tree: depth-first over sets of candidates, judged by the linear cap before anything is built.
//
// At a node T with error E and r features to choose, W(f) caps what f can gain (docs/search.md,
// linear cap and elimination): err(T + R) >= E - sum over R of W. The node is dead if E - (r largest W) >= limit; f is
// dead if E - W(f) - (r - 1 largest others) >= limit. Candidates are taken in order of W, largest first; once t has
// been branched on, it leaves the candidates, so every set is reached once, through its first member. A child T + t is
// judged from the counts of its parent: only living children are built.
//
// Search positions: the root orders the candidates by W once; `ids` are places in that order. On the first
// two levels branching follows it (so that units of work are intervals of prefixes, as certificates and
// checkpoints want them); below, each node sorts again.
//
// Groups. Where one of some features is required, a node branches on the members of one open group alone: each set that
// meets the group is reached through its first member there. Where branching follows the order, which begins with the
// groups, it ends with the last member of any open one. A node with no more to choose than there are open groups has
// no other candidates than theirs. All bounds are those of the sets without this restriction.

#include <beadwork/search/kernel/table.hpp>
#include <beadwork/search/problem/scale.hpp>
#include <beadwork/search/tree/arena.hpp>
#include <beadwork/search/tree/sink.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

namespace beadwork::detail {

// What the threads of one search share.
struct Shared {
  Shared(const Problem& p, std::size_t count, Sink& s, const Control& c)
      : problem(&p), choose(count), sink(&s), control(&c), memory(c.memory_limit) {}
  const Problem* problem;
  std::size_t choose;
  Sink* sink;
  const Control* control;
  std::vector<std::uint32_t> order;  // candidate of each search position
  Scale scale;                       // of the problem; the tree's errors are coarse
  MemoryBudget memory;
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> work{0};                      // of all trees; brought up to date before each tick
  std::uint64_t effort_per_tick = std::uint64_t{1} << 20;  // about a millisecond
  // Called by a worker now and then; sets `stop` if need be.
  std::function<void()> tick;
};

inline constexpr std::int64_t kNoLimit = std::int64_t{1} << 58;  // above every error

struct TreeStats {
  std::uint64_t nodes = 0, steps = 0, evaluated = 0;
  std::uint64_t work = 0;  // rows times candidates that were counted: the same on every kernel
};

template <class B>
class Tree {
 public:
  using Node = typename B::Node;
  using Weight = typename B::Weight;

  // A place in the candidates of an open node.
  struct Cursor {
    const Node* node = nullptr;
    std::uint32_t r = 0;
    bool sorted = false;             // by weight; else by position
    Weight* rest = nullptr;          // weights of the candidates not branched on yet, -1 for the others
    std::uint32_t* lanes = nullptr;  // to branch on, in order
    std::int64_t* sums = nullptr;    // sorted: sums of weights of the first lanes
    std::uint32_t num_lanes = 0;
    std::uint32_t until = 0;  // the lanes from here on only follow others
    std::uint32_t next = 0;
    std::uint32_t alive = 0;  // candidates that may follow the lane judged last
    std::uint64_t size = 0;   // rows times candidates
    typename B::Scratch scratch;
  };

  Tree(Shared& shared, const B& backend) : shared_(&shared), backend_(&backend), arena_(shared.memory) {}

  Arena& arena() { return arena_; }
  TreeStats& stats() { return stats_; }
  std::vector<std::uint32_t>& prefix() { return prefix_; }

  void solve(Node& n, std::uint32_t r) {
    ++stats_.nodes;
    if (polling(backend_->effort(n))) return;
    if (r == 0) {
      if (n.error < limit(n)) offer(n.error);
      return;
    }
    if (settle(n, r)) return;
    const ArenaScope scope(arena_);
    backend_->open(arena_, n, r);
    if (r == 1) {
      finish(n);
      return;
    }
    Cursor c = start(arena_, n, r, true);
    while (more(c) && step(c)) {
    }
  }

  // Room to work on an open node. No lanes if the node is dead.
  Cursor start(Arena& arena, const Node& n, std::uint32_t r, bool sorted) {
    Cursor c;
    c.node = &n;
    c.r = r;
    c.sorted = sorted;
    c.size = backend_->size(n);
    const std::size_t size = backend_->row_size(n);
    c.rest = arena.get<Weight>(size);
    std::copy(n.weights, n.weights + size, c.rest);
    if (n.open != 0 && !leave_room(n, r, c.rest)) return c;
    c.scratch = backend_->scratch(arena, n, r);
    c.scratch.job.stats = &pair_stats_;
    if (backend_->eliminate_all(n, c.scratch, c.rest, r, n.error - limit(n)) < r) return c;
    c.lanes = arena.get<std::uint32_t>(n.num_candidates);
    for (std::uint32_t f = 0; f < n.num_candidates; ++f)
      if (c.rest[f] >= 0) c.lanes[c.num_lanes++] = f;
    c.until = c.num_lanes;
    if (n.open != 0) {
      begin_with_groups(c);
    } else if (sorted) {
      std::sort(c.lanes, c.lanes + c.num_lanes,
                [w = n.weights](std::uint32_t a, std::uint32_t b) { return w[a] != w[b] ? w[a] > w[b] : a < b; });
      c.sums = arena.get<std::int64_t>(c.num_lanes + std::size_t{1});
      c.sums[0] = 0;
      for (std::uint32_t i = 0; i < c.num_lanes; ++i) c.sums[i + 1] = c.sums[i] + n.weights[c.lanes[i]];
    } else {
      std::sort(c.lanes, c.lanes + c.num_lanes, [&](std::uint32_t a, std::uint32_t b) { return n.ids[a] < n.ids[b]; });
    }
    return c;
  }

  // Is there a lane to branch on, with enough to follow it?
  static bool more(const Cursor& c) { return c.next < c.until && c.next + c.r <= c.num_lanes; }

  // Where a candidate stands once the counts of its parent are known.
  enum class Verdict { rest_dead, dead, alive };

  // Takes the next lane and judges it; on alive, c.scratch.weights holds the candidates that may follow it.
  Verdict judge(Cursor& c, std::int64_t& error) {
    const Node& n = *c.node;
    const std::uint32_t t = c.lanes[c.next], r = c.r;
    c.rest[t] = -1;
    ++c.next;
    ++stats_.steps;
    stats_.work += c.size;
    const std::int64_t limit = this->limit(n), slack = n.error - limit - n.weights[t];
    std::int64_t others;  // the r - 2 largest after t
    if (c.sorted) {
      if (slack - (c.sums[c.next + r - 1] - c.sums[c.next]) >= 0) return Verdict::rest_dead;
      others = c.sums[c.next + r - 2] - c.sums[c.next];
    } else {
      if (slack - backend_->top(n, c.rest, r - 1) >= 0) return Verdict::dead;
      others = backend_->top(n, c.rest, r - 2);
    }
    if (backend_->above(n, c.scratch, c.rest, slack - others) < r - 1) return Verdict::dead;
    error = backend_->error_after(n, t);
    c.alive = backend_->extend(n, c.scratch, t, r - 1, error, limit);
    return c.alive < r - 1 ? Verdict::dead : Verdict::alive;
  }

  // Branches on the next lane; false if nothing after it can matter, or if the search stops.
  bool step(Cursor& c) {
    const std::uint32_t t = c.lanes[c.next];
    std::int64_t error = 0;
    if (polling(1)) return false;
    const Verdict verdict = judge(c, error);
    if (verdict != Verdict::alive) return verdict == Verdict::dead;
    prefix_.push_back(c.node->ids[t]);
    if (c.r == 2)
      last(c, t);
    else if (c.scratch.pairs)
      pairs(c, t, error);
    else
      descend(c, t);
    prefix_.pop_back();
    return !shared_->stop.load(std::memory_order_relaxed);
  }

  // Moves to the lane of a position; false if it is dead or too few follow it.
  bool seek(Cursor& c, std::uint32_t id) {
    while (c.next < c.num_lanes && c.node->ids[c.lanes[c.next]] < id) c.rest[c.lanes[c.next++]] = -1;
    return more(c) && c.node->ids[c.lanes[c.next]] == id;
  }

  // The child of the step under way, when it is to be worked on by several threads: as descend, but returned.
  Node child(Arena& arena, const Cursor& c, std::uint32_t t) {
    const Node& n = *c.node;
    const Weight* w = c.scratch.weights;
    std::uint32_t* source = arena.get<std::uint32_t>(n.num_candidates);
    std::uint32_t count = 0;
    for (std::uint32_t f = 0; f < n.num_candidates; ++f)
      if (w[f] >= 0) source[count++] = f;
    std::sort(source, source + count,
              [w](std::uint32_t a, std::uint32_t b) { return w[a] != w[b] ? w[a] > w[b] : a < b; });
    Node out = backend_->child(arena, n, t, {source, count});
    if (n.open != 0) out.open = n.open & ~group_of(n, t);
    return out;
  }

  std::int64_t limit(const Node& n) const { return std::min({shared_->sink->limit(), n.cap, kNoLimit}); }

  // Nothing below n is worth a visit, or only less than before: see Sink::best_only and cap_of. `n.error` bounds
  // every set below.
  bool settle(Node& n, std::uint32_t r) {
    if (n.num_candidates < r) return true;
    Sink& sink = *shared_->sink;
    const bool reached = sink.best_only() && n.error < limit(n), many = sink.many_ties();
    if (!reached && !many) return false;
    Candidates all(n.num_candidates);
    for (std::uint32_t i = 0; i < n.num_candidates; ++i) all[i] = shared_->order[n.ids[i]];
    const auto first = least(all, r, n.open);
    if (first.empty()) return true;  // what is left of some group was eliminated
    Candidates set = with_prefix(first);
    if (many) n.cap = std::min(n.cap, sink.cap_of(set));
    if (reached) {
      if (sink.improves(set, n.error)) {
        const std::int64_t error = evaluate(*shared_->problem, set);
        sink.offer(std::move(set), error);
      }
      n.cap = std::min(n.cap, n.error);
    }
    return n.cap <= n.base;
  }

  bool polling(std::uint64_t effort) {
    if (shared_->stop.load(std::memory_order_relaxed)) return true;
    effort_ += effort + 64;
    if (effort_ > shared_->effort_per_tick) {
      shared_->control->count(effort_);
      effort_ = 0;
      shared_->work += stats_.work - reported_;
      reported_ = stats_.work;
      shared_->tick();
    }
    return shared_->stop.load(std::memory_order_relaxed);
  }

 private:
  std::uint32_t group_of(const Node& n, std::uint32_t lane) const {
    return shared_->problem->candidates[shared_->order[n.ids[lane]]].group;
  }

  // Does this candidate leave none of these groups open?
  bool closes(const Node& n, std::uint32_t open, std::uint32_t lane) const {
    return open == 0 || (open & ~group_of(n, lane)) == 0;
  }

  // Drops what there is no room for beside the open groups; false where there is none for these.
  bool leave_room(const Node& n, std::uint32_t r, Weight* rest) const {
    const auto open = static_cast<std::uint32_t>(std::popcount(n.open));
    for (std::uint32_t f = 0; f < n.num_candidates && r == open; ++f)
      if ((group_of(n, f) & n.open) == 0) rest[f] = -1;
    return r >= open;
  }

  // The lanes of a node with open groups: by position, as far as all groups have members; or the members of the group
  // with fewest, by weight, and then the others. No lanes where a group has no members.
  void begin_with_groups(Cursor& c) const {
    const Node& n = *c.node;
    std::uint32_t* const end = c.lanes + c.num_lanes;
    const auto in = [&](std::uint32_t group) {
      return [this, &n, group](std::uint32_t f) { return (group_of(n, f) & group) != 0; };
    };
    std::sort(c.lanes, end, [&](std::uint32_t a, std::uint32_t b) { return n.ids[a] < n.ids[b]; });
    std::uint32_t fewest = 0;
    std::ptrdiff_t least = PTRDIFF_MAX;
    for (std::uint32_t left = n.open; left != 0; left &= left - 1) {
      const std::uint32_t group = left & ~(left - 1);
      const auto members = std::count_if(c.lanes, end, in(group));
      if (members < least) fewest = group;
      least = std::min(least, members);
      std::uint32_t last = c.num_lanes;
      while (last > 0 && !in(group)(c.lanes[last - 1])) --last;
      c.until = std::min(c.until, last);
    }
    if (c.sorted && least > 0) {
      std::uint32_t* const others = std::stable_partition(c.lanes, end, in(fewest));
      std::stable_sort(c.lanes, others, [w = n.weights](std::uint32_t a, std::uint32_t b) { return w[a] > w[b]; });
      c.until = static_cast<std::uint32_t>(others - c.lanes);
    }
    if (least == 0) c.num_lanes = c.until = 0;
    c.sorted = false;
    // Pairs of candidates are looked at where no group is open any more.
    c.scratch.pairs =
        c.scratch.pairs && std::popcount(n.open) == 1 && std::all_of(c.lanes, c.lanes + c.until, in(n.open));
  }

  // The first r of these, in lexicographic order, with a member of each open group; none where there are no such.
  std::span<const std::uint32_t> least(std::vector<std::uint32_t>& all, std::uint32_t r, std::uint32_t open) const {
    if (open == 0) {
      std::nth_element(all.begin(), all.begin() + (r - 1), all.end());
      return {all.data(), r};
    }
    std::sort(all.begin(), all.end());
    const auto needed = [&](std::uint32_t i) {
      const std::uint32_t group = shared_->problem->candidates[i].group & open;
      open &= ~group;
      return group != 0;
    };
    std::vector<std::uint32_t> members, others;
    for (const std::uint32_t i : all) (needed(i) ? members : others).push_back(i);
    if (open != 0 || members.size() > r) return {};
    std::copy(others.begin(), others.end(), std::copy(members.begin(), members.end(), all.begin()));
    return {all.data(), r};
  }
  Candidates with_prefix(std::span<const std::uint32_t> more) const {
    Candidates set(more.begin(), more.end());
    for (const std::uint32_t id : prefix_) set.push_back(shared_->order[id]);
    std::sort(set.begin(), set.end());
    return set;
  }
  void offer(std::int64_t error, std::initializer_list<std::uint32_t> ids = {}) {
    Candidates more;
    for (const std::uint32_t id : ids) more.push_back(shared_->order[id]);
    shared_->sink->offer(with_prefix(more), error);
    if (shared_->sink->gives_up()) shared_->stop = true;
  }

  void finish(const Node& n) {
    const ArenaScope scope(arena_);
    Weight* errors = arena_.get<Weight>(backend_->row_size(n));
    backend_->errors(n, errors);
    stats_.evaluated += n.num_candidates;
    for (std::uint32_t f = 0; f < n.num_candidates; ++f)
      if (n.base + errors[f] < limit(n) && closes(n, n.open, f)) offer(n.base + errors[f], {n.ids[f]});
  }

  void last(Cursor& c, std::uint32_t t) {
    const Node& n = *c.node;
    backend_->errors_with(n, c.scratch, t);
    const std::uint32_t open = n.open == 0 ? 0 : n.open & ~group_of(n, t);
    for (std::uint32_t f = 0; f < n.num_candidates; ++f) {
      if (c.scratch.weights[f] < 0 || !closes(n, open, f)) continue;
      ++stats_.evaluated;
      if (n.base + c.scratch.errors[f] < limit(n)) offer(n.base + c.scratch.errors[f], {n.ids[f]});
    }
  }

  void pairs(Cursor& c, std::uint32_t t, std::int64_t error) {
    const Node& n = *c.node;
    stats_.work += c.size * c.alive;
    const std::int64_t cap = shared_->sink->many_ties() ? cap_of_pairs(c) : INT64_MAX;
    auto found = [&](std::uint32_t f, std::uint32_t g, std::int64_t e) {
      offer(e, {n.ids[f], n.ids[g]});
      return std::min(limit(n), cap);
    };
    const std::uint64_t effort = backend_->effort(n) / 2;
    auto stopping = [&] { return polling(effort); };
    stats_.evaluated += backend_->pairs(arena_, n, c.scratch, t, error, std::min(limit(n), cap), found, stopping);
  }

  // Sink::cap_of for the prefix, which ends with the lane judged last, and two of the candidates that may follow.
  std::int64_t cap_of_pairs(const Cursor& c) {
    Candidates all;
    for (std::uint32_t f = 0; f < c.node->num_candidates; ++f)
      if (c.scratch.weights[f] >= 0) all.push_back(shared_->order[c.node->ids[f]]);
    return shared_->sink->cap_of(with_prefix(least(all, 2, 0)));
  }

  void descend(Cursor& c, std::uint32_t t) {
    const ArenaScope scope(arena_);
    Node n = child(arena_, c, t);
    backend_->cancel(arena_, n, c.r - 1);
    solve(n, c.r - 1);
  }

  Shared* shared_;
  const B* backend_;
  Arena arena_;
  TreeStats stats_;
  std::vector<std::uint32_t> prefix_;
  std::uint64_t effort_ = 0, reported_ = 0;
  kernel::PairStats pair_stats_;
};

}  // namespace beadwork::detail
