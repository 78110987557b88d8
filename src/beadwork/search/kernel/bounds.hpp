// From counts to errors and to the linear cap (docs/search.md), and what it rules out.
// Included by body.hpp, inside the anonymous namespace of a kernel file.

template <class V>
struct Bounding : Counting<V> {
  using typename Words<V>::Lane;
  using Words<V>::N;
  using Words<V>::set;
  using Counting<V>::count_and;

  // Linear cap: a, b the lighter and the heavier kind, v_s = max(a_s, b_s - floor((b - a) / r)), w = min(a, v_0, v_1).
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
  static bool extend(const Counts<Lane>& c, u32 t, const u32* chunks, u32 n, u32 r, i64 target, Lane* weights) {
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
      if (error >= target && i + 1 < c.num_cells && proves(weights, chunks, n, r, error, target)) return false;
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
        sum = sum + split_error(V::load(p), V::load(p + l.stride), c.cells[i].weight[0], c.cells[i].weight[1]);
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
        count +=
            static_cast<u32>(__builtin_popcount(V::eq(V::load(w + (chunks != nullptr ? chunks[j] : j) * N), level)));
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
};
