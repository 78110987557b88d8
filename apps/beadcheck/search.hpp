#pragma once
// The search of the checker: shows that every set of h positions has error >= target, or names one that has less.
//
// A node is a set T of features already chosen. It splits the rows into cells; a cell with weight n_k of class k and n in
// total errs by a = n - max n_k, and E is the sum of a over the cells. Below a node, r more features R are to be chosen.
// THE BOUND. Let b = max n_k, d_k = b - n_k; let a side of feature g in the cell have weight s_k of class k, s in total:
//     v(side) = max over k of (s - s_k - floor(d_k / r)),      w(g) = min(a, v(side 0), v(side 1));
// for r = 1 instead w(g) = a - (error of the cell after splitting by g). With W(g) the sum of w(g) over the cells,
//     error(T + R) >= E - sum over g in R of W(g), with equality for r = 1.                                         (*)
// docs/certificates.md has the proof. The search leaves out sets that (*) puts at or above the target, and no others.
#include <numeric>
#include <optional>

#include "files.hpp"

namespace beadcheck {

using Word = std::uint64_t;
struct Block {  // up to 64 rows of one class, each of weight 1 << shift
  std::size_t k;
  int shift;
  Word rows;               // which bits are rows: the lowest ones
  std::vector<Word> bits;  // [j]: candidate j in these rows
  Word on_side(bool side, std::size_t t) const { return side ? bits[t] : rows & ~bits[t]; }
};
using Cell = std::vector<Block>;  // by class
struct Node {
  Columns position;  // of each candidate
  std::vector<Cell> cells;
};

// Adds a row, the highest of the block returned, where all of n candidates are 0.
inline Block& add_row(Cell& cell, std::size_t k, int shift, std::size_t n) {
  if (cell.empty() || cell.back().k != k || cell.back().shift != shift || cell.back().rows == ~Word{0})
    cell.push_back({k, shift, 0, std::vector<Word>(n)});
  cell.back().rows = cell.back().rows * 2 + 1;
  return cell.back();
}

// The node split by t, for the candidates `keep`. Cells of one class err by nothing, however split, and are left out.
inline Node split(const Node& node, std::size_t t, const Columns& keep) {
  Node child;
  for (std::size_t f : keep) child.position.push_back(node.position[f]);
  for (const Cell& cell : node.cells)
    for (bool side : {true, false}) {
      Cell part;
      for (const Block& from : cell)
        for (Word left = from.on_side(side, t); left != 0; left &= left - 1) {
          Block& to = add_row(part, from.k, from.shift, keep.size());
          const int i = std::countr_zero(left), shift = std::popcount(to.rows) - 1;
          for (std::size_t j = 0; j < keep.size(); ++j) to.bits[j] |= (from.bits[keep[j]] >> i & 1) << shift;
        }
      if (!part.empty() && part.front().k != part.back().k) child.cells.push_back(std::move(part));
    }
  return child;
}

struct Search {
  std::size_t num_classes;
  Weight target;
  Columns path{};  // the positions chosen so far
  std::optional<Columns> found{};

  // E of the node split by t, and cap[f] = W(f) for the candidates f from t + 1 to the end of cap, with r to be chosen.
  Weight count(const Node& node, std::size_t t, Weight r, std::vector<Weight>& cap) {
    std::vector<Weight> weight(num_classes), share(num_classes), ones(num_classes * cap.size());
    Weight error = 0;
    for (const Cell& cell : node.cells)
      for (bool side : {true, false}) {
        std::fill(weight.begin(), weight.end(), 0);  // n_k
        for (const Block& block : cell)
          weight[block.k] += Weight{std::popcount(block.on_side(side, t))} << block.shift;
        const Weight n = std::accumulate(weight.begin(), weight.end(), Weight{0});
        const Weight b = *std::max_element(weight.begin(), weight.end());
        if (n == b) continue;
        error += n - b;
        std::fill(ones.begin(), ones.end(), 0);  // s_k of side 1
        for (const Block& block : cell) {
          Weight* one = &ones[block.k * cap.size()];
          const Word rows = block.on_side(side, t), *bits = block.bits.data();
          for (std::size_t f = t + 1; f < cap.size(); ++f)
            one[f] += Weight{std::popcount(bits[f] & rows)} << block.shift;
        }
        for (std::size_t k = 0; k < num_classes; ++k) share[k] = (b - weight[k]) / r;
        for (std::size_t f = t + 1; f < cap.size(); ++f) {
          Weight s = 0, most0 = 0, most1 = 0;             // most: of s_k on each side
          Weight least0 = INT64_MAX, least1 = INT64_MAX;  // least: of s_k + floor(d_k / r)
          for (std::size_t k = 0; k < num_classes; ++k) {
            const Weight one = ones[k * cap.size() + f], zero = weight[k] - one;
            s += one;
            most0 = std::max(most0, zero), least0 = std::min(least0, zero + share[k]);
            most1 = std::max(most1, one), least1 = std::min(least1, one + share[k]);
          }
          cap[f] += r == 1 ? most0 + most1 - b : std::min({n - b, s - least1, n - s - least0});
        }
      }
    return error;
  }

  // Looks at all sets T + t + (r of the candidates after t and before end) until one is below the target.
  void descend(const Node& node, std::size_t t, std::size_t end, std::size_t r) {
    std::vector<Weight> cap(end), sum{0};
    const Weight spare = count(node, t, static_cast<Weight>(r), cap) - target;
    Columns keep(end - t - 1);
    std::iota(keep.begin(), keep.end(), t + 1);
    std::stable_sort(keep.begin(), keep.end(), [&](std::size_t f, std::size_t g) { return cap[f] > cap[g]; });
    for (std::size_t f : keep) sum.push_back(sum.back() + cap[f]);  // sum[i]: W of the first i
    std::optional<Node> child;
    for (std::size_t u = 0; u + r <= keep.size() && !found; ++u) {
      // By (*) a set of u, r - 2 others after u and f errs by at least E - (W of the r - 1 from u on) - W(f). As W falls,
      // the f that may still be below the target, for this and all later u, come first; the others are dropped.
      while (keep.size() >= u + r && spare - (sum[u + r - 1] - sum[u]) >= cap[keep.back()]) keep.pop_back();
      if (keep.size() < u + r) break;
      path.push_back(node.position[keep[u]]);
      if (r == 1) found = path;
      if (!child && r > 1) child = split(node, t, keep);
      if (r > 1) descend(*child, u, keep.size(), r - 1);
      path.pop_back();
    }
  }
};

}  // namespace beadcheck
