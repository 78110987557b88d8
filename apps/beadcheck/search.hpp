#pragma once
// The search of the checker: shows that every set of h positions has error >= target, or names one that has less.
//
// A node is a set T of features already chosen. It splits the rows into cells; a cell with weight n_k of class k and
// n = sum n_k in total errs by a = n - max n_k, and the error of T is E = sum of a over the cells. Splitting a cell never
// raises its error, so cells with a = 0 are dropped for good. Below a node, r more features R are to be chosen.
//
// THE BOUND. Let b = max n_k and d_k = b - n_k >= 0. For a feature g let side 1 (0) be the rows of the cell where g is 1
// (0), with weight s_k of class k and s = sum s_k. Put
//     v(side) = max over k of (s - s_k - floor(d_k / r)),      w(g) = min(a, v(side 0), v(side 1)).
// Then for every R of at most r features: error of the cell after splitting by R >= a - sum over g in R of w(g).
// Proof. v >= 0, since the majority class has d_k = 0. If some w(g) = a nothing is claimed. Otherwise take for each g
// the side that attains w(g). The rows on none of these sides agree on all of R, so they lie in one cell of the split,
// with at least n_k - sum_g s_k(g) of class k. Answering k there errs by at least
//     sum over j != k of (n_j - sum_g s_j(g)) = (n - n_k) - sum_g (s - s_k) = a + d_k - sum_g (s - s_k)
//     >= a - sum_g (s - s_k - floor(d_k / r)) >= a - sum_g v,      as |R| floor(d_k / r) <= d_k.
// This holds for every answer k, hence for the best one. []
// For r = 1 put instead w(g) = a - (error of the cell after splitting by g): then the same holds with equality.
// Summed over the cells, with W(g) = sum of w(g):   error(T + R) >= E - sum over g in R of W(g).              (*)
// That is all the search relies on: it leaves out sets that (*) puts at or above the target, and no others.
#include <atomic>
#include <numeric>
#include <optional>
#include <utility>

#include "files.hpp"

// The compiler makes a copy of a kernel for each of these kinds of processor; the fittest is picked at start.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(BEADCHECK_PORTABLE)
#define BEADCHECK_KERNEL __attribute__((target_clones("avx512f", "avx2", "popcnt", "default")))
#else
#define BEADCHECK_KERNEL
#endif

namespace beadcheck {

using Word = std::uint64_t;
constexpr std::size_t kLanes = 16;  // features counted together; arrays end with that much slack

// Words of 64 rows, all of one cell and class, each row weighing 1 << shift.
struct Run {
  int shift;
  std::size_t first, last;  // words [first, last)
};
struct Cell {
  std::size_t parent;  // the cell of the parent that it is a side of
  bool side;           // where the feature last chosen is 1, or 0
};
struct Node {
  Positions position;                  // of each of the n candidates
  std::vector<std::size_t> column;     // of each candidate in the parent's bits
  std::vector<Weight> cap;             // W of each candidate
  std::vector<Cell> cells;             // those with error > 0
  Weight error = 0;                    // E
  std::vector<Weight> weight;          // [cell * K + k]: n_k
  std::vector<Weight> ones;            // [(cell * K + k) * n + j]: weight of class k where candidate j is 1
  bool built = false;                  // what follows is filled when first needed
  std::vector<Run> runs;               // those of a cell together, class by class
  std::vector<std::size_t> first_run;  // [cell * K + k], then the number of runs
  std::vector<Word> valid;             // [word]: which of its bits are rows
  std::vector<Word> bits;              // [word * n + j]: candidate j in these 64 rows
  std::size_t size() const { return position.size(); }
};

// out[j] = weight of the rows of the runs where both t and candidate first + j are 1.
BEADCHECK_KERNEL inline void count_both(const Run* run, const Run* end, const Word* bits, std::size_t n,
                                        std::size_t t, std::size_t first, std::size_t count, Weight* out) {
  for (std::size_t j = 0; j < count; j += kLanes) {
    Word sum[kLanes] = {};
    for (const Run* r = run; r != end; ++r)
      for (std::size_t w = r->first; w < r->last; ++w) {
        const Word mask = bits[w * n + t];
        const Word* x = bits + w * n + first + j;
        for (std::size_t i = 0; i < kLanes; ++i)
          sum[i] += static_cast<Word>(std::popcount(x[i] & mask)) << r->shift;
      }
    for (std::size_t i = 0; i < kLanes; ++i) out[j + i] = static_cast<Weight>(sum[i]);
  }
}

// cap[j] += w(candidate j) of one cell with r features to be chosen; ones[k * count + j] is s_k of side 1.
BEADCHECK_KERNEL inline void add_caps(const Weight* weight, std::size_t num_classes, Weight r,
                                      const Weight* ones, std::size_t count, Weight* cap) {
  const Weight n = std::accumulate(weight, weight + num_classes, Weight{0});
  const Weight b = *std::max_element(weight, weight + num_classes);
  for (std::size_t j = 0; j < count; j += kLanes) {
    Weight s[kLanes] = {}, most0[kLanes] = {}, most1[kLanes] = {}, least0[kLanes], least1[kLanes];
    std::fill(least0, least0 + kLanes, INT64_MAX);  // least: of s_k + floor(d_k / r) over the classes
    std::fill(least1, least1 + kLanes, INT64_MAX);  // most: of s_k
    for (std::size_t k = 0; k < num_classes; ++k) {
      const Weight *one = ones + k * count + j, share = (b - weight[k]) / r;
      for (std::size_t i = 0; i < kLanes; ++i) {
        s[i] += one[i];
        most1[i] = std::max(most1[i], one[i]);
        most0[i] = std::max(most0[i], weight[k] - one[i]);
        least1[i] = std::min(least1[i], one[i] + share);
        least0[i] = std::min(least0[i], weight[k] - one[i] + share);
      }
    }
    for (std::size_t i = 0; i < kLanes; ++i)
      cap[j + i] +=
          r == 1 ? most0[i] + most1[i] - b : std::min({n - b, s[i] - least1[i], n - s[i] - least0[i]});
  }
}

// out[j] gets, at bit `to`, bit `from` of x[j].
BEADCHECK_KERNEL inline void copy_row(const Word* x, int from, int to, std::size_t count, Word* out) {
  for (std::size_t j = 0; j < count; ++j) out[j] |= (x[j] >> from & 1) << to;
}

// One thread's search. The node at depth 0 is the table: its candidate 0 is a column of ones, then come all positions.
class Search {
 public:
  // Threads share the work through `claimed`, one entry a position: whoever claims the first of a set looks at it.
  Search(const Node& table, std::size_t num_classes, Weight target, Positions from, Positions to,
         std::vector<std::atomic<bool>>& claimed)
      : k_(num_classes),
        target_(target),
        from_(std::move(from)),
        to_(std::move(to)),
        claimed_(claimed),
        nodes_{table} {}

