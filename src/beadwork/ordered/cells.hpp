#pragma once
// Costs of the cells of a node while a cut moves along the order of a column, one row at a time: O(1) a row with two
// channels, O(channels) with more. Two sweeps (docs/ordered.md): sweep_exact gives what the error falls by, for every
// cut; sweep_cap gives the weight of the linear cap.
//
// A cell is `kDropped` for rows between the ends of a box; they cost nothing on either side.
//
// With two channels a row costs in one of them only, its kind. Let D be the difference of a cell's channels and x twice
// the difference on the left less D. Then the two sides together cost max(|D|, |x|) - |D| less, halved, than the cell:
// one number a cell, updated by one addition.

#include <beadwork/ordered/lanes.hpp>
#include <beadwork/ordered/problem.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

namespace beadwork::ordered {

// Channels: 2, another constant, or 0 for a number known at run time. Unit: two channels, all costs 1.
template <class W, class C, int Channels, bool Unit = false>
class Cells {
 public:
  using Weight = W;
  using Code = C;  // a row's cell and, with two channels, its kind
  static constexpr bool kTwo = Channels == 2;
  static constexpr bool kLanes = Channels == 3 || Channels == 4;

  explicit Cells(const Problem& p) : channels_(p.num_channels), narrow_(p.total <= Lanes::kMostRows) {
    costs_.assign(p.costs.begin(), p.costs.end());
    if constexpr (kTwo)
      for (std::size_t r = 0; r < p.num_rows; ++r) {
        kind_.push_back(p.costs[2 * r] > 0 ? 0 : 1);
        twice_.push_back(static_cast<W>(2 * (p.costs[2 * r] - p.costs[2 * r + 1])));
        step_ = std::max({step_, twice_.back(), static_cast<W>(-twice_.back())});
      }
    else if (kLanes && narrow_)
      find_kinds();
  }

  std::size_t channels() const { return Channels > 0 ? static_cast<std::size_t>(Channels) : channels_; }
  Code pack(std::size_t cell, std::uint32_t row) const {
    if constexpr (kTwo) return static_cast<Code>(2 * cell + kind_[row]);
    return static_cast<Code>(cell + std::size_t{0} * row);
  }
  static std::size_t cell_of(Code code) { return kTwo ? code >> 1 : code; }
  void add(W* totals, std::size_t cell, std::uint32_t row) const {
    for (std::size_t k = 0; k < channels(); ++k) totals[cell * channels() + k] += costs_[row * channels() + k];
  }
  void take(W* totals, std::size_t cell, std::uint32_t row) const {
    for (std::size_t k = 0; k < channels(); ++k) totals[cell * channels() + k] -= costs_[row * channels() + k];
  }
  W largest(std::uint32_t row) const {
    return *std::max_element(costs_.data() + row * channels(), costs_.data() + (row + 1) * channels());
  }
  W error(const W* totals, std::size_t cell) const {
    return *std::min_element(totals + cell * channels(), totals + (cell + 1) * channels());
  }

  // The rows of a node or box in the order of a column. Places begin..end are swept: place i has i rows on its left.
  struct Run {
    const std::uint32_t* rows;
    std::uint32_t size, begin, end;
    const std::uint32_t* ranks;  // of the column, by row
    const Code* code;            // by row
    bool cut(std::uint32_t i) const { return ranks[rows[i - 1]] != ranks[rows[i]]; }
  };

  // Calls found(place, gain) once for every cut whose gain exceeds `need`, which found may raise; found returns whether
  // to stop. `dropped` is the cell of dropped rows, or beyond the last.
  template <class Take>
  void sweep_exact(const Run& run, const W* totals, std::size_t cells, std::size_t dropped, W& need, Take&& found) {
    if constexpr (kTwo)
      exact_two(run, totals, cells, dropped, need, found);
    else
      exact_many(run, totals, cells, dropped, need, found);
  }

