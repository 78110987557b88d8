#pragma once
// Boxes of cuts, halved until each is dead or a single cut. docs/ordered.md has the bounds by name, with proofs.

#include <beadwork/ordered/box.hpp>
#include <beadwork/ordered/shared.hpp>

namespace beadwork::ordered {

template <class Cells>
class Tree {
 public:
  using W = typename Cells::Weight;
  using Ranges = std::vector<Range>;

  Tree(const Problem& problem, Shared& shared) : problem_(problem), shared_(shared), cells_(problem) {
    nodes_.resize(problem.choose + 1);
    boxes_.resize(problem.choose + 1);
    for (auto& n : nodes_) {
      n.rows.resize(problem.columns.size());
      n.sorted.resize(problem.columns.size());
    }
    root_ = nodes_.data();
  }
  Ranges make_root() { return root_->make_root(problem_, cells_); }
  void share_root(Tree& other) { root_ = other.nodes_.data(); }  // works below another tree's root
  const Node<Cells>& root() const { return *root_; }
  // With first_only: begins a search that gives up after so many steps.
  void begin_first(std::uint64_t most) {
    first.reset();
    halted = false;
    most_steps_ = most > UINT64_MAX - steps() ? UINT64_MAX : steps() + most;
  }
  // Row steps, but for moves of the root's box: those depend on where it was.
  std::uint64_t steps() const { return stats.row_steps - moved_; }

  // Depth 1: the best single cut.
  void solve_one(Ranges ranges) {
    begin_box(0, ranges.front().column);
    stats.row_steps += boxes_[0].move(root_->num_rows, root_->num_rows, cells_);
    for (Range& r : ranges) r = {r.column, 1, root_->num_rows - 1};
    if (needs_column(0)) std::erase_if(ranges, [&](const Range& r) { return r.column != problem_.must[0]; });
    Ranges out;
    leaf(0, true, false, ranges, out);
  }

  // Candidates, segments and partners of a node; false where no set below the limit is left.
  bool open(std::size_t d, std::uint32_t r, const Ranges& ranges) {
    Node<Cells>& n = node(d);
    ++stats.nodes;
    stats.row_steps += n.find_candidates(problem_, cells_, r, ranges, [&](std::uint32_t c) { return pending(d, c); });
    if (shared_.effort.linear_cap && !n.eliminate(r, limit())) return false;
    const auto required = needs_column(d) ? std::optional(problem_.must[d]) : std::nullopt;
    if (n.candidates.empty() || !n.arrange(!shared_.first_only, required)) return false;
    n.find_partners(problem_, r == 2);
    return true;
  }

  // Is there a set below the limit in this node? With grain > 0 the node is relaxed, boxes that drop no more than the
  // grain count as alive, and `ranges` becomes what is left alive. Without, finds are offered and the answer is moot.
  bool solve(std::size_t d, std::uint32_t r, W grain, Ranges& ranges) {
    if (!open(d, r, ranges)) return false;
    if (keeping(d, grain)) follow(d, r);
    if (grain > 0 && alive_without_one(d, r, grain)) return true;
    const Node<Cells>& n = node(d);
    bool any = false;
    for (std::uint32_t x = 0; x < num_branches(d) && !stopping(); ++x) {
      if (hopeless(d, r, x)) continue;
      begin_box(d, n.segments[x].column);
      const bool alive = keeping(d, grain)
                             ? boxes(d, x, r)
                             : box(d, x, n.segments[x].first, n.segments[x].last, r, grain, partners(d, x));
      any = any || alive;
      if (!alive || grain == 0) continue;
      if (shared_.effort.hulls) keep_alive(d, x, ranges);
      return true;
    }
    return any || stopping();
  }

  std::uint32_t num_branches(std::size_t d) const {
    return needs_column(d) ? 1 : static_cast<std::uint32_t>(node(d).segments.size());
  }
  // Columns tried before are dead in all sets, unless one was tried because it is required.
  Ranges partners(std::size_t d, std::uint32_t x) const {
    return {node(d).partners.begin() + (needs_column(d) ? 0 : x), node(d).partners.end()};
  }