  // A set of h >= 1 positions in [from, to) with error below the target; nothing if there is none.
  std::optional<Positions> run(std::size_t h) {
    nodes_.resize(h + 1);
    descend(0, 0, nodes_[0].size(), h, !from_.empty(), !to_.empty());
    return found_;
  }

 private:
  // Looks at all sets T + t + (r of the candidates after t and before end). `low` (`high`) says that the positions
  // chosen so far are those that `from` (`to`) begins with, so that the range still limits the next one; then candidates
  // are taken by position, which makes the sets come in lexicographic order, and otherwise by falling W.
  void descend(std::size_t depth, std::size_t t, std::size_t end, std::size_t r, bool low, bool high) {
    auto outside = [&](std::size_t p) {
      return (low && p < from_[depth]) ||
             (high && (p > to_[depth] || (p == to_[depth] && depth + 1 == to_.size())));
    };
    const Node& node = nodes_[depth];
    Node& child = nodes_[depth + 1];
    expand(node, t, end, r, child);
    if (!prune(child, t, r, low || high)) return;
    std::vector<Weight> sum{0};  // sum[i]: W of the first i candidates
    for (Weight w : child.cap) sum.push_back(sum.back() + w);
    for (std::size_t u = 0; u + r <= child.size() && !found_; ++u) {
      const std::size_t p = child.position[u];
      std::size_t last = child.size();
      if (low || high) {
        if (outside(p)) continue;
      } else {
        // By (*) every set of r candidates from u on errs by at least error - (W of the r that come first).
        if (child.error - (sum[u + r] - sum[u]) >= target_) break;
        // By (*) a set of u, an f after u and r - 2 others after u errs by at least error - W(u) - (W of the r - 2 right
        // after u) - W(f). As W falls, the f that may still be below the target are those before `last`.
        const Weight rest = child.error - (sum[u + r - 1] - sum[u]) - target_;
        while (last > u + 1 && rest >= child.cap[last - 1]) --last;
      }
      if (r == 1) {
        found_ = path_;
        found_->push_back(p);
        for (auto& claim : claimed_) claim = true;  // the other threads may stop
        return;
      }
      if (last - u < r || (depth == 0 && claimed_[p].exchange(true))) continue;
      if (!child.built) build(node, t, child);
      path_.push_back(p);
      descend(depth + 1, u, last, r - 1, low && p == from_[depth] && depth + 1 < from_.size(),
              high && p == to_[depth]);
      path_.pop_back();
    }
  }

