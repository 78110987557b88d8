#pragma once
// A node of the tree: what some chosen cuts leave to be split. With intervals of cuts among them it is relaxed: the
// rows between the ends of an interval are dropped. It has its rows, sorted along every column that may still be chosen
// from, its cells that still err, and its candidates: one cut for all that part its rows alike.

#include <beadwork/ordered/cells.hpp>
#include <beadwork/ordered/ledger.hpp>

#include <numeric>

namespace beadwork::ordered {

template <class Cells>
class Node {
 public:
  using W = typename Cells::Weight;
  using Code = typename Cells::Code;
  static constexpr Code kOut = std::numeric_limits<Code>::max();

  struct Candidate {
    std::uint32_t place;  // rows on the left of it
    W weight;
  };
  struct Segment {  // the candidates of one column
    std::uint32_t column, first, last;
    std::uint32_t lo;  // of the range it was made from
    W weight;
  };
  // The cuts at a candidate's place, which part the rows alike; one that parts nothing has all rows on its left.
  Range class_of(const Problem& p, const Segment& s, const Candidate& c) const {
    const auto ranks = p.columns[s.column].ranks;
    const auto last = static_cast<std::uint32_t>(p.columns[s.column].cuts.size()) - 1;
    if (c.place >= num_rows) return {s.column, s.lo, last};
    return {s.column, std::max(s.lo, ranks[rows[s.column][c.place - 1]]), ranks[rows[s.column][c.place]] - 1};
  }

  // By work column, sorted by rank; only where a range asks for it. The root's are the problem's own.
  std::vector<std::span<const std::uint32_t>> rows;
  std::vector<std::vector<std::uint32_t>> sorted;
  std::vector<Code> code;  // by row
  std::vector<W> totals;
  std::size_t num_cells = 0;
  std::uint32_t num_rows = 0;
  W error = 0, rest = 0;  // rest: the r - 1 largest weights together
  std::vector<Candidate> candidates;
  std::vector<Segment> segments;
  std::vector<Range> partners;  // of the segments, in their order
  bool falling = true;          // the weights of the segments do not rise along them

  // All rows and all cuts.
  std::vector<Range> make_root(const Problem& p, const Cells& cells) {
    num_rows = static_cast<std::uint32_t>(p.num_rows);
    num_cells = p.num_cells;
    totals.assign(num_cells * cells.channels(), 0);
    code.resize(p.num_rows);
    for (std::uint32_t r = 0; r < p.num_rows; ++r) {
      code[r] = cells.pack(p.cell[r], r);
      cells.add(totals.data(), p.cell[r], r);
    }
    error = 0;
    for (std::size_t c = 0; c < num_cells; ++c) error += cells.error(totals.data(), c);
    std::vector<Range> all;
    for (std::uint32_t c = 0; c < p.columns.size(); ++c) {
      rows[c] = p.columns[c].order;
      all.push_back({c, 0, static_cast<std::uint32_t>(p.columns[c].cuts.size()) - 1});
    }
    return all;
  }

  // Candidates in these ranges, weighed by the linear cap for r cuts to come. Where `pending` names a column, a cut of
  // it that parts nothing counts as well. Returns the row steps.
  template <class Pending>
  std::uint64_t find_candidates(const Problem& p, Cells& cells, std::uint32_t r, const std::vector<Range>& ranges,
                                Pending&& pending) {
    const std::size_t k = cells.channels();
    shares_.resize(totals.size());
    for (std::size_t c = 0; c < num_cells; ++c)
      for (std::size_t j = 0; j < k; ++j)
        shares_[c * k + j] = (totals[c * k + j] - cells.error(totals.data(), c)) / static_cast<W>(r);
    candidates.clear();
    segments.clear();
    std::uint64_t steps = 0;
    std::size_t most = 0;  // exactly as much memory: at the root of a large table it counts
    for (const Range& range : ranges) most += std::size_t{1} + std::min(num_rows, range.hi - range.lo + 1);
    candidates.reserve(most);
    for (const Range& range : ranges) {
      const auto first = static_cast<std::uint32_t>(candidates.size());
      const auto run = run_of(p, range);
      if (run.begin <= run.end) {
        steps += run.end;
        cells.sweep_cap(run, totals.data(), shares_.data(), num_cells, [&](std::uint32_t i, W w) {
          candidates.push_back({i, w});
        });
      }
      if (pending(range.column)) candidates.push_back({num_rows, 0});
      if (candidates.size() > first)
        segments.push_back({range.column, first, static_cast<std::uint32_t>(candidates.size()) - 1, range.lo, 0});
    }
    return steps;
  }

