#include <beadwork/ordered/problem.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

// CART (Breiman, Friedman, Olshen, Stone 1984) on ranks, grown best-first until the next split would need one test more
// than allowed. The next split is the one that lowers the Gini impurity most; of those that gain alike, one whose test
// is in use already, then the one of the first column and cut.

namespace beadwork::ordered {
namespace {

using Real = double;

struct Leaf {
  std::vector<std::uint32_t> rows;
  std::vector<Real> weight;
  Real gain = 0;
  Cut best = {UINT32_MAX, 0};
};

class Growth {
 public:
  Growth(const RankedData& data, const std::vector<WorkColumn>& columns, const Control& control)
      : data_(data), columns_(columns), control_(control) {}

  void grow(std::size_t most, std::vector<Cut>& tests) {
    if (most == 0) return;
    std::vector<std::uint32_t> all(data_.num_rows());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<Leaf> leaves;
    leaves.push_back(leaf(std::move(all)));
    for (;;) {
      const auto fresh = [&](const Leaf& l) { return std::find(tests.begin(), tests.end(), l.best) == tests.end(); };
      const auto next = std::max_element(leaves.begin(), leaves.end(), [&](const Leaf& a, const Leaf& b) {
        if (std::abs(a.gain - b.gain) > 1e-9 * (a.gain + b.gain)) return a.gain < b.gain;
        return std::tuple(fresh(a), a.best) > std::tuple(fresh(b), b.best);
      });
      if (next->gain <= 0) return;
      if (fresh(*next)) tests.push_back(next->best);
      if (tests.size() == most) return;  // what is grown below adds nothing
      if (control_.stopping()) return;
      const auto& ranks = columns_[next->best.column].ranks;
      std::vector<std::uint32_t> low, high;
      for (const std::uint32_t r : next->rows) (ranks[r] <= next->best.rank ? low : high).push_back(r);
      *next = leaf(std::move(low));
      leaves.push_back(leaf(std::move(high)));
    }
  }

 private:
  // Gini, times the weight: less the sum of squares over the total, so that sides are compared by one division each.
  static Real impurity(const Real* weight, std::size_t k) {
    Real total = 0, squares = 0;
    for (std::size_t c = 0; c < k; ++c) {
      total += weight[c];
      squares += weight[c] * weight[c];
    }
    return total > 0 ? total - squares / total : 0;
  }

  Leaf leaf(std::vector<std::uint32_t> rows) {
    const std::size_t k = data_.num_classes();
    Leaf out{std::move(rows), std::vector<Real>(k)};
    for (const std::uint32_t r : out.rows) out.weight[data_.labels[r]()] += static_cast<Real>(data_.weight(r));
    if (std::count_if(out.weight.begin(), out.weight.end(), [](Real w) { return w > 0; }) > 1)
      for (std::uint32_t c = 0; c < columns_.size() && !control_.stopping(); ++c) best_cut(out, c);
    return out;
  }

  // The best cut of a column in a leaf: class weights by rank, then one pass along them.
  void best_cut(Leaf& leaf, std::uint32_t column) {
    const std::size_t k = data_.num_classes(), ranks = columns_[column].cuts.size() + 1;
    by_rank_.assign(ranks * k, 0);
    for (const std::uint32_t r : leaf.rows)
      by_rank_[columns_[column].ranks[r] * k + data_.labels[r]()] += static_cast<Real>(data_.weight(r));
    const Real whole = impurity(leaf.weight.data(), k), slack = 1e-12 * whole;
    left_.assign(k, 0);
    right_ = leaf.weight;
    for (std::uint32_t i = 0; i + 1 < ranks; ++i) {
      bool any = false;
      for (std::size_t c = 0; c < k; ++c) {
        const Real w = by_rank_[i * k + c];
        any = any || w > 0;
        left_[c] += w;
        right_[c] -= w;
      }
      if (!any) continue;
      const Real gain = whole - impurity(left_.data(), k) - impurity(right_.data(), k);
      if (gain <= leaf.gain + slack) continue;
      leaf.gain = gain;
      leaf.best = {column, i};
    }
  }

  const RankedData& data_;
  const std::vector<WorkColumn>& columns_;
  const Control& control_;
  std::vector<Real> by_rank_, left_, right_;
};

}  // namespace

void grow_cart(const RankedData& data, const std::vector<WorkColumn>& columns, std::size_t choose,
               const Control& control, std::vector<Cut>& tests) {
  Growth(data, columns, control).grow(choose, tests);
}

}  // namespace beadwork::ordered
