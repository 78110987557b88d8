#pragma once
// Boxes of cuts, halved until each is dead or a single cut. docs/ordered.md has the bounds by name, with proofs.
//
// A node is what some chosen cuts, or intervals of cuts (then it is relaxed: rows between the ends are dropped), leave to be
// split: its rows, sorted along every column that may still be chosen from, and its cells that still err. A box of a node
// is an interval of cuts of one column; box() asks whether a set below the limit may lie in it.

#include <beadwork/ordered/cells.hpp>
#include <beadwork/ordered/shared.hpp>

namespace beadwork::ordered {

// What may still be chosen of a work column: cuts lo..hi, or in a node's last box places lo..hi of its rows.
struct Range {
  std::uint32_t column, lo, hi;
};

template <class Cells>
class Tree {
 public:
  using W = typename Cells::Weight;
  using Code = typename Cells::Code;

  struct Candidate {
    std::uint32_t place, cut;  // rows on the left of it, the least cut there
    W weight;
  };
  struct Segment {  // the candidates of one column
    std::uint32_t column, first, last;
    W weight;
  };
  struct Level {
    std::vector<std::vector<std::uint32_t>>
        rows;                // by work column, sorted by rank; only where a range asks for it
    std::vector<Code> code;  // by row
    std::vector<W> totals;
    std::size_t num_cells = 0;
    std::uint32_t num_rows = 0;
    W error = 0;
    std::vector<Candidate> candidates;
    std::vector<Segment> segments;
    std::vector<Range> partners;  // of the segments, in their order
  };

  Tree(const Problem& problem, Shared& shared) : problem_(problem), shared_(shared), cells_(problem) {
    levels_.resize(problem.choose + 1);
    boxes_.resize(problem.choose + 1);
    for (Level& l : levels_) l.rows.resize(problem.columns.size());
    top_ = levels_.data();
  }
  // Works below another tree's root.
  void share_root(Tree& other) { top_ = other.levels_.data(); }

  std::vector<Range> open_root() {
    Level& l = levels_[0];
    const std::size_t k = cells_.channels();
    l.num_rows = static_cast<std::uint32_t>(problem_.num_rows);
    l.num_cells = problem_.num_cells;
    l.totals.assign(l.num_cells * k, 0);
    l.code.resize(problem_.num_rows);
    for (std::uint32_t r = 0; r < problem_.num_rows; ++r) {
      l.code[r] = cells_.pack(problem_.cell[r], r);
      cells_.add(l.totals.data(), problem_.cell[r], r);
    }
    l.error = 0;
    for (std::size_t c = 0; c < l.num_cells; ++c) l.error += cells_.error(l.totals.data(), c);
    std::vector<Range> all;
    for (std::uint32_t c = 0; c < problem_.columns.size(); ++c) {
      l.rows[c] = problem_.columns[c].order;
      all.push_back({c, 0, static_cast<std::uint32_t>(problem_.columns[c].cuts.size()) - 1});
    }
    return all;
  }

  const Level& root() const { return *top_; }
  std::int64_t root_error() const { return top_->error; }

  // Depth 1: the best single cut.
  void solve_one(std::vector<Range> ranges) {
    begin_box(0, ranges.front().column);
    std::vector<Range> out;
    move_box(0, level(0).num_rows, level(0).num_rows);
    for (Range& r : ranges) r = {r.column, 1, level(0).num_rows - 1};
    leaf(0, true, 0, ranges, out);
  }

  // Fills candidates, segments and partners of a node; false where no set below the limit is left.
  bool open(std::size_t d, std::uint32_t r, const std::vector<Range>& ranges) {
    Level& l = level(d);
    ++stats.nodes;
    find_candidates(l, d, r, ranges);
    return eliminate(l, r) && arrange(l, d, r);
  }

  // Is there a set below the limit in this node? With grain > 0 the node is relaxed, boxes that drop no more than the
  // grain count as alive, and `ranges` becomes what is left alive. Without, finds are offered and the answer is moot.
  bool solve(std::size_t d, std::uint32_t r, W grain, std::vector<Range>& ranges) {
    if (!open(d, r, ranges)) return false;
    Level& l = level(d);
    bool any = false;
    for (std::uint32_t x = 0; x < num_branches(d) && !shared_.stop; ++x) {
      if (hopeless(d, r, x)) {
        if (shared_.first_only) continue;
        break;
      }
      const Segment s = l.segments[x];
      const std::vector<Range> partners(l.partners.begin() + from(d, x), l.partners.end());
      begin_box(d, s.column);
      const bool alive = box(d, x, s.first, s.last, r, grain, partners);
      any = any || alive;
      if (alive && grain > 0) {
        if (shared_.bounds.hulls) survivors(d, x, ranges);
        return true;
      }
    }
    return any || shared_.stop;
  }

