// The last three features at once: gain cap and cell bound on pairs, then exact pair.
// Included by body.hpp, inside the anonymous namespace of a kernel file.

template <class V>
struct Pairs : Bounding<V> {
  using typename Words<V>::Lane;
  using typename Bounding<V>::Cap;
  using Words<V>::N;
  using Words<V>::set;
  using Bounding<V>::split_error;
  using Counting<V>::signed_and;

  // Sum of |difference| over the four corners that f and g make of a cell with difference d.
  static V corners(V both, i64 df, V dg, i64 d) {
    const V d10 = set(df) - both, d01 = dg - both, d00 = set(d - df) - d01;
    return V::abs(both) + V::abs(d10) + V::abs(d01) + V::abs(d00);
  }

  // e, m, w of the cells after t (with their sums in the last rows): error after f, gain cap, linear cap with
  // two to choose. Returns how many cells are mixed.
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
          const u32 at = job.room.list[j] * N;
          V p1 = V::load(w + at), q1 = V::load(w + l.stride + at);
          if (side == 1) {
            p1 = V::load(o + at) - p1;
            q1 = V::load(o + l.stride + at) - q1;
          }
          const std::size_t to = cells * l.stride + at;
          split_error(p1, q1, p, q).store(job.room.e + to);
          V::min(cap.light, V::min(p1 + q1, set(p + q) - p1 - q1)).store(job.room.m + to);
          cap.of(p1, q1).store(job.room.w + to);
        }
        ++cells;
      }
    }
    for (u32 j = 0; j < n; ++j) {
      const u32 at = job.room.list[j] * N;
      V e = V::zero(), m = V::zero();
      for (u32 i = 0; i < cells; ++i) {
        e = e + V::load(job.room.e + i * l.stride + at);
        m = m + V::load(job.room.m + i * l.stride + at);
      }
      e.store(job.room.e + 2 * c.num_cells * l.stride + at);
      m.store(job.room.m + 2 * c.num_cells * l.stride + at);
    }
    return cells;
  }

  // Cell bound for T + t + f + (each g of the chunk): the best of gain cap both ways and linear cap, in each cell.
  static V cell_bound(const PairJob<Lane>& job, u32 cells, const i64* light, u32 f, u32 at) {
    V sum = V::zero();
    const std::size_t stride = job.counts->layout.stride;
    for (u32 i = 0; i < cells; ++i) {
      const std::size_t row = i * stride;
      const V a = set(job.room.e[row + f]) - V::load(job.room.m + row + at);
      const V b = V::load(job.room.e + row + at) - set(job.room.m[row + f]);
      const V d = set(light[i] - job.room.w[row + f]) - V::load(job.room.w + row + at);
      sum = sum + V::max(V::zero(), V::max(a, V::max(b, d)));
    }
    return sum;
  }

  static void pairs(PairJob<Lane>& job) {
    const Counts<Lane>& c = *job.counts;
    const Layout& l = c.layout;
    u32 n = 0;
    for (u32 j = 0; j < l.chunks; ++j)
      if (V::gt(V::load(job.weights + j * N), set(-1)) != 0) job.room.list[n++] = j;
    i64 light[2 * kMaxPairCells];
    const u32 cells = describe(job, n, light);
    const Lane* sum_e = job.room.e + 2 * c.num_cells * l.stride;
    const Lane* sum_m = job.room.m + 2 * c.num_cells * l.stride;
    // |differences| of pairs (t, f) are known from `with`: the row of t in diff.
    for (u32 j = 0; j < n; ++j) {
      for (u32 i = 0; i < c.num_cells; ++i) {
        const Lane* w = c.with + 2 * i * l.stride + job.room.list[j] * N;
        (V::load(w) - V::load(w + l.stride))
            .store(job.room.diff + (std::size_t{i} * job.num_features + job.t) * l.stride + job.room.list[j] * N);
      }
      job.room.diff_done[job.t * l.chunks + job.room.list[j]] = 1;
    }
    bool built = false;
    for (u32 jf = 0; jf < n; ++jf)
      for (u32 left = V::gt(V::load(job.weights + job.room.list[jf] * N), set(-1)); left != 0; left &= left - 1) {
        const u32 f = job.room.list[jf] * N + static_cast<u32>(__builtin_ctz(left));
        if (job.taker.stopping(job.taker.context)) return;
        for (u32 jg = jf; jg < n; ++jg) {
          const u32 chunk = job.room.list[jg], at = chunk * N;
          u32 g = V::gt(V::load(job.weights + at), set(clamp_lane<Lane>(job.error - job.limit - job.weights[f])));
          if (jg == jf) g &= left & (left - 1);
          if (g == 0) continue;
          if (job.gain_cap) {
            g &= V::gt(set(clamp_lane<Lane>(job.limit + sum_m[f])), V::load(sum_e + at));
            if (sum_e[f] >= job.limit) g &= V::gt(V::load(sum_m + at), set(clamp_lane<Lane>(sum_e[f] - job.limit)));
            if (g == 0) continue;
          }
          if (job.cell_bound) {  // tried always while it pays, else now and then
            ++job.stats->tried;
            if (job.stats->good * 8 >= job.stats->tried || (job.stats->tried & 15) == 0) {
              g &= V::gt(set(clamp_lane<Lane>(job.limit)), cell_bound(job, cells, light, f, at));
              if (g == 0) job.stats->good += 1;
            }
            if (job.stats->tried > 4096) job.stats->tried /= 2, job.stats->good /= 2;
            if (g == 0) continue;
          }
          if (!built) {
            built = true;
            for (u32 i = 0; i < 2 * c.num_cells; ++i)
              Packing<V>::keep_ones(l, c.cells[i / 2], i % 2, job.t, job.room.list, n, job.room.sub[i],
                                    job.room.sub_rows[i]);
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
    if (job.room.diff_done[f * l.chunks + chunk] == 0) {
      job.room.diff_done[f * l.chunks + chunk] = 1;
      for (u32 i = 0; i < c.num_cells; ++i)
        signed_and(l, c.cells[i].bits, c.cells[i].rows, f, chunk)
            .store(job.room.diff + (std::size_t{i} * job.num_features + f) * l.stride + at);
    }
    job.evaluated += static_cast<u32>(__builtin_popcount(g));
    const i64 need = job.total - 2 * (job.limit - 1);
    i64 rest = job.total;
    V sum = V::zero();
    for (u32 i = 0; i < c.num_cells; ++i) {
      const Lane* o = c.ones + 2 * i * l.stride;
      const Lane* dt = job.room.diff + (std::size_t{i} * job.num_features + job.t) * l.stride;
      const Lane* df = job.room.diff + (std::size_t{i} * job.num_features + f) * l.stride;
      const Lane* const bits[2] = {job.room.sub[2 * i], job.room.sub[2 * i + 1]};
      const u32* const rows[2] = {job.room.sub_rows[2 * i], job.room.sub_rows[2 * i + 1]};
      const V both = signed_and(l, bits, rows, f, chunk);
      const i64 d = c.cells[i].weight[0] - c.cells[i].weight[1], d_t = o[job.t] - o[l.stride + job.t];
      const i64 d_f = o[f] - o[l.stride + f];
      const V d_tg = V::load(dt + at), d_g = V::load(o + at) - V::load(o + l.stride + at);
      sum = sum + corners(both, dt[f], d_tg, d_t) + corners(V::load(df + at) - both, d_f - dt[f], d_g - d_tg, d - d_t);
      rest -= c.cells[i].weight[0] + c.cells[i].weight[1];
      if ((V::gt(sum, set(clamp_lane<Lane>(need - rest - 1))) & g) == 0) return;
    }
    alignas(64) Lane out[N];
    sum.store(out);
    for (; g != 0; g &= g - 1) {
      const u32 k = static_cast<u32>(__builtin_ctz(g));
      const i64 error = (job.total - out[k]) / 2;
      if (error < job.limit) job.limit = job.taker.offer(job.taker.context, f, at + k, error);
    }
  }
};
