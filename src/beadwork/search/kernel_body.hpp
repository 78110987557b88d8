// The kernels, written once over a register type V; included by one file for each instruction set, inside its
// anonymous namespace, after V16 and V32 are defined. Nothing here may instantiate a standard template: those
// files are compiled with flags that the rest of the program must not inherit through a shared inline
// function.
//
// V: Lane, lanes; load, store, set1, zero; + - & | shift_left; min max abs; popcount through Tally; gt(a, b)
// as bits; keep_above(w, l) = w > l ? w : -1; below(w, b) = w < b ? w : -1; dead_too(x, w) = w < 0 ? -1 : x;
// compress(x, mask bits); hmax; plan and gather, which bring the lanes of `source` together.

template <class Lane>
inline Lane clamp_lane(std::int64_t x) {
  constexpr std::int64_t most = sizeof(Lane) == 2 ? 32767 : 2147483647;
  return static_cast<Lane>(x < -1 ? -1 : x > most ? most : x);
}

template <class V>
struct Body {
  using Lane = typename V::Lane;
  using u32 = std::uint32_t;
  using i64 = std::int64_t;
  static constexpr u32 N = V::lanes;
  static constexpr u32 rows_per_word = 8 * sizeof(Lane);

  static u32 words(u32 rows) { return (rows + rows_per_word - 1) / rows_per_word; }
  static V set(i64 x) { return V::set1(static_cast<Lane>(x)); }

  // Weight of (feature & t) in one block, for n chunks at once so that the broadcast is shared.
  template <u32 n>
  static void count_and(const Layout& l, const Lane* x, const u32* rows, u32 t, const u32* chunks,
                        Lane* out) {
    typename V::Tally tally[n];
    for (u32 g = 0; g < l.groups; ++g) {
      if (g > 0)
        for (u32 j = 0; j < n; ++j) tally[j].shift(l.step);
      for (u32 left = words(rows[g]); left > 0;) {
        const u32 run = left < V::Tally::run ? left : V::Tally::run;
        for (u32 i = 0; i < run; ++i, x += l.stride) {
          const V mask = V::set1(x[t]);
          for (u32 j = 0; j < n; ++j) tally[j].add(V::load(x + chunks[j] * N) & mask);
        }
        for (u32 j = 0; j < n; ++j) tally[j].flush();
        left -= run;
      }
    }
    for (u32 j = 0; j < n; ++j) tally[j].total().store(out + chunks[j] * N);
  }

  static void count_and(const Layout& l, const Lane* x, const u32* rows, u32 t, const u32* chunks, u32 n,
                        Lane* out) {
    for (; n >= 4; n -= 4, chunks += 4) count_and<4>(l, x, rows, t, chunks, out);
    if (n == 3) count_and<3>(l, x, rows, t, chunks, out);
    if (n == 2) count_and<2>(l, x, rows, t, chunks, out);
    if (n == 1) count_and<1>(l, x, rows, t, chunks, out);
  }

  static void ones(const Counts<Lane>& c) {
    const Layout& l = c.layout;
    for (u32 i = 0; i < 2 * c.num_cells; ++i) {
      const Cell<Lane>& cell = c.cells[i / 2];
      for (u32 chunk = 0; chunk < l.chunks; ++chunk) {
        typename V::Tally tally;
        const Lane* x = cell.bits[i % 2] + chunk * N;
        for (u32 g = 0; g < l.groups; ++g) {
          if (g > 0) tally.shift(l.step);
          for (u32 left = words(cell.rows[i % 2][g]); left > 0;) {
            const u32 run = left < V::Tally::run ? left : V::Tally::run;
            for (u32 k = 0; k < run; ++k, x += l.stride) tally.add(V::load(x));
            tally.flush();
            left -= run;
          }
        }
        tally.total().store(c.ones + i * l.stride + chunk * N);
      }
    }
  }

  // L6: a, b the lighter and the heavier kind. See algorithms: v_s = max(a_s, b_s - floor(d / r)), w = min(a,
  // v_0, v_1).
  struct Cap {
    V light, heavy, slack;
    bool swapped;
    Cap(i64 p, i64 n, u32 r) : swapped(p > n) {
      const i64 a = p < n ? p : n, b = p < n ? n : p;
      light = set(a);
      heavy = set(b);
      slack = set((b - a) / r);
    }
    V of(V p1, V n1) const {
      const V a1 = swapped ? n1 : p1, b1 = swapped ? p1 : n1;
      const V v1 = V::max(a1, b1 - slack), v0 = V::max(light - a1, heavy - b1 - slack);
      return V::min(light, V::min(v0, v1));
    }
  };