  std::uint32_t num_branches(std::size_t d) const {
    return needs_column(d) ? 1 : static_cast<std::uint32_t>(level(d).segments.size());
  }
  // Columns tried before are dead in all sets, unless they were tried because they are required.
  std::ptrdiff_t from(std::size_t d, std::uint32_t x) const {
    return needs_column(d) ? 0 : static_cast<std::ptrdiff_t>(x);
  }

  bool hopeless(std::size_t d, std::uint32_t r, std::uint32_t x) const {
    if (!shared_.bounds.linear_cap) return false;
    const Level& l = level(d);
    W most = l.segments[x].weight;
    if (shared_.first_only || needs_column(d))
      for (std::size_t y = x; y < l.segments.size(); ++y) most = std::max(most, l.segments[y].weight);
    return l.error - l.segments[x].weight - static_cast<W>(r - 1) * most >= limit();
  }

  void begin_box(std::size_t d, std::uint32_t column) {
    Level& l = level(d);
    Box& b = boxes_[d];
    b.rows = l.rows[column].data();
    b.size = l.num_rows;
    b.left = 0;
    b.right = b.size;
    b.dropped = 0;
    b.dead = 2 * l.num_cells;
    b.code.resize(l.code.size());
    b.totals.assign((b.dead + 1) * cells_.channels(), 0);
    for (std::uint32_t i = 0; i < b.size; ++i) {
      b.code[b.rows[i]] = cells_.pack(b.dead, b.rows[i]);
      b.dropped += cells_.largest(b.rows[i]);
    }
  }

  // Candidates i..j of segment x. `in` is what the others may be chosen from; `out` what of it is alive.
  bool test(std::size_t d, std::uint32_t x, std::uint32_t i, std::uint32_t j, std::uint32_t r, W grain,
            const std::vector<Range>& in, std::vector<Range>& out) {
    Level& l = level(d);
    if (polling()) return true;
    ++stats.boxes;
    const Candidate &a = l.candidates[i], &b = l.candidates[j];
    move_box(d, a.place, b.place);
    const bool exact = i == j && grain == 0;
    if (exact) chosen_.push_back({l.segments[x].column, a.cut});
    bool alive = box_error(d) < limit();
    if (alive && exact) offer(box_error(d));
    out = in;
    if ((!alive || exact) && !(exact && shared_.stop)) {
      restrict_own(d, l.segments[x].column, r == 2 ? a.place : a.cut, out);
      if (r == 2)
        alive =
            leaf(d, exact, i == j || boxes_[d].dropped <= grain ? grain : 0, std::vector<Range>(out), out);
      else if (child(d, out))
        alive = solve(d + 1, r - 1, i == j || grain > 0 ? grain : std::max<W>(1, boxes_[d].dropped), out);
      else
        alive = false;
    }
    if (exact) chosen_.pop_back();
    return alive;
  }

  bool box(std::size_t d, std::uint32_t x, std::uint32_t i, std::uint32_t j, std::uint32_t r, W grain,
           const std::vector<Range>& in) {
    std::vector<Range> out;
    if (!test(d, x, i, j, r, grain, in, out)) return false;
    first_alive_ = i;
    if (i == j || shared_.stop || (grain > 0 && boxes_[d].dropped <= grain)) return true;
    const std::uint32_t m = middle(d, i, j);
    const bool left = box(d, x, i, m, r, grain, out);
    if (left && grain > 0) return true;
    return box(d, x, m + 1, j, r, grain, out) || left;
  }

  std::uint32_t middle(std::size_t d, std::uint32_t i, std::uint32_t j) const {
    const auto& c = level(d).candidates;
    const std::uint32_t half = (c[i].place + c[j].place) / 2;
    std::uint32_t lo = i, hi = j - 1;  // the last at or before half, but j is on the right
    while (lo < hi) {
      const std::uint32_t m = (lo + hi + 1) / 2;
      if (c[m].place <= half)
        lo = m;
      else
        hi = m - 1;
    }
    return lo;
  }

  void forget_steps() { polled_ = stats.row_steps; }

  OrderedStats stats;

 private:
  struct
      Box {  // rows [0, left) of the column are on one side, [right, size) on the other, the others are dropped
    const std::uint32_t* rows = nullptr;
    std::uint32_t size = 0, left = 0, right = 0;
    std::size_t dead = 0;  // the cell of dropped rows
    W dropped = 0;
    std::vector<Code> code;
    std::vector<W> totals;
  };