  // Calls emit(place, weight) for every cut; `shares` are floor(d_k / r) of each cell and channel.
  template <class Emit>
  void sweep_cap(const Run& run, const W* totals, const W* shares, std::size_t cells, Emit&& emit) {
    const std::size_t k = channels();
    left_.assign(cells * k, 0);
    value_.assign(cells, 0);
    W sum = 0;
    const auto step = [&](std::uint32_t i) {
      const std::uint32_t row = run.rows[i];
      const std::size_t c = cell_of(run.code[row]);
      W* left = left_.data() + c * k;
      const W* total = totals + c * k;
      const W* share = shares + c * k;
      const W* cost = costs_.data() + row * k;
      W v0 = kLeast, v1 = kLeast, a = kMost;
      for (std::size_t j = 0; j < k; ++j) {
        const W l = left[j] += cost[j];
        v0 = std::max(v0, l - share[j]);
        v1 = std::max(v1, total[j] - l - share[j]);
        a = std::min(a, total[j]);
      }
      const W w = std::min(a, std::min(v0, v1));
      sum += w - value_[c];
      value_[c] = w;
    };
    for (std::uint32_t i = 0; i < run.begin; ++i) step(i);
    for (std::uint32_t i = run.begin;; ++i) {
      if (run.cut(i)) emit(i, sum);
      if (i == run.end) return;
      step(i);
    }
  }

 private:
  static constexpr W kMost = std::numeric_limits<W>::max() / 4;
  static constexpr W kLeast = -kMost;
  static constexpr std::size_t kMostKinds = 16;

  struct Balance {
    W x, top;
  };
  W twice(std::uint32_t row, Code code) const {
    if constexpr (Unit) return static_cast<W>(2 - 4 * static_cast<W>(code & 1));
    return static_cast<W>(twice_[row] + 0 * code);
  }

  // Moves rows from..to to the left, or back. Rows take turns in two tables: a cell that was just written is slow to
  // read.
  void shift(const Run& run, std::uint32_t from, std::uint32_t to, bool back) {
    Balance* const balance = balance_.data();
    W* const other = other_.data();
    const W sign = back ? -1 : 1;
    const auto change = [&](std::uint32_t i) {
      const Code code = run.code[run.rows[i]];
      return std::pair<std::size_t, W>(code >> 1, sign * twice(run.rows[i], code));
    };
    std::uint32_t i = from;
    for (; i + 2 <= to; i += 2) {
      const auto [c, t] = change(i);
      const auto [d, u] = change(i + 1);
      balance[c].x += t;
      other[d] += u;
    }
    if (i < to) {
      const auto [c, t] = change(i);
      balance[c].x += t;
    }
  }
  // Twice the gain at the place that was reached by shifting.
  W twice_gain() {
    W sum = 0;
    for (std::size_t c = 0; c < balance_.size(); ++c) {
      Balance& b = balance_[c];
      b.x += std::exchange(other_[c], 0);
      sum += std::max(b.top, std::max(b.x, -b.x)) - b.top;
    }
    return sum;
  }

  // Rows that are too few to bring the gain above the need are passed without a look at it.
  template <class Take>
  void exact_two(const Run& run, const W* totals, std::size_t cells, std::size_t dropped, W& need, Take& found) {
    const bool backward = run.size - run.begin < run.begin;
    if constexpr (Unit)
      if (narrow_ && lanes_.begin(totals, cells, dropped, backward))
        return lanes_.sweep(run, backward, need, found, [code = run.code](std::uint32_t row) { return code[row]; });
    balance_.resize(cells);
    other_.assign(cells, 0);
    for (std::size_t c = 0; c < cells; ++c) {
      const W d = totals[2 * c] - totals[2 * c + 1];
      balance_[c] = {backward ? d : -d, c == dropped ? kMost : std::max(d, -d)};
    }
    shift(run, backward ? run.begin : 0, backward ? run.size : run.begin, backward);
    W sum = twice_gain(), limit = 2 * need;
    Balance* const balance = balance_.data();
    for (std::uint32_t i = run.begin;;) {
      const auto far = static_cast<std::uint64_t>(std::max<W>(0, limit - sum) / step_);
      if (i + far >= run.end && far > 0) return;
      if (far > 2 * cells + 8) {
        const auto to = i + static_cast<std::uint32_t>(far) + 1;
        shift(run, i, to, false);
        sum = twice_gain();
        i = to;
      }
      for (const auto stop = std::min<std::uint64_t>(run.end, i + 2 * cells + 16);; ++i) {
        if (i == stop && i < run.end) break;
        if (sum > limit && run.cut(i)) {
          if (found(i, sum / 2)) return;
          limit = 2 * need;
        }
        if (i == run.end) return;
        const std::uint32_t row = run.rows[i];
        const Code code = run.code[row];
        Balance& b = balance[code >> 1];
        const W before = std::max(b.top, std::max(b.x, -b.x));
        const W x = b.x + twice(row, code);
        b.x = x;
        sum += std::max(b.top, std::max(x, -x)) - before;
      }
    }
  }