  static void weigh(const Counts<Lane>& c, u32 r, Lane* weights) {
    const Layout& l = c.layout;
    for (u32 chunk = 0; chunk < l.chunks; ++chunk) {
      V sum = V::zero();
      for (u32 i = 0; i < c.num_cells; ++i) {
        const Lane* p = c.ones + 2 * i * l.stride + chunk * N;
        sum = sum + Cap(c.cells[i].weight[0], c.cells[i].weight[1], r).of(V::load(p), V::load(p + l.stride));
      }
      sum.store(weights + chunk * N);
    }
  }

  // Is error - (the r largest weights) >= target? Mostly the largest weight alone tells.
  static bool proves(const Lane* w, const u32* chunks, u32 n, u32 r, i64 error, i64 target) {
    V most = set(-1);
    for (u32 j = 0; j < n; ++j) most = V::max(most, V::load(w + chunks[j] * N));
    const i64 m = most.hmax();
    if (error - r * m >= target) return true;
    i64 next;
    return error - m >= target && error - top(w, chunks, n, r, &next) >= target;
  }

  // Cells come with most error first. Those counted so far bound the error alone (the others cost nothing at
  // least), and most dead branches are seen to be dead about half-way.
  static bool extend(const Counts<Lane>& c, u32 t, const u32* chunks, u32 n, u32 r, i64 target,
                     Lane* weights) {
    const Layout& l = c.layout;
    for (u32 j = 0; j < n; ++j) {
      Lane* w = weights + chunks[j] * N;
      V::dead_too(V::zero(), V::load(w)).store(w);
    }
    i64 error = 0;
    for (u32 i = 0; i < c.num_cells; ++i) {
      const Cell<Lane>& cell = c.cells[i];
      const Lane* o = c.ones + 2 * i * l.stride;
      Lane* with = c.with + 2 * i * l.stride;
      count_and(l, cell.bits[0], cell.rows[0], t, chunks, n, with);
      count_and(l, cell.bits[1], cell.rows[1], t, chunks, n, with + l.stride);
      const i64 p = o[t], q = o[l.stride + t], p0 = cell.weight[0] - p, q0 = cell.weight[1] - q;
      const Cap one(p, q, r), zero(p0, q0, r);
      for (u32 j = 0; j < n; ++j) {
        const u32 at = chunks[j] * N;
        const V p1 = V::load(with + at), q1 = V::load(with + l.stride + at);
        V sum = V::load(weights + at);
        const V old = sum;
        if (p > 0 && q > 0) sum = sum + one.of(p1, q1);
        if (p0 > 0 && q0 > 0) sum = sum + zero.of(V::load(o + at) - p1, V::load(o + l.stride + at) - q1);
        V::dead_too(sum, old).store(weights + at);
      }
      error += (p < q ? p : q) + (p0 < q0 ? p0 : q0);
      if (error >= target && i + 1 < c.num_cells && proves(weights, chunks, n, r, error, target))
        return false;
    }
    return true;
  }

  static V split_error(V p1, V n1, i64 p, i64 n) { return V::min(p1, n1) + V::min(set(p) - p1, set(n) - n1); }

  static void errors(const Counts<Lane>& c, Lane* out) {
    const Layout& l = c.layout;
    for (u32 chunk = 0; chunk < l.chunks; ++chunk) {
      V sum = V::zero();
      for (u32 i = 0; i < c.num_cells; ++i) {
        const Lane* p = c.ones + 2 * i * l.stride + chunk * N;
        sum =
            sum + split_error(V::load(p), V::load(p + l.stride), c.cells[i].weight[0], c.cells[i].weight[1]);
      }
      sum.store(out + chunk * N);
    }
  }

  static void errors_with(const Counts<Lane>& c, u32 t, const u32* chunks, u32 n, Lane* out) {
    const Layout& l = c.layout;
    for (u32 j = 0; j < n; ++j) {
      V sum = V::zero();
      for (u32 i = 0; i < c.num_cells; ++i) {
        const Lane* o = c.ones + 2 * i * l.stride;
        const Lane* w = c.with + 2 * i * l.stride + chunks[j] * N;
        const V p1 = V::load(w), q1 = V::load(w + l.stride);
        const i64 p = o[t], q = o[l.stride + t];
        sum = sum + split_error(p1, q1, p, q) +
              split_error(V::load(o + chunks[j] * N) - p1, V::load(o + l.stride + chunks[j] * N) - q1,
                          c.cells[i].weight[0] - p, c.cells[i].weight[1] - q);
      }
      sum.store(out + chunks[j] * N);
    }
  }

