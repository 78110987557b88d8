#pragma once
// The exact sweep for two channels with costs of 1, eight cells side by side in one vector of 16-bit numbers, eight
// places at a time. A cell's number never exceeds its rows, so neither does a sum over cells: 32,767 rows fit.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwork::ordered {

class Lanes {
 public:
  static constexpr std::int64_t kMostRows = 32767;

  // Cells that err get a lane; the others cannot gain. False where there are too many.
  template <class W>
  bool begin(const W* totals, std::size_t cells, std::size_t dropped, bool backward) {
    changes_.assign(2 * cells, V{});
    x_ = top_ = V{};
    base_ = 0;
    std::size_t lane = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      if (c == dropped || std::min(totals[2 * c], totals[2 * c + 1]) == 0) continue;
      if (lane == 8) return false;
      const W d = totals[2 * c] - totals[2 * c + 1];
      x_[lane] = static_cast<std::int16_t>(backward ? d : -d);
      top_[lane] = static_cast<std::int16_t>(std::max(d, -d));
      base_ += top_[lane];
      changes_[2 * c][lane] = 2;
      changes_[2 * c + 1][lane++] = -2;
    }
    return true;
  }

  // As Cells::sweep_exact, after begin. Inlined into a caller, its vectors do not stay in registers: three times the
  // time.
  template <class Run, class W, class Found>
  [[gnu::noinline]] void sweep(const Run& run, bool backward, W& need, Found& found) {
    V x = x_;
    if (backward)
      for (std::uint32_t i = run.begin; i < run.size; ++i) x -= change(run, i);
    else
      for (std::uint32_t i = 0; i < run.begin; ++i) x += change(run, i);
    for (std::uint32_t i = run.begin; i <= run.end;) {
      const std::uint32_t places = std::min(8u, run.end - i + 1);
      const V sums = places == 8 ? next_sums<true>(run, i, 8, x) : next_sums<false>(run, i, places, x);
      std::int32_t limit = limit_for(need);
      if (any_above(sums, limit))
        for (std::uint32_t j = 0; j < places; ++j)
          if (sums[j] > limit && run.cut(i + j)) {
            if (found(i + j, static_cast<W>((sums[j] - base_) / 2))) return;
            limit = limit_for(need);
          }
      // A row changes a sum by 2 at most.
      const auto far = static_cast<std::uint32_t>(std::max(0, limit - sums[places - 1]) / 2);
      i += places;
      if (far > run.end - std::min(i, run.end)) return;
      for (const std::uint32_t to = i + far; i < to; ++i) x += change(run, i);
    }
  }

 private:
  using V = std::int16_t __attribute__((vector_size(16)));
  using V32 = std::int32_t __attribute__((vector_size(16)));
  using V64 = std::int64_t __attribute__((vector_size(16)));

  template <class Run>
  const V& change(const Run& run, std::uint32_t i) const {
    return changes_[run.code[run.rows[i]]];
  }
  template <class W>
  std::int32_t limit_for(W need) const {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(2 * std::int64_t{need} + base_, -1, kMostRows));
  }
  static bool any_above(V sums, std::int32_t limit) {
    const V64 above = reinterpret_cast<V64>(sums > static_cast<std::int16_t>(limit));
    return (above[0] | above[1]) != 0;
  }

  // Sums over lanes at places i, i + 1, .. and x at the place after them; places that are not asked for repeat the
  // last.
  template <bool Whole, class Run>
  V next_sums(const Run& run, std::uint32_t i, std::uint32_t places, V& x) const {
    std::array<V, 8> y;
    for (std::uint32_t j = 0; j < 8; ++j) {
      const V up = x > -x ? x : -x;
      y[j] = up > top_ ? up : top_;
      if (Whole || j + 1 < places) x += change(run, i + j);
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

  std::vector<V> changes_;  // by code
  V x_ = {}, top_ = {};
  std::int32_t base_ = 0;  // of the tops
};

}  // namespace beadwork::ordered