  // Linear cap for the sets that have their first cut in segment x.
  bool hopeless(std::size_t d, std::uint32_t r, std::uint32_t x) const {
    if (!shared_.effort.linear_cap) return false;
    const Node<Cells>& n = node(d);
    W most = n.segments[x].weight;
    if (!n.falling)
      for (std::size_t y = x; y < n.segments.size(); ++y) most = std::max(most, n.segments[y].weight);
    return n.error - n.segments[x].weight - static_cast<W>(r - 1) * most >= limit();
  }

  void begin_box(std::size_t d, std::uint32_t column) {
    boxes_[d].begin(node(d), column, cells_);
    count(d, node(d).num_rows);
  }

  // Candidates i..j of segment x. `in` is what the others may be chosen from; `out` what of it is alive.
  bool test(std::size_t d, std::uint32_t x, std::uint32_t i, std::uint32_t j, std::uint32_t r, W grain,
            const Ranges& in, Ranges& out) {
    if (polling()) return true;
    const Node<Cells>& n = node(d);
    Box<Cells>& b = boxes_[d];
    const auto &first = n.candidates[i], &last = n.candidates[j];
    ++stats.boxes;
    count(d, b.move(first.place, last.place, cells_));
    const bool exact = i == j && grain == 0;
    const W error = b.error(cells_);
    bool alive = error < limit();
    out = in;
    if (alive && (!exact || shared_.gathering != nullptr)) return true;
    const Range cuts = n.class_of(problem_, n.segments[x], first);
    if (exact) chosen_.push_back(cuts);
    if (d == 0) below_ = {cuts.column, n.first_of(problem_, n.segments[x], first)};
    if (alive) offer(error);
    if (!stopping()) {
      restrict_own(d, cuts.column, r == 2 ? first.place : cuts.lo, out);
      if (r == 2)
        alive = leaf(d, exact, grain > 0 && (i == j || b.dropped() <= grain), Ranges(out), out);
      else
        alive =
            make_child(d, out) && solve(d + 1, r - 1, i == j || grain > 0 ? grain : std::max<W>(1, b.dropped()), out);
    }
    if (exact) chosen_.pop_back();
    return alive;
  }

  // Where to halve the candidates i..j: by rows, so that j is on the right.
  std::uint32_t middle(std::size_t d, std::uint32_t i, std::uint32_t j) const {
    const auto& c = node(d).candidates;
    const std::uint32_t half = (c[i].place + c[j].place) / 2;
    const auto at =
        std::partition_point(c.begin() + i + 1, c.begin() + j, [&](const auto& x) { return x.place <= half; });
    return static_cast<std::uint32_t>(at - c.begin()) - 1;
  }

  // Columns in the order of the ledger, which takes this one where it has none.
  void follow(std::size_t d, std::uint32_t r) {
    Node<Cells>& n = node(d);
    std::vector<std::uint32_t> now;
    for (const auto& s : n.segments) now.push_back(s.column);
    const auto order = shared_.ledger.order(place(d), now, shared_.settling());
    if (order.empty() || order == now || needs_column(d)) return;
    n.arrange_as(order, problem_.columns.size());
    n.find_partners(problem_, r == 2);
  }

  // Candidates of segment x that are not done, as intervals.
  std::vector<Interval> undone(std::size_t d, std::uint32_t x) const {
    const auto& s = node(d).segments[x];
    return node(d).candidates_outside(problem_, s, shared_.ledger.done(place(d), s.column));
  }

  // Candidates i..j of segment x were searched.
  void finish(std::size_t d, std::uint32_t x, std::uint32_t i, std::uint32_t j) {
    if (!shared_.settling()) return;
    const auto& s = node(d).segments[x];
    shared_.ledger.finish(place(d), s.column, node(d).cuts_of(problem_, s, i, j));
  }