  // The q largest living weights: their sum, and the one after them (-1 if none). One pass for each distinct
  // value.
  static i64 top(const Lane* w, const u32* chunks, u32 n, u32 q, i64* next) {
    i64 sum = 0;
    *next = -1;
    for (V bound = set(clamp_lane<Lane>(INT64_MAX));;) {
      V most = set(-1);
      for (u32 j = 0; j < n; ++j) {  // values at the bound or above are turned into -1
        const V x = V::load(w + (chunks != nullptr ? chunks[j] : j) * N);
        most = V::max(most, V::below(x, bound));
      }
      const i64 m = most.hmax();
      if (m < 0) return sum;
      u32 count = 0;
      const V level = set(m);
      for (u32 j = 0; j < n; ++j)
        count += static_cast<u32>(
            __builtin_popcount(V::eq(V::load(w + (chunks != nullptr ? chunks[j] : j) * N), level)));
      if (count > q) {
        *next = m;
        return sum + m * q;
      }
      sum += m * count;
      q -= count;
      bound = level;
    }
  }

  static i64 top_sum(const Lane* w, u32 n, u32 q) {
    i64 next;
    return top(w, nullptr, n, q, &next);
  }

  static u32 eliminate(Lane* w, const u32* chunks, u32 n, u32 r, i64 slack) {
    for (;;) {
      u32 alive = 0;
      const V none = set(-1);
      for (u32 j = 0; j < n; ++j)
        alive += static_cast<u32>(__builtin_popcount(V::gt(V::load(w + chunks[j] * N), none)));
      if (alive < r) return 0;
      i64 next;
      const i64 sum = top(w, chunks, n, r - 1, &next);
      if (slack - sum - next >= 0) return 0;
      if (slack - sum < 0) return alive;
      const V least = set(clamp_lane<Lane>(slack - sum));
      u32 left = 0;
      for (u32 j = 0; j < n; ++j) {
        const V kept = V::keep_above(V::load(w + chunks[j] * N), least);
        kept.store(w + chunks[j] * N);
        left += static_cast<u32>(__builtin_popcount(V::gt(kept, none)));
      }
      if (left == alive) return alive;
      if (left < r) return 0;
    }
  }

  static u32 above(const Lane* from, Lane* to, u32 n, i64 least, u32* chunks, u32* listed) {
    const V limit = set(clamp_lane<Lane>(least)), none = set(-1);
    u32 alive = 0, k = 0;
    for (u32 j = 0; j < n; ++j) {
      const V kept = V::keep_above(V::load(from + j * N), limit);
      kept.store(to + j * N);
      const u32 bits = V::gt(kept, none);
      if (bits != 0) chunks[k++] = j;
      alive += static_cast<u32>(__builtin_popcount(bits));
    }
    *listed = k;
    return alive;
  }

  // Appends words to a column of one chunk, compressed by masks.
  struct Packer {
    V pending = V::zero();
    u32 filled = 0;
    Lane* to;
    u32 stride;
    void add(V x, u32 mask) {
      if (mask == 0) return;
      const u32 count = static_cast<u32>(__builtin_popcount(mask));
      const V y = V::compress(x, mask);
      pending = pending | V::shift_left(y, filled);
      filled += count;
      if (filled >= rows_per_word) {
        pending.store(to);
        to += stride;
        filled -= rows_per_word;
        pending = V::shift_right(y, count - filled);
      }
    }
    void end() {
      if (filled > 0) {
        pending.store(to);
        to += stride;
      }
      pending = V::zero();
      filled = 0;
    }
  };

  static u32 valid_mask(u32 rows, u32 word) {
    const u32 left = rows - word * rows_per_word;
    return left >= rows_per_word ? (rows_per_word == 32 ? ~0u : 0xffffu) : (1u << left) - 1;
  }
  static u32 bits_of(Lane x) {
    return sizeof(Lane) == 2 ? static_cast<u32>(x) & 0xffffu : static_cast<u32>(x);
  }

