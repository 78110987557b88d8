// AVX-512 with BW, VL, DQ, BITALG, VPOPCNTDQ and GFNI (Ice Lake and later).
#include <beadwork/search/kernel/table.hpp>
#if defined(__AVX512BITALG__) && defined(__GFNI__)
#include <immintrin.h>

namespace beadwork::kernel {
namespace {

// Compressing the bits of a byte by a mask is linear over GF(2): one matrix for each mask.
struct ByteMatrices {
  std::uint64_t of[256];
  constexpr ByteMatrices() : of{} {
    for (unsigned m = 0; m < 256; ++m) {
      for (unsigned bit = 0, to = 0; bit < 8; ++bit)
        if ((m >> bit & 1) != 0) of[m] |= std::uint64_t{1} << bit << (8 * (7 - to++));
    }
  }
};
constexpr ByteMatrices matrices;

struct Register {
  __m512i v;
  void store_at(void* p) const { _mm512_store_si512(p, v); }
  static __m512i squeeze(__m512i x, unsigned byte_mask) {
    return _mm512_gf2p8affine_epi64_epi8(x, _mm512_set1_epi64(static_cast<long long>(matrices.of[byte_mask])), 0);
  }
};

struct V16 : Register {
  using Lane = std::int16_t;
  static constexpr std::uint32_t lanes = 32;
  V16() : Register{_mm512_setzero_si512()} {}
  V16(__m512i x) : Register{x} {}
  static V16 load(const Lane* p) { return _mm512_load_si512(p); }
  void store(Lane* p) const { store_at(p); }
  static V16 set1(Lane x) { return _mm512_set1_epi16(x); }
  static V16 zero() { return {}; }
  friend V16 operator+(V16 a, V16 b) { return _mm512_add_epi16(a.v, b.v); }
  friend V16 operator-(V16 a, V16 b) { return _mm512_sub_epi16(a.v, b.v); }
  friend V16 operator&(V16 a, V16 b) { return _mm512_and_si512(a.v, b.v); }
  friend V16 operator|(V16 a, V16 b) { return _mm512_or_si512(a.v, b.v); }
  static V16 min(V16 a, V16 b) { return _mm512_min_epi16(a.v, b.v); }
  static V16 max(V16 a, V16 b) { return _mm512_max_epi16(a.v, b.v); }
  static V16 abs(V16 a) { return _mm512_abs_epi16(a.v); }
  static std::uint32_t gt(V16 a, V16 b) { return _mm512_cmpgt_epi16_mask(a.v, b.v); }
  static std::uint32_t eq(V16 a, V16 b) { return _mm512_cmpeq_epi16_mask(a.v, b.v); }
  static V16 keep_above(V16 w, V16 least) {
    return _mm512_mask_mov_epi16(_mm512_set1_epi16(-1), _mm512_cmpgt_epi16_mask(w.v, least.v), w.v);
  }
  static V16 below(V16 w, V16 bound) {
    return _mm512_mask_mov_epi16(_mm512_set1_epi16(-1), _mm512_cmplt_epi16_mask(w.v, bound.v), w.v);
  }
  static V16 dead_too(V16 x, V16 w) { return _mm512_mask_mov_epi16(x.v, _mm512_movepi16_mask(w.v), w.v); }
  static V16 shift_left(V16 a, std::uint32_t n) {
    return _mm512_sll_epi16(a.v, _mm_cvtsi32_si128(static_cast<int>(n)));
  }
  static V16 shift_right(V16 a, std::uint32_t n) {
    return _mm512_srl_epi16(a.v, _mm_cvtsi32_si128(static_cast<int>(n)));
  }
  std::int64_t hmax() const {
    const __m256i a = _mm256_max_epi16(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
    const __m128i b = _mm_max_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    // minpos finds the least unsigned lane: x -> 32767 - x turns the largest signed one into it.
    const __m128i flipped = _mm_sub_epi16(_mm_set1_epi16(32767), b);
    return 32767 - _mm_extract_epi16(_mm_minpos_epu16(flipped), 0);
  }
  struct Tally {
    static constexpr std::uint32_t run = ~0u;
    __m512i sum = _mm512_setzero_si512();
    void add(V16 x) { sum = _mm512_add_epi16(sum, _mm512_popcnt_epi16(x.v)); }
    void flush() {}
    void shift(std::uint32_t n) { sum = shift_left(sum, n).v; }
    V16 total() const { return sum; }
  };
  static V16 compress(V16 x, std::uint32_t mask) {
    const V16 low = squeeze(x.v, mask & 255), high = squeeze(x.v, mask >> 8);
    return _mm512_or_si512(
        _mm512_and_si512(low.v, _mm512_set1_epi16(255)),
        shift_left(_mm512_srli_epi16(high.v, 8), static_cast<std::uint32_t>(__builtin_popcount(mask & 255))).v);
  }

  // A gathered register is the union of permutations of pairs of registers ("spans" of 64 lanes).
  struct Piece {
    __m512i index;
    std::uint32_t mask, span;
    std::uint32_t next_chunk;  // is the last piece of its chunk
    std::uint32_t wide;        // the span has a second register
  };
  struct Plan {
    std::uint32_t* first;  // of each chunk
    Piece* pieces;
  };
  static std::size_t plan_bytes(std::uint32_t n) {
    return sizeof(Plan) + 64 + (n + std::size_t{1}) * sizeof(Piece) + (n / 32 + std::size_t{3}) * sizeof(std::uint32_t);
  }
  static void plan(const Layout& from, const std::uint32_t* source, std::uint32_t n, void* memory) {
    Plan& plan = *static_cast<Plan*>(memory);
    char* at = static_cast<char*>(memory) + 64;
    plan.pieces = reinterpret_cast<Piece*>(at);
    plan.first = reinterpret_cast<std::uint32_t*>(at + (n + std::size_t{1}) * sizeof(Piece));
    std::uint32_t count = 0;
    const std::uint32_t chunks = (n + 31) / 32;
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
      plan.first[chunk] = count;
      const std::uint32_t end = n < chunk * 32 + 32 ? n : chunk * 32 + 32;
      std::uint32_t todo = end - chunk * 32 == 32 ? ~0u : (1u << (end - chunk * 32)) - 1;
      while (todo != 0) {
        const std::uint32_t span = source[chunk * 32 + static_cast<std::uint32_t>(__builtin_ctz(todo))] / 64;
        alignas(64) Lane index[32] = {};
        Piece& piece = plan.pieces[count++];
        piece.mask = 0;
        piece.span = span;
        piece.wide = span * 64 + 32 < from.stride;
        for (std::uint32_t left = todo; left != 0; left &= left - 1) {
          const std::uint32_t lane = static_cast<std::uint32_t>(__builtin_ctz(left));
          const std::uint32_t s = source[chunk * 32 + lane];
          if (s / 64 != span) continue;
          index[lane] = static_cast<Lane>(s % 64);
          piece.mask |= 1u << lane;
        }
        piece.index = _mm512_load_si512(index);
        todo &= ~piece.mask;
      }
    }
    plan.first[chunks] = count;
  }
  static V16 gather(const Lane* x, const void* memory, std::uint32_t chunk, const std::uint32_t*, std::uint32_t) {
    const Plan& plan = *static_cast<const Plan*>(memory);
    __m512i out = _mm512_setzero_si512();
    for (std::uint32_t i = plan.first[chunk]; i < plan.first[chunk + 1]; ++i) {
      const Piece& p = plan.pieces[i];
      const __m512i a = _mm512_load_si512(x + p.span * 64);
      const __m512i b = p.wide != 0 ? _mm512_load_si512(x + p.span * 64 + 32) : a;
      out = _mm512_or_si512(out, _mm512_maskz_permutex2var_epi16(p.mask, a, p.index, b));
    }
    return out;
  }
};

struct V32 : Register {
  using Lane = std::int32_t;
  static constexpr std::uint32_t lanes = 16;
  V32() : Register{_mm512_setzero_si512()} {}
  V32(__m512i x) : Register{x} {}
  static V32 load(const Lane* p) { return _mm512_load_si512(p); }
  void store(Lane* p) const { store_at(p); }
  static V32 set1(Lane x) { return _mm512_set1_epi32(x); }
  static V32 zero() { return {}; }
  friend V32 operator+(V32 a, V32 b) { return _mm512_add_epi32(a.v, b.v); }
  friend V32 operator-(V32 a, V32 b) { return _mm512_sub_epi32(a.v, b.v); }
  friend V32 operator&(V32 a, V32 b) { return _mm512_and_si512(a.v, b.v); }
  friend V32 operator|(V32 a, V32 b) { return _mm512_or_si512(a.v, b.v); }
  static V32 min(V32 a, V32 b) { return _mm512_min_epi32(a.v, b.v); }
  static V32 max(V32 a, V32 b) { return _mm512_max_epi32(a.v, b.v); }
  static V32 abs(V32 a) { return _mm512_abs_epi32(a.v); }
  // GCC 12 sometimes widens a spilled 16-bit mask without clearing the upper half, and drops a plain `&
  // 0xffff` because it believes that half to be zero (seen under the address sanitizer): hide the value from
  // it first.
  static std::uint32_t bits(__mmask16 mask) {
    std::uint32_t x = mask;
    asm("" : "+r"(x));
    return x & 0xffff;
  }
  static std::uint32_t gt(V32 a, V32 b) { return bits(_mm512_cmpgt_epi32_mask(a.v, b.v)); }
  static std::uint32_t eq(V32 a, V32 b) { return bits(_mm512_cmpeq_epi32_mask(a.v, b.v)); }
  static V32 keep_above(V32 w, V32 least) {
    return _mm512_mask_mov_epi32(_mm512_set1_epi32(-1), _mm512_cmpgt_epi32_mask(w.v, least.v), w.v);
  }
  static V32 below(V32 w, V32 bound) {
    return _mm512_mask_mov_epi32(_mm512_set1_epi32(-1), _mm512_cmplt_epi32_mask(w.v, bound.v), w.v);
  }
  static V32 dead_too(V32 x, V32 w) { return _mm512_mask_mov_epi32(x.v, _mm512_movepi32_mask(w.v), w.v); }
  static V32 shift_left(V32 a, std::uint32_t n) {
    return _mm512_sll_epi32(a.v, _mm_cvtsi32_si128(static_cast<int>(n)));
  }
  static V32 shift_right(V32 a, std::uint32_t n) {
    return _mm512_srl_epi32(a.v, _mm_cvtsi32_si128(static_cast<int>(n)));
  }
  std::int64_t hmax() const { return _mm512_reduce_max_epi32(v); }
  struct Tally {
    static constexpr std::uint32_t run = ~0u;
    __m512i sum = _mm512_setzero_si512();
    void add(V32 x) { sum = _mm512_add_epi32(sum, _mm512_popcnt_epi32(x.v)); }
    void flush() {}
    void shift(std::uint32_t n) { sum = shift_left(sum, n).v; }
    V32 total() const { return sum; }
  };
  static V32 compress(V32 x, std::uint32_t mask) {
    __m512i out = _mm512_setzero_si512();
    std::uint32_t filled = 0;
    for (int byte = 0; byte < 4; ++byte) {
      const std::uint32_t m = mask >> (8 * byte) & 255;
      const V32 y = squeeze(shift_right(x, static_cast<std::uint32_t>(8 * byte)).v, m);
      out = _mm512_or_si512(out, shift_left(_mm512_and_si512(y.v, _mm512_set1_epi32(255)), filled).v);
      filled += static_cast<std::uint32_t>(__builtin_popcount(m));
    }
    return out;
  }
  static std::size_t plan_bytes(std::uint32_t) { return 0; }
  static void plan(const Layout&, const std::uint32_t*, std::uint32_t, void*) {}
  static V32 gather(const Lane* x, const void*, std::uint32_t chunk, const std::uint32_t* source, std::uint32_t n) {
    const std::uint32_t left = n - chunk * 16;
    const __mmask16 mask = static_cast<__mmask16>(left >= 16 ? 0xffff : (1u << left) - 1);
    const __m512i index = _mm512_maskz_loadu_epi32(mask, source + chunk * 16);
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), mask, index, x, 4);
  }
};

#include <beadwork/search/kernel/body.hpp>

constexpr Table<std::int16_t> narrow = table_of<V16>();
constexpr Table<std::int32_t> wide = table_of<V32>();

}  // namespace

extern constinit const Tables avx512{&narrow, &wide};

}  // namespace beadwork::kernel
#else
namespace beadwork::kernel {
extern constinit const Tables avx512{};
}  // namespace beadwork::kernel
#endif
