// AVX2: no population count, so bytes are tallied by two table look-ups and folded into lanes every 31 words.
#include <beadwork/search/kernel/table.hpp>
#if defined(__AVX2__)
#include <immintrin.h>

namespace beadwork::kernel {
namespace {

#include <beadwork/search/kernel/squeeze.hpp>

struct Register {
  __m256i v;
  static __m256i byte_counts(__m256i x) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(x, low)),
                           _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
  }
  static __m256i select_or_dead(__m256i keep, __m256i w) {  // w where keep, else -1
    return _mm256_or_si256(w, _mm256_xor_si256(keep, _mm256_set1_epi8(-1)));
  }
};

struct V16 : Register {
  using Lane = std::int16_t;
  static constexpr std::uint32_t lanes = 16;
  V16() : Register{_mm256_setzero_si256()} {}
  V16(__m256i x) : Register{x} {}
  static V16 load(const Lane* p) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(p)); }
  void store(Lane* p) const { _mm256_store_si256(reinterpret_cast<__m256i*>(p), v); }
  static V16 set1(Lane x) { return _mm256_set1_epi16(x); }
  static V16 zero() { return {}; }
  friend V16 operator+(V16 a, V16 b) { return _mm256_add_epi16(a.v, b.v); }
  friend V16 operator-(V16 a, V16 b) { return _mm256_sub_epi16(a.v, b.v); }
  friend V16 operator&(V16 a, V16 b) { return _mm256_and_si256(a.v, b.v); }
  friend V16 operator|(V16 a, V16 b) { return _mm256_or_si256(a.v, b.v); }
  static V16 min(V16 a, V16 b) { return _mm256_min_epi16(a.v, b.v); }
  static V16 max(V16 a, V16 b) { return _mm256_max_epi16(a.v, b.v); }
  static V16 abs(V16 a) { return _mm256_abs_epi16(a.v); }
  static std::uint32_t bits(__m256i m) {
    const __m128i packed = _mm_packs_epi16(_mm256_castsi256_si128(m), _mm256_extracti128_si256(m, 1));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(packed));
  }
  static std::uint32_t gt(V16 a, V16 b) { return bits(_mm256_cmpgt_epi16(a.v, b.v)); }
  static std::uint32_t eq(V16 a, V16 b) { return bits(_mm256_cmpeq_epi16(a.v, b.v)); }
  static V16 keep_above(V16 w, V16 least) { return select_or_dead(_mm256_cmpgt_epi16(w.v, least.v), w.v); }
  static V16 below(V16 w, V16 bound) { return select_or_dead(_mm256_cmpgt_epi16(bound.v, w.v), w.v); }
  static V16 dead_too(V16 x, V16 w) { return _mm256_or_si256(x.v, _mm256_cmpgt_epi16(_mm256_setzero_si256(), w.v)); }
  static V16 shift_left(V16 a, std::uint32_t n) {
    return _mm256_sll_epi16(a.v, _mm_cvtsi32_si128(static_cast<int>(n)));
  }
  static V16 shift_right(V16 a, std::uint32_t n) {
    return _mm256_srl_epi16(a.v, _mm_cvtsi32_si128(static_cast<int>(n)));
  }
  std::int64_t hmax() const {
    const __m128i b = _mm_max_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    const __m128i flipped = _mm_sub_epi16(_mm_set1_epi16(32767), b);  // as in avx512.cpp
    return 32767 - _mm_extract_epi16(_mm_minpos_epu16(flipped), 0);
  }
  struct Tally {
    static constexpr std::uint32_t run = 31;
    __m256i bytes = _mm256_setzero_si256(), sum = _mm256_setzero_si256();
    void add(V16 x) { bytes = _mm256_add_epi8(bytes, byte_counts(x.v)); }
    void flush() {
      sum = _mm256_add_epi16(sum, _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)));
      bytes = _mm256_setzero_si256();
    }
    void shift(std::uint32_t n) { sum = shift_left(sum, n).v; }
    V16 total() const { return sum; }
  };
  static V16 compress(V16 x, std::uint32_t mask) { return squeeze<V16>(x, mask); }
  static std::size_t plan_bytes(std::uint32_t) { return 0; }
  static void plan(const Layout&, const std::uint32_t*, std::uint32_t, void*) {}
  static V16 gather(const Lane* x, const void*, std::uint32_t chunk, const std::uint32_t* source, std::uint32_t n) {
    return pick<V16>(x, chunk, source, n);
  }
};