  static void split(const Layout& from, const Cell<Lane>& cell, u32 t, const Layout& to, const u32* source,
                    u32 count, void* plan, const Cell<Lane>* one, const Cell<Lane>* zero) {
    for (u32 kind = 0; kind < 2; ++kind)
      for (u32 chunk = 0; chunk < to.chunks; ++chunk) {
        Packer ones{V::zero(), 0, one != nullptr ? const_cast<Lane*>(one->bits[kind]) + chunk * N : nullptr,
                    to.stride};
        Packer zeros{V::zero(), 0,
                     zero != nullptr ? const_cast<Lane*>(zero->bits[kind]) + chunk * N : nullptr, to.stride};
        const Lane* x = cell.bits[kind];
        for (u32 g = 0; g < from.groups; ++g) {
          const u32 rows = cell.rows[kind][g];
          for (u32 i = 0; i < words(rows); ++i, x += from.stride) {
            const u32 mask = bits_of(x[t]);
            const V v = V::gather(x, plan, chunk, source, count);
            if (one != nullptr) ones.add(v, mask);
            if (zero != nullptr) zeros.add(v, ~mask & valid_mask(rows, i));
          }
          if (one != nullptr) ones.end();
          if (zero != nullptr) zeros.end();
        }
      }
  }

  // The rows with t = 1, chunks listed only, features where they were.
  static void keep_ones(const Layout& l, const Cell<Lane>& cell, u32 kind, u32 t, const u32* chunks, u32 n,
                        Lane* out, u32* out_rows) {
    const Lane* start = cell.bits[kind];
    for (u32 g = 0; g < l.groups; ++g) {
      u32 total = 0;
      const u32 count = words(cell.rows[kind][g]);
      for (u32 i = 0; i < count; ++i)
        total += static_cast<u32>(__builtin_popcount(bits_of(start[i * std::size_t{l.stride} + t])));
      for (u32 j = 0; j < n; ++j) {
        Packer packer{V::zero(), 0, out + chunks[j] * N, l.stride};
        const Lane* x = start;
        for (u32 i = 0; i < count; ++i, x += l.stride) packer.add(V::load(x + chunks[j] * N), bits_of(x[t]));
        packer.end();
      }
      out_rows[g] = total;
      out += std::size_t{words(total)} * l.stride;
      start += std::size_t{count} * l.stride;
    }
  }

  // Weight of kind 0 minus weight of kind 1 where f and the features of one chunk are 1.
  static V signed_and(const Layout& l, const Lane* const* bits, const u32* const* rows, u32 f, u32 chunk) {
    V side[2];
    for (u32 kind = 0; kind < 2; ++kind) {
      typename V::Tally tally;
      const Lane* x = bits[kind];
      for (u32 g = 0; g < l.groups; ++g) {
        if (g > 0) tally.shift(l.step);
        for (u32 left = words(rows[kind][g]); left > 0;) {
          const u32 run = left < V::Tally::run ? left : V::Tally::run;
          for (u32 i = 0; i < run; ++i, x += l.stride) tally.add(V::load(x + chunk * N) & V::set1(x[f]));
          tally.flush();
          left -= run;
        }
      }
      side[kind] = tally.total();
    }
    return side[0] - side[1];
  }

  // Sum of |difference| over the four corners that f and g make of a cell with difference d.
  static V corners(V both, i64 df, V dg, i64 d) {
    const V d10 = set(df) - both, d01 = dg - both, d00 = set(d - df) - d01;
    return V::abs(both) + V::abs(d10) + V::abs(d01) + V::abs(d00);
  }

