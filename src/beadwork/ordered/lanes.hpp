#pragma once
// The exact sweep for costs of 1, eight cells side by side in vectors of 16-bit numbers, eight places at a time. A
// cell's number never exceeds its rows, so neither does a sum over cells: 32,767 rows fit.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwork::ordered {

using LaneVector = std::int16_t __attribute__((vector_size(16)));

// Two channels and costs of 1: x and |D| of docs/ordered.md, sweep. A cell's value is twice its gain and |D|.
struct TwoKinds {
  using Change = LaneVector;
  static constexpr std::int32_t kTimes = 2;
  LaneVector x = {}, top = {};

  // rows_for: fewer rows than that do not change a value by this much.
  void add(const Change& c) { x += c; }
  void take(const Change& c) { x -= c; }
  LaneVector value() const {
    const LaneVector up = x > -x ? x : -x;
    return up > top ? up : top;
  }
  std::int32_t rows_for(std::int32_t more) const { return more / 2; }
};

// Several channels: costs on the left, and in all. A cell's value is what its sides cost, less than 0.
template <int K>
struct SeveralKinds {
  using Change = std::array<LaneVector, K>;
  static constexpr std::int32_t kTimes = 1;
  Change left = {}, total = {};
  std::int32_t most = 1;  // that a row costs

  void add(const Change& c) {
    for (std::size_t k = 0; k < K; ++k) left[k] += c[k];
  }
  void take(const Change& c) {
    for (std::size_t k = 0; k < K; ++k) left[k] -= c[k];
  }
  LaneVector value() const {
    LaneVector l = left[0], r = total[0] - left[0];
    for (std::size_t k = 1; k < K; ++k) {
      const LaneVector there = total[k] - left[k];
      l = l < left[k] ? l : left[k];
      r = r < there ? r : there;
    }
    return -l - r;
  }
  std::int32_t rows_for(std::int32_t more) const { return most == 1 ? more : more / most; }
};

// The sweep over cells that have lanes in `State`.
template <class State>
class LaneSweep {
 public:
  static constexpr std::int64_t kMostRows = 32767;

  // As Cells::sweep_exact, after begin; index(row) is the place of the row's change. Inlined into a caller, its vectors
  // do not stay in registers: three times the time.
  template <class Run, class W, class Take, class Index>
  [[gnu::noinline]] void sweep(const Run& run, bool backward, W& need, Take& found, const Index& index) {
    State s = start_;
    const auto change = [index, changes = changes_.data(), rows = run.rows](std::uint32_t i) -> const Change& {
      return changes[index(rows[i])];
    };
    if (backward)
      for (std::uint32_t i = run.begin; i < run.size; ++i) s.take(change(i));
    else
      for (std::uint32_t i = 0; i < run.begin; ++i) s.add(change(i));
    for (std::uint32_t i = run.begin; i <= run.end;) {
      const std::uint32_t places = std::min(8u, run.end - i + 1);
      const V sums = places == 8 ? next_sums<true>(change, i, 8, s) : next_sums<false>(change, i, places, s);
      std::int32_t limit = limit_for(need);
      if (any_above(sums, limit))
        for (std::uint32_t j = 0; j < places; ++j)
          if (sums[j] > limit && run.cut(i + j)) {
            if (found(i + j, static_cast<W>((sums[j] - base_) / State::kTimes))) return;
            limit = limit_for(need);
          }
      const auto far = static_cast<std::uint32_t>(s.rows_for(std::max(0, limit - sums[places - 1])));
      i += places;
      if (far > run.end - std::min(i, run.end)) return;
      for (const std::uint32_t to = i + far; i < to; ++i) s.add(change(i));
    }
  }

 protected:
  using Change = typename State::Change;

  std::vector<Change> changes_;
  State start_;
  std::int32_t base_ = 0;  // the value of all cells where nothing is gained

 private:
  using V = LaneVector;
  using V32 = std::int32_t __attribute__((vector_size(16)));
  using V64 = std::int64_t __attribute__((vector_size(16)));