  Level& level(std::size_t d) { return d == 0 ? *top_ : levels_[d]; }
  const Level& level(std::size_t d) const { return d == 0 ? *top_ : levels_[d]; }
  W limit() const { return static_cast<W>(shared_.limit.load(std::memory_order_relaxed)); }
  bool needs_column(std::size_t d) const { return d < problem_.must.size(); }
  bool pending(std::size_t d, std::uint32_t column) const {
    for (std::size_t i = d; i < problem_.must.size(); ++i)
      if (problem_.must[i] == column) return true;
    return false;
  }

  void find_candidates(Level& l, std::size_t d, std::uint32_t r, const std::vector<Range>& ranges) {
    const std::size_t k = cells_.channels();
    shares_.resize(l.totals.size());
    for (std::size_t c = 0; c < l.num_cells; ++c)
      for (std::size_t j = 0; j < k; ++j)
        shares_[c * k + j] = (l.totals[c * k + j] - cells_.error(l.totals.data(), c)) / static_cast<W>(r);
    l.candidates.clear();
    l.segments.clear();
    for (const Range& range : ranges) {
      const auto first = static_cast<std::uint32_t>(l.candidates.size());
      auto run = run_of(l, range);
      if (run.begin <= run.end) {
        stats.row_steps += run.end;
        cells_.sweep_cap(run, l.totals.data(), shares_.data(), l.num_cells, [&](std::uint32_t i, W w) {
          l.candidates.push_back({i, std::max(range.lo, run.ranks[run.rows[i - 1]]), w});
        });
      }
      if (pending(d, range.column)) l.candidates.push_back({l.num_rows, range.lo, 0});
      if (l.candidates.size() > first)
        l.segments.push_back({range.column, first, static_cast<std::uint32_t>(l.candidates.size()) - 1, 0});
    }
  }

  typename Cells::Run run_of(const Level& l, const Range& range) const {
    const auto& rows = l.rows[range.column];
    const auto& ranks = problem_.columns[range.column].ranks;
    const auto upto = [&](std::uint32_t cut) {
      return static_cast<std::uint32_t>(
          std::partition_point(rows.begin(), rows.end(),
                               [&](std::uint32_t row) { return ranks[row] <= cut; }) -
          rows.begin());
    };
    return {rows.data(),
            l.num_rows,
            std::max(1u, upto(range.lo)),
            std::min(upto(range.hi), std::max(1u, l.num_rows) - 1),
            ranks.data(),
            l.code.data()};
  }

  // Linear cap: a cut is dead if its weight and the r - 1 largest together do not bring the error below the limit.
  bool eliminate(Level& l, std::uint32_t r) {
    if (l.candidates.empty()) return false;
    if (!shared_.bounds.linear_cap) return true;
    weights_.clear();
    for (const Candidate& c : l.candidates) weights_.push_back(c.weight);
    const std::size_t q = std::min<std::size_t>(r - 1, weights_.size());
    std::nth_element(weights_.begin(), weights_.begin() + static_cast<std::ptrdiff_t>(q) - 1, weights_.end(),
                     std::greater<>());
    W rest = 0;
    for (std::size_t i = 0; i < q; ++i) rest += weights_[i];
    const W least = l.error - rest - limit();  // a weight must exceed it
    if (!shared_.bounds.nested_cap && r == 2) {
      std::vector<W> mx;
      W m1 = 0, m2 = 0;
      std::size_t w1 = 0;
      for (std::size_t y = 0; y < l.segments.size(); ++y) {
        W w = 0;
        for (auto i = l.segments[y].first; i <= l.segments[y].last; ++i)
          w = std::max(w, l.candidates[i].weight);
        if (w > m1) {
          m2 = m1;
          m1 = w;
          w1 = y;
        } else
          m2 = std::max(m2, w);
      }
      for (std::size_t y = 0; y < l.segments.size(); ++y)
        for (auto i = l.segments[y].first; i <= l.segments[y].last; ++i)
          if (l.candidates[i].weight + (y == w1 ? m2 : m1) <= l.error - limit())
            l.candidates[i].weight = kLow;
    }
    std::uint32_t kept = 0;
    std::size_t segments = 0;
    for (Segment& s : l.segments) {
      const std::uint32_t first = kept;
      for (std::uint32_t i = s.first; i <= s.last; ++i)
        if (l.candidates[i].weight > least) l.candidates[kept++] = l.candidates[i];
      if (kept > first) l.segments[segments++] = {s.column, first, kept - 1, 0};
    }
    l.candidates.resize(kept);
    l.segments.resize(segments);
    return kept > 0;
  }