  OrderedStats stats;
  std::atomic<bool> halted = false;                                // with first_only: by a find, the steps, or others
  std::optional<std::pair<std::vector<Cut>, std::int64_t>> first;  // with first_only: the set found and its error

 private:
  bool stopping() const {
    return shared_.stop.load(std::memory_order_relaxed) || halted.load(std::memory_order_relaxed);
  }
  void count(std::size_t d, std::uint64_t moves) {  // of the box of level d
    stats.row_steps += moves;
    if (d == 0) moved_ += moves;
  }
  // Below a single cut of the root, where states are saved. Of the root itself the run keeps the ledger.
  bool keeping(std::size_t d, W grain) const {
    return d == 1 && grain == 0 && shared_.two_levels && !shared_.first_only;
  }
  Ledger::Place place(std::size_t d) const { return d == 0 ? Ledger::Place{} : Ledger::Place{below_}; }
  bool boxes(std::size_t d, std::uint32_t x, std::uint32_t r) {
    bool any = false;
    for (const auto& [i, j] : undone(d, x)) any = box(d, x, i, j, r, 0, partners(d, x)) || any;
    return any;
  }

  Node<Cells>& node(std::size_t d) { return d == 0 ? *root_ : nodes_[d]; }
  const Node<Cells>& node(std::size_t d) const { return d == 0 ? *root_ : nodes_[d]; }
  W limit() const { return static_cast<W>(shared_.limit.load(std::memory_order_relaxed)); }
  bool needs_column(std::size_t d) const { return d < problem_.must.size(); }
  bool pending(std::size_t d, std::uint32_t column) const {
    for (std::size_t i = d; i < problem_.must.size(); ++i)
      if (problem_.must[i] == column) return true;
    return false;
  }

  bool box(std::size_t d, std::uint32_t x, std::uint32_t i, std::uint32_t j, std::uint32_t r, W grain,
           const Ranges& in) {
    Ranges out;
    const bool alive = test(d, x, i, j, r, grain, in, out);
    if (keeping(d, grain) && (!alive || i == j)) finish(d, x, i, j);
    if (!alive) return false;
    first_alive_ = i;
    if (i == j || stopping() || (grain > 0 && boxes_[d].dropped() <= grain)) return true;
    const std::uint32_t m = middle(d, i, j);
    const bool left = box(d, x, i, m, r, grain, out);
    if (left && grain > 0) return true;
    return box(d, x, m + 1, j, r, grain, out) || left;
  }

  // Would r - 1 cuts do? Then the node is alive, and so are cuts that part none of its rows: they may part rows that
  // are dropped here, so the ranges must stay as they are. If not, such cuts are dead, and the candidates are all there
  // is.
  bool alive_without_one(std::size_t d, std::uint32_t r, W grain) {
    const Node<Cells>& n = node(d);
    if (shared_.effort.linear_cap && n.error - n.rest >= limit()) return false;
    begin_box(d, n.segments.front().column);
    stats.row_steps += boxes_[d].move(n.num_rows, n.num_rows, cells_);
    ++stats.boxes;
    Ranges out = n.partners;
    if (r == 2) return leaf(d, false, true, n.partners, out);
    return make_child(d, n.partners) && solve(d + 1, r - 1, grain, out);
  }

  // Segment x is alive from first_alive_ on, and the columns before it are dead.
  void keep_alive(std::size_t d, std::uint32_t x, Ranges& ranges) const {
    const Node<Cells>& n = node(d);
    ranges.clear();
    for (std::size_t y = needs_column(d) ? 0 : x; y < n.segments.size(); ++y)
      ranges.push_back(
          n.hull(problem_, n.segments[y], y == x && !needs_column(d) ? first_alive_ : n.segments[y].first, false));
  }