  // e, m, w of the cells after t (with their sums in the last rows): error after f, L1's cap, L6 with two to
  // choose. Returns how many cells are mixed.
  static u32 describe(PairJob<Lane>& job, u32 n, i64* light) {
    const Counts<Lane>& c = *job.counts;
    const Layout& l = c.layout;
    u32 cells = 0;
    for (u32 i = 0; i < c.num_cells; ++i) {
      const Lane* o = c.ones + 2 * i * l.stride;
      const Lane* w = c.with + 2 * i * l.stride;
      for (u32 side = 0; side < 2; ++side) {
        const i64 p = side == 0 ? i64{o[job.t]} : c.cells[i].weight[0] - o[job.t];
        const i64 q = side == 0 ? i64{o[l.stride + job.t]} : c.cells[i].weight[1] - o[l.stride + job.t];
        if (p == 0 || q == 0) continue;
        const Cap cap(p, q, 2);
        light[cells] = p < q ? p : q;
        for (u32 j = 0; j < n; ++j) {
          const u32 at = job.list[j] * N;
          V p1 = V::load(w + at), q1 = V::load(w + l.stride + at);
          if (side == 1) {
            p1 = V::load(o + at) - p1;
            q1 = V::load(o + l.stride + at) - q1;
          }
          const u32 to = cells * l.stride + at;
          split_error(p1, q1, p, q).store(job.e + to);
          V::min(cap.light, V::min(p1 + q1, set(p + q) - p1 - q1)).store(job.m + to);
          cap.of(p1, q1).store(job.w + to);
        }
        ++cells;
      }
    }
    for (u32 j = 0; j < n; ++j) {
      const u32 at = job.list[j] * N;
      V e = V::zero(), m = V::zero();
      for (u32 i = 0; i < cells; ++i) {
        e = e + V::load(job.e + i * l.stride + at);
        m = m + V::load(job.m + i * l.stride + at);
      }
      e.store(job.e + 2 * c.num_cells * l.stride + at);
      m.store(job.m + 2 * c.num_cells * l.stride + at);
    }
    return cells;
  }

  // L3 for T + t + f + (each g of the chunk): the best of L1 both ways and L6, in each cell.
  static V cell_bound(const PairJob<Lane>& job, u32 cells, const i64* light, u32 f, u32 at) {
    V sum = V::zero();
    const u32 stride = job.counts->layout.stride;
    for (u32 i = 0; i < cells; ++i) {
      const u32 row = i * stride;
      const V a = set(job.e[row + f]) - V::load(job.m + row + at);
      const V b = V::load(job.e + row + at) - set(job.m[row + f]);
      const V d = set(light[i] - job.w[row + f]) - V::load(job.w + row + at);
      sum = sum + V::max(V::zero(), V::max(a, V::max(b, d)));
    }
    return sum;
  }

  static void pairs(PairJob<Lane>& job) {
    const Counts<Lane>& c = *job.counts;
    const Layout& l = c.layout;
    u32 n = 0;
    for (u32 j = 0; j < l.chunks; ++j)
      if (V::gt(V::load(job.weights + j * N), set(-1)) != 0) job.list[n++] = j;
    i64 light[2 * kMaxPairCells];
    const u32 cells = describe(job, n, light);
    const Lane* sum_e = job.e + 2 * c.num_cells * l.stride;
    const Lane* sum_m = job.m + 2 * c.num_cells * l.stride;
    // |differences| of pairs (t, f) are known from `with`: the row of t in diff.
    for (u32 j = 0; j < n; ++j) {
      for (u32 i = 0; i < c.num_cells; ++i) {
        const Lane* w = c.with + 2 * i * l.stride + job.list[j] * N;
        (V::load(w) - V::load(w + l.stride))
            .store(job.diff + (std::size_t{i} * job.num_features + job.t) * l.stride + job.list[j] * N);
      }
      job.diff_done[job.t * l.chunks + job.list[j]] = 1;
    }
    bool built = false;
    for (u32 jf = 0; jf < n; ++jf)
      for (u32 left = V::gt(V::load(job.weights + job.list[jf] * N), set(-1)); left != 0; left &= left - 1) {
        const u32 f = job.list[jf] * N + static_cast<u32>(__builtin_ctz(left));
        if (job.stopping(job.context)) return;
        for (u32 jg = jf; jg < n; ++jg) {
          const u32 chunk = job.list[jg], at = chunk * N;
          u32 g =
              V::gt(V::load(job.weights + at), set(clamp_lane<Lane>(job.error - job.limit - job.weights[f])));
          if (jg == jf) g &= left & (left - 1);
          if (g == 0) continue;
          if (job.gain_cap) {
            g &= V::gt(set(clamp_lane<Lane>(job.limit + sum_m[f])), V::load(sum_e + at));
            if (sum_e[f] >= job.limit)
              g &= V::gt(V::load(sum_m + at), set(clamp_lane<Lane>(sum_e[f] - job.limit)));
            if (g == 0) continue;
          }
          if (job.cell_bound) {  // tried always while it pays, else now and then
            ++*job.tried;
            if (*job.good * 8 >= *job.tried || (*job.tried & 15) == 0) {
              g &= V::gt(set(clamp_lane<Lane>(job.limit)), cell_bound(job, cells, light, f, at));
              if (g == 0) *job.good += 1;
            }
            if (*job.tried > 4096) *job.tried /= 2, *job.good /= 2;
            if (g == 0) continue;
          }
          if (!built) {
            built = true;
            for (u32 i = 0; i < 2 * c.num_cells; ++i)
              keep_ones(l, c.cells[i / 2], i % 2, job.t, job.list, n, job.sub[i], job.sub_rows[i]);
          }
          exact(job, f, chunk, g);
        }
      }
  }