  // Heaviest columns first, a required one before all; in their own order when the first set is looked for.
  bool arrange(Level& l, std::size_t d, std::uint32_t r) {
    for (Segment& s : l.segments) {
      s.weight = 0;
      for (std::uint32_t i = s.first; i <= s.last; ++i) s.weight = std::max(s.weight, l.candidates[i].weight);
    }
    if (!shared_.first_only)
      std::stable_sort(l.segments.begin(), l.segments.end(),
                       [](const Segment& a, const Segment& b) { return a.weight > b.weight; });
    if (needs_column(d)) {
      const auto it = std::find_if(l.segments.begin(), l.segments.end(),
                                   [&](const Segment& s) { return s.column == problem_.must[d]; });
      if (it == l.segments.end()) return false;
      std::rotate(l.segments.begin(), it, it + 1);
    }
    l.partners.clear();
    for (const Segment& s : l.segments) l.partners.push_back(hull(l, s, s.first, r == 2));
    return true;
  }

  Range hull(const Level& l, const Segment& s, std::uint32_t first, bool places) const {
    const Candidate &a = l.candidates[first], &b = l.candidates[s.last];
    if (places) return {s.column, a.place, b.place};
    const auto& rows = l.rows[s.column];
    const std::uint32_t last = static_cast<std::uint32_t>(problem_.columns[s.column].cuts.size()) - 1;
    return {
        s.column, a.cut,
        b.place >= l.num_rows ? last : std::min(last, problem_.columns[s.column].ranks[rows[b.place]] - 1)};
  }

  // Segment x was found alive at first_alive_, and the columns before it are dead.
  void survivors(std::size_t d, std::uint32_t x, std::vector<Range>& ranges) const {
    const Level& l = level(d);
    ranges.clear();
    if (needs_column(d)) {
      for (const Segment& s : l.segments) ranges.push_back(hull(l, s, s.first, false));
      return;
    }
    for (std::size_t y = x; y < l.segments.size(); ++y)
      ranges.push_back(hull(l, l.segments[y], y == x ? first_alive_ : l.segments[y].first, false));
  }