  // Rows of equal costs are of one kind. No kinds where there are many.
  void find_kinds() {
    const std::size_t k = channels();
    for (std::size_t r = 0; r * k < costs_.size(); ++r) {
      const auto row = costs_.begin() + static_cast<std::ptrdiff_t>(r * k), end = row + static_cast<std::ptrdiff_t>(k);
      std::size_t kind = 0;
      while (kind * k < kinds_.size() && !std::equal(row, end, kinds_.begin() + static_cast<std::ptrdiff_t>(kind * k)))
        ++kind;
      if (kind == kMostKinds) return kinds_.clear();
      if (kind * k == kinds_.size()) kinds_.insert(kinds_.end(), row, end);
      kind_.push_back(static_cast<std::uint8_t>(kind));
    }
  }

  template <class Take>
  void exact_many(const Run& run, const W* totals, std::size_t cells, std::size_t dropped, W& need, Take& found) {
    const std::size_t k = channels();
    if constexpr (kLanes) {
      const bool backward = run.size - run.begin < run.begin;
      const std::size_t kinds = kinds_.size() / k;
      if (narrow_ && kinds > 0 && lanes_.begin(totals, cells, dropped, backward, kinds_))
        return lanes_.sweep(
            run, backward, need, found,
            [kinds, code = run.code, kind = kind_.data()](std::uint32_t row) { return kinds * code[row] + kind[row]; });
    }
    left_.assign(cells * k, 0);
    right_.assign(totals, totals + cells * k);
    if (dropped < cells) left_[dropped * k] = right_[dropped * k] = kLeast;  // stays the least; the sum stays the same
    value_.assign(cells, 0);
    const auto cost_of = [&](std::size_t c) {
      W l = left_[c * k], r = right_[c * k];
      for (std::size_t j = 1; j < k; ++j) {
        l = std::min(l, left_[c * k + j]);
        r = std::min(r, right_[c * k + j]);
      }
      return l + r;
    };
    for (std::size_t c = 0; c < cells; ++c) value_[c] = cost_of(c);
    W gain = 0;
    const auto step = [&](std::uint32_t i) {
      const std::uint32_t row = run.rows[i];
      const std::size_t c = run.code[row];
      const W* cost = costs_.data() + row * k;
      W* left = left_.data() + c * k;
      W* right = right_.data() + c * k;
      W l = kMost, r = kMost;
      for (std::size_t j = 0; j < k; ++j) {
        l = std::min(l, left[j] += cost[j]);
        r = std::min(r, right[j] -= cost[j]);
      }
      gain += value_[c] - (l + r);
      value_[c] = l + r;
    };
    for (std::uint32_t i = 0; i < run.begin; ++i) step(i);
    for (std::uint32_t i = run.begin;; ++i) {
      if (gain > need && run.cut(i) && found(i, gain)) return;
      if (i == run.end) return;
      step(i);
    }
  }

  std::size_t channels_;
  bool narrow_;
  std::conditional_t<kLanes, LanesOfKinds<Channels == 4 ? 4 : 3>, Lanes> lanes_;
  std::vector<W> costs_;
  std::vector<std::uint8_t> kind_;  // of each row
  std::vector<W> kinds_;            // costs of each kind, with several channels
  std::vector<W> twice_;
  W step_ = 2;  // the most that one row changes twice the gain
  std::vector<Balance> balance_;
  std::vector<W> other_;
  std::vector<W> left_, right_, value_;
};

}  // namespace beadwork::ordered
