// Blocks of rows: parted, packed, and read row by row.
// Included by body.hpp, inside the anonymous namespace of a kernel file.

template <class V>
struct Packing : Words<V> {
  using typename Words<V>::Lane;
  using Words<V>::N;
  using Words<V>::rows_per_word;
  using Words<V>::words;

  // Appends words to a column of one chunk, compressed by masks.
  struct Packer {
    V pending = V::zero();
    u32 filled = 0;
    Lane* to;
    std::size_t stride;
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
  static u32 bits_of(Lane x) { return sizeof(Lane) == 2 ? static_cast<u32>(x) & 0xffffu : static_cast<u32>(x); }

  static void split(const Layout& from, const Cell<Lane>& cell, u32 t, const Layout& to, const u32* source, u32 count,
                    void* plan, const Cell<Lane>* one, const Cell<Lane>* zero) {
    for (u32 kind = 0; kind < 2; ++kind)
      for (u32 chunk = 0; chunk < to.chunks; ++chunk) {
        Packer ones{V::zero(), 0, one != nullptr ? const_cast<Lane*>(one->bits[kind]) + chunk * N : nullptr, to.stride};
        Packer zeros{V::zero(), 0, zero != nullptr ? const_cast<Lane*>(zero->bits[kind]) + chunk * N : nullptr,
                     to.stride};
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
  static void keep_ones(const Layout& l, const Cell<Lane>& cell, u32 kind, u32 t, const u32* chunks, u32 n, Lane* out,
                        u32* out_rows) {
    const Lane* start = cell.bits[kind];
    for (u32 g = 0; g < l.groups; ++g) {
      u32 total = 0;
      const u32 count = words(cell.rows[kind][g]);
      for (u32 i = 0; i < count; ++i) total += static_cast<u32>(__builtin_popcount(bits_of(start[i * l.stride + t])));
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

  static void row_keys(const Layout& l, const Lane* x, u32 rows, std::uint64_t* keys) {
    for (u32 i = 0; i < words(rows); ++i, x += l.stride, keys += rows_per_word) {
      for (u32 b = 0; b < rows_per_word; ++b) keys[b] = 0;
      for (u32 chunk = 0; chunk < l.chunks; ++chunk) {
        V v = V::load(x + chunk * N);  // the sign bits are those of the last row of the word
        for (u32 b = rows_per_word; b-- > 0; v = v + v) keys[b] |= std::uint64_t{V::gt(V::zero(), v)} << (chunk * N);
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
};