  // 2 error = total - sum of |difference| over the sub-cells; rows with t = 0 by subtraction.
  static void exact(PairJob<Lane>& job, u32 f, u32 chunk, u32 g) {
    const Counts<Lane>& c = *job.counts;
    const Layout& l = c.layout;
    const u32 at = chunk * N;
    if (job.diff_done[f * l.chunks + chunk] == 0) {
      job.diff_done[f * l.chunks + chunk] = 1;
      for (u32 i = 0; i < c.num_cells; ++i)
        signed_and(l, c.cells[i].bits, c.cells[i].rows, f, chunk)
            .store(job.diff + (std::size_t{i} * job.num_features + f) * l.stride + at);
    }
    job.evaluated += static_cast<u32>(__builtin_popcount(g));
    const i64 need = job.total - 2 * (job.limit - 1);
    i64 rest = job.total;
    V sum = V::zero();
    for (u32 i = 0; i < c.num_cells; ++i) {
      const Lane* o = c.ones + 2 * i * l.stride;
      const Lane* dt = job.diff + (std::size_t{i} * job.num_features + job.t) * l.stride;
      const Lane* df = job.diff + (std::size_t{i} * job.num_features + f) * l.stride;
      const Lane* const bits[2] = {job.sub[2 * i], job.sub[2 * i + 1]};
      const u32* const rows[2] = {job.sub_rows[2 * i], job.sub_rows[2 * i + 1]};
      const V both = signed_and(l, bits, rows, f, chunk);
      const i64 d = c.cells[i].weight[0] - c.cells[i].weight[1], d_t = o[job.t] - o[l.stride + job.t];
      const i64 d_f = o[f] - o[l.stride + f];
      const V d_tg = V::load(dt + at), d_g = V::load(o + at) - V::load(o + l.stride + at);
      sum = sum + corners(both, dt[f], d_tg, d_t) +
            corners(V::load(df + at) - both, d_f - dt[f], d_g - d_tg, d - d_t);
      rest -= c.cells[i].weight[0] + c.cells[i].weight[1];
      if ((V::gt(sum, set(clamp_lane<Lane>(need - rest - 1))) & g) == 0) return;
    }
    alignas(64) Lane out[N];
    sum.store(out);
    for (; g != 0; g &= g - 1) {
      const u32 k = static_cast<u32>(__builtin_ctz(g));
      const i64 error = (job.total - out[k]) / 2;
      if (error < job.limit) job.limit = job.offer(job.context, f, at + k, error);
    }
  }

  static void row_keys(const Layout& l, const Lane* x, u32 rows, std::uint64_t* keys) {
    for (u32 i = 0; i < words(rows); ++i, x += l.stride, keys += rows_per_word) {
      for (u32 b = 0; b < rows_per_word; ++b) keys[b] = 0;
      for (u32 chunk = 0; chunk < l.chunks; ++chunk) {
        V v = V::load(x + chunk * N);  // the sign bits are those of the last row of the word
        for (u32 b = rows_per_word; b-- > 0; v = v + v)
          keys[b] |= std::uint64_t{V::gt(V::zero(), v)} << (chunk * N);
      }
    }
  }

  static void keep_rows(const Layout& l, Lane* bits, u32 rows, const u32* masks) {
    for (u32 chunk = 0; chunk < l.chunks; ++chunk) {
      Packer packer{V::zero(), 0, bits + chunk * N, l.stride};  // writes behind what is read
      const Lane* x = bits + chunk * N;
      for (u32 i = 0; i < words(rows); ++i, x += l.stride) packer.add(V::load(x), masks[i]);
      packer.end();
    }
  }

  static constexpr Table<Lane> table() {
    return {N,       ones,  weigh,   extend,        errors, errors_with, eliminate, above,
            top_sum, split, V::plan, V::plan_bytes, pairs,  row_keys,    keep_rows};
  }
};