  // Later cuts of the same column are above this one.
  void restrict_own(std::size_t d, std::uint32_t column, std::uint32_t at, std::vector<Range>& ranges) const {
    for (std::size_t i = 0; i < ranges.size(); ++i)
      if (ranges[i].column == column) {
        ranges[i].lo = std::max(ranges[i].lo, at + 1);
        if (ranges[i].lo > ranges[i].hi) ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    if (needs_column(d + 1) && d + 2 == problem_.choose)
      std::erase_if(ranges, [&](const Range& r) { return r.column != problem_.must[d + 1]; });
  }

  void move_box(std::size_t d, std::uint32_t left, std::uint32_t right) {
    Box& b = boxes_[d];
    const auto side = [](std::uint32_t i, std::uint32_t l, std::uint32_t r) {
      return i < l ? 0 : i >= r ? 1 : 2;
    };
    const auto change = [&](std::uint32_t from, std::uint32_t to) {
      for (std::uint32_t i = from; i < to; ++i) {
        const int before = side(i, b.left, b.right), after = side(i, left, right);
        if (before == after) continue;
        const std::uint32_t row = b.rows[i];
        const std::size_t cell = Cells::cell_of(level(d).code[row]);
        if (before < 2) cells_.take(b.totals.data(), 2 * cell + static_cast<std::size_t>(before), row);
        if (after < 2) cells_.add(b.totals.data(), 2 * cell + static_cast<std::size_t>(after), row);
        if (before == 2) b.dropped -= cells_.largest(row);
        if (after == 2) b.dropped += cells_.largest(row);
        b.code[row] = cells_.pack(after == 2 ? b.dead : 2 * cell + static_cast<std::size_t>(after), row);
      }
    };
    const std::uint32_t mid = std::max(b.left, left);
    stats.row_steps += 1 + mid - std::min(b.left, left) + std::max(b.right, right) - std::min(b.right, right);
    change(std::min(b.left, left), mid);
    change(std::max(mid, std::min(b.right, right)), std::max(b.right, right));
    b.left = left;
    b.right = right;
  }

  W box_error(std::size_t d) const {
    W sum = 0;
    for (std::size_t c = 0; c < boxes_[d].dead; ++c) sum += cells_.error(boxes_[d].totals.data(), c);
    return sum;
  }

  // One cut is left to choose: every cut of every range at once. Exact: offers the best. With a grain the first alive one
  // will do; else `out` becomes what is alive.
  bool leaf(std::size_t d, bool exact, W grain, const std::vector<Range>& in, std::vector<Range>& out) {
    const Level& l = level(d);
    const Box& b = boxes_[d];
    const W error = box_error(d);
    W need = error - limit();
    std::optional<Found> best;
    out.clear();
    for (const Range& range : in) {
      const typename Cells::Run run{l.rows[range.column].data(),
                                    l.num_rows,
                                    std::max(1u, range.lo),
                                    std::min(range.hi, l.num_rows - 1),
                                    problem_.columns[range.column].ranks.data(),
                                    b.code.data()};
      if (run.begin > run.end) continue;
      stats.row_steps += run.end - run.begin + std::min(run.begin, l.num_rows - run.begin);
      Range alive{range.column, UINT32_MAX, 0};
      cells_.sweep_exact(run, b.totals.data(), b.dead + 1, b.dead, need, [&](std::uint32_t i, W gain) {
        alive.lo = std::min(alive.lo, i);
        alive.hi = i;
        if (!exact) return grain > 0;
        need = gain;
        best = Found{range.column, run.ranks[run.rows[i - 1]], gain};
        return shared_.first_only;
      });
      if (alive.lo != UINT32_MAX) out.push_back(alive);
      if (!out.empty() && (grain > 0 || (exact && shared_.first_only))) break;
    }
    if (exact && best) {
      chosen_.push_back({best->column, best->cut});
      offer(error - best->gain);
      chosen_.pop_back();
    }
    if (!shared_.bounds.hulls && !out.empty()) out = in;
    return !out.empty();
  }

  // The node that the box makes, with its rows sorted along every range; false where nothing is left to split.
  bool child(std::size_t d, const std::vector<Range>& ranges) {
    const Level& p = level(d);
    const Box& b = boxes_[d];
    Level& q = levels_[d + 1];
    const std::size_t k = cells_.channels();
    number_.assign(b.dead + 1, kNone);
    q.num_cells = 0;
    q.totals.clear();
    q.error = 0;
    for (std::size_t c = 0; c < b.dead; ++c) {
      const W e = cells_.error(b.totals.data(), c);
      if (e == 0) continue;
      number_[c] = q.num_cells++;
      q.error += e;
      q.totals.insert(q.totals.end(), b.totals.begin() + static_cast<std::ptrdiff_t>(c * k),
                      b.totals.begin() + static_cast<std::ptrdiff_t>((c + 1) * k));
    }
    q.code.resize(p.code.size());
    q.num_rows = 0;
    for (std::uint32_t i = 0; i < b.size; ++i) {
      const std::uint32_t row = b.rows[i];
      const std::size_t n = number_[Cells::cell_of(b.code[row])];
      q.code[row] = n == kNone ? kOut : cells_.pack(n, row);
      q.num_rows += n == kNone ? 0 : 1;
    }
    for (const Range& range : ranges) {
      auto& to = q.rows[range.column];
      to.resize(q.num_rows + 1);
      std::uint32_t* w = to.data();
      for (const std::uint32_t row : p.rows[range.column]) {
        *w = row;
        w += q.code[row] != kOut ? 1 : 0;
      }
      to.resize(q.num_rows);
      stats.row_steps += p.num_rows;
    }
    return q.num_rows > 0 && !ranges.empty();
  }

  bool polling() {
    if (stats.row_steps - polled_ > kPollSteps) {
      shared_.poll(stats.row_steps - polled_);
      polled_ = stats.row_steps;
    }
    return shared_.stop;
  }
  void offer(W error) { shared_.offer(chosen_, error); }

  struct Found {
    std::uint32_t column, cut;
    W gain;
  };
  static constexpr W kLow = std::numeric_limits<W>::min() / 2;
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  static constexpr std::uint64_t kPollSteps = 1 << 20;
  static constexpr Code kOut = std::numeric_limits<Code>::max();

  const Problem& problem_;
  Shared& shared_;
  Cells cells_;
  std::vector<Level> levels_;
  std::vector<Box> boxes_;
  Level* top_ = nullptr;
  std::vector<Cut> chosen_;  // in work columns
  std::vector<W> shares_, weights_;
  std::vector<std::size_t> number_;
  std::uint32_t first_alive_ = 0;
  std::uint64_t polled_ = 0;
};

}  // namespace beadwork::ordered
