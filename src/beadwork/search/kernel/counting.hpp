// Counts: the weight of rows in which features are 1.
// Included by body.hpp, inside the anonymous namespace of a kernel file.

template <class V>
struct Counting : Words<V> {
  using typename Words<V>::Lane;
  using Words<V>::N;
  using Words<V>::words;

  // Weight of (feature & t) in one block, for n chunks at once so that the broadcast is shared.
  template <u32 n>
  static void count_and(const Layout& l, const Lane* x, const u32* rows, u32 t, const u32* chunks, Lane* out) {
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

  static void count_and(const Layout& l, const Lane* x, const u32* rows, u32 t, const u32* chunks, u32 n, Lane* out) {
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
};