struct V32 : Register {
  using Lane = std::int32_t;
  static constexpr std::uint32_t lanes = 8;
  V32() : Register{_mm256_setzero_si256()} {}
  V32(__m256i x) : Register{x} {}
  static V32 load(const Lane* p) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(p)); }
  void store(Lane* p) const { _mm256_store_si256(reinterpret_cast<__m256i*>(p), v); }
  static V32 set1(Lane x) { return _mm256_set1_epi32(x); }
  static V32 zero() { return {}; }
  friend V32 operator+(V32 a, V32 b) { return _mm256_add_epi32(a.v, b.v); }
  friend V32 operator-(V32 a, V32 b) { return _mm256_sub_epi32(a.v, b.v); }
  friend V32 operator&(V32 a, V32 b) { return _mm256_and_si256(a.v, b.v); }
  friend V32 operator|(V32 a, V32 b) { return _mm256_or_si256(a.v, b.v); }
  static V32 min(V32 a, V32 b) { return _mm256_min_epi32(a.v, b.v); }
  static V32 max(V32 a, V32 b) { return _mm256_max_epi32(a.v, b.v); }
  static V32 abs(V32 a) { return _mm256_abs_epi32(a.v); }
  static std::uint32_t bits(__m256i m) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(m)));
  }
  static std::uint32_t gt(V32 a, V32 b) { return bits(_mm256_cmpgt_epi32(a.v, b.v)); }
  static std::uint32_t eq(V32 a, V32 b) { return bits(_mm256_cmpeq_epi32(a.v, b.v)); }
  static V32 keep_above(V32 w, V32 least) { return select_or_dead(_mm256_cmpgt_epi32(w.v, least.v), w.v); }
  static V32 below(V32 w, V32 bound) { return select_or_dead(_mm256_cmpgt_epi32(bound.v, w.v), w.v); }
  static V32 dead_too(V32 x, V32 w) { return _mm256_or_si256(x.v, _mm256_cmpgt_epi32(_mm256_setzero_si256(), w.v)); }
  static V32 shift_left(V32 a, std::uint32_t n) {
    return _mm256_sll_epi32(a.v, _mm_cvtsi32_si128(static_cast<int>(n)));
  }
  static V32 shift_right(V32 a, std::uint32_t n) {
    return _mm256_srl_epi32(a.v, _mm_cvtsi32_si128(static_cast<int>(n)));
  }
  std::int64_t hmax() const {
    __m128i b = _mm_max_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    b = _mm_max_epi32(b, _mm_shuffle_epi32(b, 0x4e));
    return _mm_cvtsi128_si32(_mm_max_epi32(b, _mm_shuffle_epi32(b, 0xb1)));
  }
  struct Tally {
    static constexpr std::uint32_t run = 31;
    __m256i bytes = _mm256_setzero_si256(), sum = _mm256_setzero_si256();
    void add(V32 x) { bytes = _mm256_add_epi8(bytes, byte_counts(x.v)); }
    void flush() {
      sum = _mm256_add_epi32(sum,
                             _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi16(1)));
      bytes = _mm256_setzero_si256();
    }
    void shift(std::uint32_t n) { sum = shift_left(sum, n).v; }
    V32 total() const { return sum; }
  };
  static V32 compress(V32 x, std::uint32_t mask) { return squeeze<V32>(x, mask); }
  static std::size_t plan_bytes(std::uint32_t) { return 0; }
  static void plan(const Layout&, const std::uint32_t*, std::uint32_t, void*) {}
  static V32 gather(const Lane* x, const void*, std::uint32_t chunk, const std::uint32_t* source, std::uint32_t n) {
    return pick<V32>(x, chunk, source, n);
  }
};

#include <beadwork/search/kernel/body.hpp>

constexpr Table<std::int16_t> narrow = table_of<V16>();
constexpr Table<std::int32_t> wide = table_of<V32>();

}  // namespace

extern constinit const Tables avx2{&narrow, &wide};

}  // namespace beadwork::kernel
#else
namespace beadwork::kernel {
extern constinit const Tables avx2{};
}  // namespace beadwork::kernel
#endif