  template <class W>
  std::int32_t limit_for(W need) const {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(State::kTimes * std::int64_t{need} + base_, -kMostRows - 1, kMostRows));
  }
  static bool any_above(V sums, std::int32_t limit) {
    const V64 above = reinterpret_cast<V64>(sums > static_cast<std::int16_t>(limit));
    return (above[0] | above[1]) != 0;
  }

  // Sums over lanes at places i, i + 1, .. and the state at the place after them; places that are not asked for repeat
  // the last.
  template <bool Whole, class ChangeOf>
  static V next_sums(const ChangeOf& change, std::uint32_t i, std::uint32_t places, State& s) {
    std::array<V, 8> y;
    for (std::uint32_t j = 0; j < 8; ++j) {
      y[j] = s.value();
      if (Whole || j + 1 < places) s.add(change(i + j));
    }
    std::array<V32, 4> z;
    for (std::size_t j = 0; j < 4; ++j)
      z[j] = reinterpret_cast<V32>(__builtin_shufflevector(y[2 * j], y[2 * j + 1], 0, 8, 1, 9, 2, 10, 3, 11) +
                                   __builtin_shufflevector(y[2 * j], y[2 * j + 1], 4, 12, 5, 13, 6, 14, 7, 15));
    std::array<V64, 2> u;
    for (std::size_t j = 0; j < 2; ++j)
      u[j] = reinterpret_cast<V64>(reinterpret_cast<V>(__builtin_shufflevector(z[2 * j], z[2 * j + 1], 0, 4, 1, 5)) +
                                   reinterpret_cast<V>(__builtin_shufflevector(z[2 * j], z[2 * j + 1], 2, 6, 3, 7)));
    return reinterpret_cast<V>(__builtin_shufflevector(u[0], u[1], 0, 2)) +
           reinterpret_cast<V>(__builtin_shufflevector(u[0], u[1], 1, 3));
  }
};

// Two channels; a change is found by 2 * cell + kind.
class Lanes : public LaneSweep<TwoKinds> {
 public:
  // Cells that err get a lane; the others cannot gain. False where there are too many.
  template <class W>
  bool begin(const W* totals, std::size_t cells, std::size_t dropped, bool backward) {
    changes_.assign(2 * cells, Change{});
    start_ = {};
    base_ = 0;
    std::size_t lane = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      if (c == dropped || std::min(totals[2 * c], totals[2 * c + 1]) == 0) continue;
      if (lane == 8) return false;
      const W d = totals[2 * c] - totals[2 * c + 1];
      start_.x[lane] = static_cast<std::int16_t>(backward ? d : -d);
      start_.top[lane] = static_cast<std::int16_t>(std::max(d, -d));
      base_ += start_.top[lane];
      changes_[2 * c][lane] = 2;
      changes_[2 * c + 1][lane++] = -2;
    }
    return true;
  }
};

// K channels and a few kinds of rows, by their costs; a change is found by kinds * cell + kind.
template <int K>
class LanesOfKinds : public LaneSweep<SeveralKinds<K>> {
 public:
  template <class W>
  bool begin(const W* totals, std::size_t cells, std::size_t dropped, bool backward, const std::vector<W>& costs) {
    const std::size_t kinds = costs.size() / K;
    this->changes_.assign(kinds * cells, {});
    this->start_ = {};
    this->base_ = 0;
    this->start_.most = static_cast<std::int32_t>(*std::max_element(costs.begin(), costs.end()));
    std::size_t lane = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      const W least = *std::min_element(totals + K * c, totals + K * (c + 1));
      if (c == dropped || least == 0) continue;
      if (lane == 8) return false;
      for (std::size_t k = 0; k < K; ++k) {
        this->start_.total[k][lane] = static_cast<std::int16_t>(totals[K * c + k]);
        for (std::size_t j = 0; j < kinds; ++j)
          this->changes_[kinds * c + j][k][lane] = static_cast<std::int16_t>(costs[K * j + k]);
      }
      this->base_ -= static_cast<std::int32_t>(least);
      ++lane;
    }
    if (backward) this->start_.left = this->start_.total;
    return true;
  }
};

}  // namespace beadwork::ordered