  // Linear cap: a cut is dead if its weight and the r - 1 largest together do not bring the error below the limit.
  bool eliminate(std::uint32_t r, W limit) {
    if (candidates.empty()) return false;
    weights_.assign(std::min<std::size_t>(r - 1, candidates.size()),
                    0);  // the largest, as a heap with the least on top
    for (const Candidate& c : candidates)
      if (!weights_.empty() && c.weight > weights_.front()) {
        std::pop_heap(weights_.begin(), weights_.end(), std::greater<>());
        weights_.back() = c.weight;
        std::push_heap(weights_.begin(), weights_.end(), std::greater<>());
      }
    rest = std::accumulate(weights_.begin(), weights_.end(), W{0});
    const W least = error - rest - limit;  // a weight must exceed it
    std::uint32_t kept = 0;
    std::size_t num_segments = 0;
    for (const Segment s : segments) {
      const std::uint32_t first = kept;
      for (std::uint32_t i = s.first; i <= s.last; ++i)
        if (candidates[i].weight > least) candidates[kept++] = candidates[i];
      if (kept > first) segments[num_segments++] = {s.column, first, kept - 1, s.lo, 0};
    }
    candidates.resize(kept);
    segments.resize(num_segments);
    return kept > 0;
  }

  // Segments by falling weight, or as they are; a required column before all. False where it has no candidate.
  bool arrange(bool by_weight, std::optional<std::uint32_t> required) {
    falling = by_weight && !required;
    for (Segment& s : segments) {
      s.weight = 0;
      for (std::uint32_t i = s.first; i <= s.last; ++i) s.weight = std::max(s.weight, candidates[i].weight);
    }
    if (by_weight)
      std::stable_sort(segments.begin(), segments.end(),
                       [](const Segment& a, const Segment& b) { return a.weight > b.weight; });
    if (!required) return true;
    const auto it =
        std::find_if(segments.begin(), segments.end(), [&](const Segment& s) { return s.column == *required; });
    if (it == segments.end()) return false;
    std::rotate(segments.begin(), it, it + 1);
    return true;
  }

  // Segments in this order of columns, those of other columns last.
  void arrange_as(const std::vector<std::uint32_t>& order, std::size_t num_columns) {
    std::vector<std::size_t> position(num_columns, order.size());
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    std::stable_sort(segments.begin(), segments.end(),
                     [&](const Segment& a, const Segment& b) { return position[a.column] < position[b.column]; });
    falling = false;
  }

  void find_partners(const Problem& p, bool places) {
    partners.clear();
    for (const Segment& s : segments) partners.push_back(hull(p, s, s.first, places));
  }

  // The first cut of a candidate's class; the number of cuts for one that parts nothing.
  std::uint32_t first_of(const Problem& p, const Segment& s, const Candidate& c) const {
    return c.place >= num_rows ? static_cast<std::uint32_t>(p.columns[s.column].cuts.size()) : class_of(p, s, c).lo;
  }

  // Cuts that candidates i..j of a segment stand for, with those between them that were eliminated. A candidate that
  // parts nothing stands for the number of cuts.
  Interval cuts_of(const Problem& p, const Segment& s, std::uint32_t i, std::uint32_t j) const {
    const auto end = static_cast<std::uint32_t>(p.columns[s.column].cuts.size());
    const std::uint32_t from = first_of(p, s, candidates[i]);
    if (candidates[j].place >= num_rows) return {from, end};
    if (j < s.last && candidates[j + 1].place < num_rows) return {from, class_of(p, s, candidates[j + 1]).lo - 1};
    return {from, class_of(p, s, candidates[j]).hi};
  }

  // Candidates of a segment that stand for no cut of these increasing intervals, as intervals.
  std::vector<Interval> candidates_outside(const Problem& p, const Segment& s,
                                           const std::vector<Interval>& cuts) const {
    std::vector<Interval> out;
    std::uint32_t i = s.first;
    const auto skip_to = [&](std::uint32_t cut) {
      const auto at = std::partition_point(candidates.begin() + i, candidates.begin() + s.last + 1,
                                           [&](const Candidate& c) { return first_of(p, s, c) < cut; });
      return static_cast<std::uint32_t>(at - candidates.begin());
    };
    for (const auto& [from, to] : cuts) {
      const std::uint32_t next = skip_to(from);
      if (next > i) out.emplace_back(i, next - 1);
      i = next;
      i = skip_to(to + 1);
    }
    if (i <= s.last) out.emplace_back(i, s.last);
    return out;
  }

  // From the candidate `first` to the last of a segment, as places or as cuts.
  Range hull(const Problem& p, const Segment& s, std::uint32_t first, bool places) const {
    const Candidate &a = candidates[first], &b = candidates[s.last];
    if (places) return {s.column, a.place, b.place};
    return {s.column, class_of(p, s, a).lo, class_of(p, s, b).hi};
  }

 private:
  typename Cells::Run run_of(const Problem& p, const Range& range) const {
    const auto along = rows[range.column];
    const auto ranks = p.columns[range.column].ranks;
    const auto upto = [&](std::uint32_t cut) {
      const auto it =
          std::partition_point(along.begin(), along.end(), [&](std::uint32_t row) { return ranks[row] <= cut; });
      return static_cast<std::uint32_t>(it - along.begin());
    };
    return {
        along.data(), num_rows,   std::max(1u, upto(range.lo)), std::min(upto(range.hi), std::max(1u, num_rows) - 1),
        ranks.data(), code.data()};
  }

  std::vector<W> shares_, weights_;
};

}  // namespace beadwork::ordered
