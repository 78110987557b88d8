#include <beadwork/ordered/problem.hpp>

#include <algorithm>
#include <numeric>

// CART (Breiman, Friedman, Olshen, Stone 1984) on ranks, grown best-first until the next split would need one test more
// than allowed. The next split is the one that lowers the Gini impurity most; the first column and cut win ties.

namespace beadwork::ordered {
namespace {

using Real = double;

struct Split {
  Real gain = 0;
  Cut cut;
};

struct Leaf {
  std::vector<bool> in;  // rows
  std::vector<Real> weight;
  std::optional<Split> best;
};

class Growth {
 public:
  Growth(const RankedData& data, const std::vector<WorkColumn>& columns, const Control& control)
      : data_(data), columns_(columns), control_(control) {}

  void grow(std::size_t most, std::vector<Cut>& tests) {
    std::vector<Leaf> leaves{leaf(std::vector<bool>(data_.num_rows(), true))};
    while (!control_.stopping()) {
      const auto next = std::max_element(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) {
        return (a.best ? a.best->gain : 0) < (b.best ? b.best->gain : 0);
      });
      if (!next->best) return;
      const Cut cut = next->best->cut;
      if (std::find(tests.begin(), tests.end(), cut) == tests.end()) {
        if (tests.size() == most) return;
        tests.push_back(cut);
      }
      auto sides = split(*next, cut);
      *next = leaf(std::move(sides.first));
      leaves.push_back(leaf(std::move(sides.second)));
    }
  }

 private:
  static Real impurity(const std::vector<Real>& weight) {
    const Real total = std::accumulate(weight.begin(), weight.end(), Real{0});
    Real sum = 0;
    for (const Real w : weight)
      if (w > 0) sum += w * ((total - w) / total);
    return sum;
  }

  std::pair<std::vector<bool>, std::vector<bool>> split(const Leaf& leaf, Cut cut) const {
    std::pair out{leaf.in, leaf.in};
    for (std::size_t r = 0; r < data_.num_rows(); ++r)
      (columns_[cut.column].ranks[r] <= cut.rank ? out.second : out.first)[r] = false;
    return out;
  }

  Leaf leaf(std::vector<bool> in) {
    Leaf out{std::move(in), std::vector<Real>(data_.num_classes()), {}};
    for (std::size_t r = 0; r < data_.num_rows(); ++r)
      if (out.in[r]) out.weight[data_.labels[r]()] += static_cast<Real>(data_.weight(r));
    if (impurity(out.weight) > 0)
      for (std::uint32_t c = 0; c < columns_.size() && !control_.stopping(); ++c) look(out, c);
    return out;
  }

  // The best cut of a column in a leaf: class weights by rank, then one pass along them.
  void look(Leaf& leaf, std::uint32_t column) {
    const std::size_t k = data_.num_classes(), ranks = columns_[column].cuts.size() + 1;
    by_rank_.assign(ranks * k, 0);
    rows_.assign(ranks, 0);
    for (std::size_t r = 0; r < data_.num_rows(); ++r)
      if (leaf.in[r]) {
        by_rank_[columns_[column].ranks[r] * k + data_.labels[r]()] += static_cast<Real>(data_.weight(r));
        ++rows_[columns_[column].ranks[r]];
      }
    const Real whole = impurity(leaf.weight), slack = 1e-12 * whole;
    std::vector<Real> left(k), right = leaf.weight;
    for (std::uint32_t i = 0; i + 1 < ranks; ++i) {
      if (rows_[i] == 0) continue;
      for (std::size_t c = 0; c < k; ++c) {
        left[c] += by_rank_[i * k + c];
        right[c] -= by_rank_[i * k + c];
      }
      const Real gain = whole - impurity(left) - impurity(right);
      if (gain > (leaf.best ? leaf.best->gain : 0) + slack) leaf.best = Split{gain, {column, i}};
    }
  }

  const RankedData& data_;
  const std::vector<WorkColumn>& columns_;
  const Control& control_;
  std::vector<Real> by_rank_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace

void grow_cart(const RankedData& data, const std::vector<WorkColumn>& columns, std::size_t choose,
               const Control& control, std::vector<Cut>& tests) {
  Growth(data, columns, control).grow(choose, tests);
}

}  // namespace beadwork::ordered