  // The child of `node` by t: its cells and, for the candidates in (t, end), the weights and W with r to be chosen.
  void expand(const Node& node, std::size_t t, std::size_t end, std::size_t r, Node& child) {
    const std::size_t n = node.size(), first = t + 1, m = end - first;
    child = Node{};
    child.position.assign(node.position.data() + first, node.position.data() + end);
    child.cap.assign(m + kLanes, 0);
    child.ones.resize(node.cells.size() * 2 * k_ * m + kLanes);
    both_.resize(k_ * m +
                 kLanes);  // [k * m + j]: weight of class k where t and candidate first + j are both 1
    std::vector<Weight> side_weight(k_);
    for (std::size_t c = 0; c < node.cells.size(); ++c) {
      bool counted = false;
      for (bool side : {true, false}) {
        for (std::size_t k = 0; k < k_; ++k) {
          const Weight one = node.ones[(c * k_ + k) * n + t];
          side_weight[k] = side ? one : node.weight[c * k_ + k] - one;
        }
        const Weight error = std::accumulate(side_weight.begin(), side_weight.end(), Weight{0}) -
                             *std::max_element(side_weight.begin(), side_weight.end());
        if (error == 0) continue;
        for (std::size_t k = 0; k < k_ && !counted; ++k)
          count_both(node.runs.data() + node.first_run[c * k_ + k],
                     node.runs.data() + node.first_run[c * k_ + k + 1], node.bits.data(), n, t, first, m,
                     &both_[k * m]);
        counted = true;
        Weight* ones = &child.ones[child.cells.size() * k_ * m];
        for (std::size_t k = 0; k < k_; ++k)
          for (std::size_t j = 0; j < m; ++j)
            ones[k * m + j] =
                side ? both_[k * m + j] : node.ones[(c * k_ + k) * n + first + j] - both_[k * m + j];
        add_caps(side_weight.data(), k_, static_cast<Weight>(r), ones, m, child.cap.data());
        child.weight.insert(child.weight.end(), side_weight.begin(), side_weight.end());
        child.cells.push_back({c, side});
        child.error += error;
      }
    }
  }

  // Keeps the candidates that a set of r with error below the target may contain; false if there is no such set.
  // By (*) a set with f errs by at least error - (the r - 1 largest W) - W(f).
  bool prune(Node& child, std::size_t t, std::size_t r, bool by_position) {
    const std::size_t m = child.size();
    if (m < r) return false;
    std::vector<Weight> largest(r - 1);
    std::partial_sort_copy(child.cap.begin(), child.cap.begin() + static_cast<std::ptrdiff_t>(m),
                           largest.begin(), largest.end(), std::greater<>());
    const Weight rest = child.error - std::accumulate(largest.begin(), largest.end(), Weight{0}) - target_;
    std::vector<std::size_t> keep;
    for (std::size_t j = 0; j < m; ++j)
      if (rest < child.cap[j]) keep.push_back(j);
    if (keep.size() < r) return false;
    std::sort(keep.begin(), keep.end(), [&](std::size_t i, std::size_t j) {
      if (!by_position && child.cap[i] != child.cap[j]) return child.cap[i] > child.cap[j];
      return child.position[i] < child.position[j];
    });
    const Node all = std::exchange(child, Node{});
    child.cells = all.cells;
    child.error = all.error;
    child.weight = all.weight;
    for (std::size_t j : keep) {
      child.position.push_back(all.position[j]);
      child.column.push_back(t + 1 + j);
      child.cap.push_back(all.cap[j]);
    }
    for (std::size_t q = 0; q < child.cells.size() * k_; ++q)
      for (std::size_t j : keep) child.ones.push_back(all.ones[q * m + j]);
    child.ones.resize(child.ones.size() + kLanes);
    return true;
  }

  // The bits of the child: of each run of the parent's cell the rows on the child's side of t, 64 to a word.
  void build(const Node& node, std::size_t t, Node& child) {
    const std::size_t n = child.size();
    std::vector<Word> x(n);
    for (const Cell& cell : child.cells)
      for (std::size_t k = 0; k < k_; ++k) {
        child.first_run.push_back(child.runs.size());
        for (std::size_t q = node.first_run[cell.parent * k_ + k];
             q < node.first_run[cell.parent * k_ + k + 1]; ++q) {
          Run run{node.runs[q].shift, child.valid.size(), child.valid.size()};
          for (std::size_t w = node.runs[q].first, to = 0; w < node.runs[q].last; ++w) {
            for (std::size_t j = 0; j < n; ++j) x[j] = node.bits[w * node.size() + child.column[j]];
            const Word ones = node.bits[w * node.size() + t];
            for (Word left = cell.side ? ones : node.valid[w] & ~ones; left != 0;
                 left &= left - 1, to = (to + 1) % 64) {
              if (to == 0) child.valid.push_back(0), child.bits.resize(++run.last * n);
              child.valid.back() |= Word{1} << to;
              copy_row(x.data(), std::countr_zero(left), static_cast<int>(to), n,
                       &child.bits[(run.last - 1) * n]);
            }
          }
          child.runs.push_back(run);
        }
      }
    child.first_run.push_back(child.runs.size());
    child.bits.resize(child.bits.size() + kLanes);
    child.built = true;
  }

  std::size_t k_;
  Weight target_;
  Positions from_, to_;
  std::vector<std::atomic<bool>>& claimed_;
  std::vector<Node> nodes_;  // one a depth
  Positions path_;           // the positions chosen so far
  std::optional<Positions> found_;
  std::vector<Weight> both_;
};

}  // namespace beadcheck
