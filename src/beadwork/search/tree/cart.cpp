#include <beadwork/search/tree/cart.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>

// Class weights are kept by bit planes: the weight of some rows is a few counts of ones, whatever the weights.

namespace beadwork::detail {
namespace {

using Weights = std::vector<double>;  // by class

struct Leaf {
  BitColumn rows;
  double gain = 0;
  std::uint32_t best = UINT32_MAX;  // candidate
};

double impurity(const Weights& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (const double w : weights)
    if (w > 0) sum += w * ((total - w) / total);
  return sum;
}

BitColumn both(const BitColumn& a, const BitColumn& b, std::uint64_t flip) {
  BitColumn out(a.size());
  for (std::size_t w = 0; w < a.size(); ++w) out[w] = a[w] & (b[w] ^ flip);
  return out;
}

class Growth {
 public:
  Growth(const Problem& problem, const Control& control)
      : problem_(problem), data_(*problem.data), control_(control), planes_(data_.num_classes) {}

  Candidates tests(std::size_t most) {
    if (most == 0 || !make_planes()) return {};
    BitColumn all(words_for(data_.num_rows));
    for (std::size_t r = 0; r < data_.num_rows; ++r) set_bit(all, r);
    std::vector<Leaf> leaves{leaf(std::move(all))};
    Candidates used;
    for (;;) {
      const auto fresh = [&](const Leaf& l) { return std::find(used.begin(), used.end(), l.best) == used.end(); };
      const auto next = std::max_element(leaves.begin(), leaves.end(), [&](const Leaf& a, const Leaf& b) {
        if (std::abs(a.gain - b.gain) > 1e-9 * (a.gain + b.gain)) return a.gain < b.gain;
        return std::tuple(fresh(a), a.best) > std::tuple(fresh(b), b.best);
      });
      if (next->best == UINT32_MAX) break;
      if (fresh(*next)) used.push_back(next->best);
      if (used.size() == most) break;  // what is grown below adds nothing
      if (control_.stopping() || control_.no_room_for(room_of_leaf())) break;
      const BitColumn& column = data_.columns[problem_.candidates[next->best].column];
      const BitColumn rows = std::move(next->rows);
      *next = leaf(both(rows, column, 0));
      leaves.push_back(leaf(both(rows, column, ~std::uint64_t{0})));
    }
    std::sort(used.begin(), used.end());
    return used;
  }

 private:
  // False where a limit comes first.
  bool make_planes() {
    constexpr std::size_t kEntries = std::size_t{1} << 22;  // between two looks
    const std::size_t classes = data_.num_classes;
    if (control_.no_room_for(2 * classes * words_for(data_.num_rows) * 8)) return false;
    std::size_t looked = 0;
    for (std::size_t r = 0; r < data_.num_rows; ++r) {
      for (std::size_t k = 0; k < classes; ++k) {
        const auto w = static_cast<std::uint64_t>(data_.class_weights[r * classes + k]);
        while (planes_[k].size() < static_cast<std::size_t>(std::bit_width(w)))
          planes_[k].emplace_back(words_for(data_.num_rows));
        for (std::uint64_t left = w; left != 0; left &= left - 1)
          set_bit(planes_[k][static_cast<std::size_t>(std::countr_zero(left))], r);
      }
      if ((r + 1 - looked) * classes < kEntries) continue;
      looked = r + 1;
      if (control_.stopping()) return false;
    }
    return true;
  }

  // The planes of its rows, for a moment, and those.
  std::size_t room_of_leaf() const {
    std::size_t columns = 2;
    for (const auto& of_class : planes_) columns += of_class.size();
    return columns * words_for(data_.num_rows) * 8;
  }

  // Of the rows of a column, by the planes of a leaf.
  void weigh(const std::vector<std::vector<BitColumn>>& planes, const BitColumn& column, Weights& out) const {
    for (std::size_t k = 0; k < planes.size(); ++k) {
      out[k] = 0;
      for (std::size_t j = 0; j < planes[k].size(); ++j)
        out[k] += static_cast<double>(count_ones_of_and(planes[k][j].data(), column.data(), column.size())) *
                  static_cast<double>(std::uint64_t{1} << j);
    }
  }

  Leaf leaf(BitColumn rows) const {
    auto planes = planes_;
    for (auto& of_class : planes)
      for (BitColumn& plane : of_class) plane = both(plane, rows, 0);
    Weights whole(planes.size()), left(planes.size()), right(planes.size());
    weigh(planes, rows, whole);
    Leaf out{std::move(rows)};
    const double before = impurity(whole);
    for (std::uint32_t f = 0; f < problem_.candidates.size() && before > 0; ++f) {
      if (control_.stopping()) break;
      weigh(planes, data_.columns[problem_.candidates[f].column], left);
      for (std::size_t k = 0; k < whole.size(); ++k) right[k] = whole[k] - left[k];
      const double gain = before - impurity(left) - impurity(right);
      if (gain <= out.gain + 1e-12 * before) continue;
      out.gain = gain;
      out.best = f;
    }
    return out;
  }

  const Problem& problem_;
  const Condensed& data_;
  const Control& control_;
  std::vector<std::vector<BitColumn>> planes_;  // class, power of two
};

}  // namespace

Candidates grow_cart(const Problem& problem, std::size_t most, const Control& control) {
  return Growth(problem, control).tests(most);
}

}  // namespace beadwork::detail