  // Later cuts of the same column are above this one; the last cut may have to be of a required column.
  void restrict_own(std::size_t d, std::uint32_t column, std::uint32_t at, Ranges& ranges) const {
    for (Range& r : ranges)
      if (r.column == column) r.lo = std::max(r.lo, at + 1);
    std::erase_if(ranges, [](const Range& r) { return r.lo > r.hi; });
    if (needs_column(d + 1) && d + 2 == problem_.choose)
      std::erase_if(ranges, [&](const Range& r) { return r.column != problem_.must[d + 1]; });
  }

  void offer(W error) {
    std::vector<Cut> set;
    for (const Range& c : chosen_) set.push_back({c.column, c.lo});
    if (!shared_.first_only) return shared_.offer(std::move(set), error);
    if (!halted.exchange(true)) first.emplace(std::move(set), error);
  }
  [[gnu::noinline]] void gather(const Range& last, W error) {
    chosen_.push_back(last);
    shared_.lower_limit(shared_.gathering->add(chosen_, error));
    chosen_.pop_back();
  }

  // One cut is left to choose: every cut of every range at once. Exact: offers the best, or the first below the limit.
  // Otherwise `out` becomes what is alive, or with `any` just something of it.
  bool leaf(std::size_t d, bool exact, bool any, const Ranges& in, Ranges& out) {
    const Node<Cells>& n = node(d);
    const Box<Cells>& b = boxes_[d];
    const W error = b.error(cells_);
    W need = error - limit(), gained = 0;
    std::optional<Range> best;
    out.clear();
    for (const Range& range : in) {
      const typename Cells::Run run{n.rows[range.column].data(),
                                    n.num_rows,
                                    std::max(1u, range.lo),
                                    std::min(range.hi, n.num_rows - 1),
                                    problem_.columns[range.column].ranks.data(),
                                    b.code()};
      if (run.begin > run.end) continue;
      stats.row_steps += run.end - run.begin + std::min(run.begin, n.num_rows - run.begin);
      Range alive{range.column, UINT32_MAX, 0};
      cells_.sweep_exact(run, b.totals(), b.dead() + 1, b.dead(), need, [&](std::uint32_t i, W gain) {
        alive.lo = std::min(alive.lo, i);
        alive.hi = i;
        if (!exact) return any;
        const Range cuts{range.column, run.ranks[run.rows[i - 1]], run.ranks[run.rows[i]] - 1};
        if (shared_.gathering != nullptr) {
          gather(cuts, error - gain);
          need = error - limit();
          return shared_.stop.load();
        }
        need = gained = gain;
        best = cuts;
        return shared_.first_only;
      });
      if (alive.lo == UINT32_MAX) continue;
      out.push_back(alive);
      if (any || (exact && shared_.first_only)) break;
    }
    if (best) {
      chosen_.push_back(*best);
      offer(error - gained);
      chosen_.pop_back();
    }
    const bool found = !out.empty();
    if (!shared_.effort.hulls || any) out = in;
    return found;
  }

  bool make_child(std::size_t d, const Ranges& ranges) {
    stats.row_steps += boxes_[d].make_child(ranges, cells_, nodes_[d + 1]);
    return nodes_[d + 1].num_rows > 0 && !ranges.empty();
  }

  bool polling() {
    if (stats.row_steps - polled_ > shared_.effort.poll_steps) {
      shared_.poll(stats.row_steps - polled_);
      polled_ = stats.row_steps;
      if (shared_.first_only && steps() > most_steps_) halted = true;
    }
    return stopping();
  }

  const Problem& problem_;
  Shared& shared_;
  Cells cells_;
  std::vector<Node<Cells>> nodes_;
  std::vector<Box<Cells>> boxes_;
  Node<Cells>* root_ = nullptr;
  std::vector<Range> chosen_;  // of each chosen cut all that part the rows alike
  Cut below_;                  // the first cut of the root's box, as the ledger names it
  std::uint32_t first_alive_ = 0;
  std::uint64_t polled_ = 0, moved_ = 0, most_steps_ = 0;
};

}  // namespace beadwork::ordered
