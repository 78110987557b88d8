// Any processor: 16-byte registers in the compilers' vector extension, which become SSE2 or what else the
// processor has.
#include <beadwork/search/kernel/table.hpp>

namespace beadwork::kernel {
namespace {

#include <beadwork/search/kernel/squeeze.hpp>

template <class L, class U, class Vec, class UVec>
struct Packed {
  using Lane = L;
  static constexpr std::uint32_t lanes = 16 / sizeof(Lane);
  Vec v;
  Packed() : v{} {}
  Packed(Vec x) : v(x) {}
  static Packed load(const Lane* p) { return *reinterpret_cast<const Vec*>(p); }
  void store(Lane* p) const { *reinterpret_cast<Vec*>(p) = v; }
  static Packed set1(Lane x) { return Vec{} + x; }
  static Packed zero() { return {}; }
  friend Packed operator+(Packed a, Packed b) {  // wraps, as registers do
    return reinterpret_cast<Vec>(reinterpret_cast<UVec>(a.v) + reinterpret_cast<UVec>(b.v));
  }
  friend Packed operator-(Packed a, Packed b) {
    return reinterpret_cast<Vec>(reinterpret_cast<UVec>(a.v) - reinterpret_cast<UVec>(b.v));
  }
  friend Packed operator&(Packed a, Packed b) { return a.v & b.v; }
  friend Packed operator|(Packed a, Packed b) { return a.v | b.v; }
  static Vec select(Vec mask, Vec a, Vec b) { return (a & mask) | (b & ~mask); }
  static Packed min(Packed a, Packed b) { return select(reinterpret_cast<Vec>(a.v < b.v), a.v, b.v); }
  static Packed max(Packed a, Packed b) { return select(reinterpret_cast<Vec>(a.v > b.v), a.v, b.v); }
  static Packed abs(Packed a) { return max(a, zero() - a); }
  static std::uint32_t bits(Vec m) {
    std::uint32_t out = 0;
    for (std::uint32_t i = 0; i < lanes; ++i) out |= (static_cast<std::uint32_t>(m[i]) & 1u) << i;
    return out;
  }
  static bool any(Vec m) {
    using Half = std::uint64_t __attribute__((vector_size(16)));
    const Half h = reinterpret_cast<Half>(m);
    return (h[0] | h[1]) != 0;
  }
  static std::uint32_t gt(Packed a, Packed b) {
    const Vec m = reinterpret_cast<Vec>(a.v > b.v);
    return any(m) ? bits(m) : 0;
  }
  static std::uint32_t eq(Packed a, Packed b) {
    const Vec m = reinterpret_cast<Vec>(a.v == b.v);
    return any(m) ? bits(m) : 0;
  }
  static Packed keep_above(Packed w, Packed least) { return w.v | ~reinterpret_cast<Vec>(w.v > least.v); }
  static Packed below(Packed w, Packed bound) { return w.v | ~reinterpret_cast<Vec>(w.v < bound.v); }
  static Packed dead_too(Packed x, Packed w) { return x.v | reinterpret_cast<Vec>(w.v < 0); }
  static Packed shift_left(Packed a, std::uint32_t n) {
    if (n >= 8 * sizeof(Lane)) return {};
    return reinterpret_cast<Vec>(reinterpret_cast<UVec>(a.v) << static_cast<U>(n));
  }
  static Packed shift_right(Packed a, std::uint32_t n) {
    if (n >= 8 * sizeof(Lane)) return {};
    return reinterpret_cast<Vec>(reinterpret_cast<UVec>(a.v) >> static_cast<U>(n));
  }
  std::int64_t hmax() const {
    Lane most = v[0];
    for (std::uint32_t i = 1; i < lanes; ++i) most = v[i] > most ? v[i] : most;
    return most;
  }
  // Bits to pairs to nibbles to bytes; bytes are folded into lanes every 31 words.
  struct Tally {
    static constexpr std::uint32_t run = 31;
    UVec bytes{}, sum{};
    static constexpr U every(unsigned byte) { return static_cast<U>(0x01010101u * byte); }
    void add(Packed p) {
      UVec x = reinterpret_cast<UVec>(p.v);
      x -= (x >> 1) & every(0x55);
      x = (x & every(0x33)) + ((x >> 2) & every(0x33));
      bytes += (x + (x >> 4)) & every(0x0f);
    }
    void flush() {
      if constexpr (sizeof(Lane) == 2) {
        sum += (bytes & U{255}) + (bytes >> 8);
      } else {
        const UVec pairs = (bytes & U{0x00ff00ff}) + ((bytes >> 8) & U{0x00ff00ff});
        sum += (pairs & U{0xffff}) + (pairs >> 16);
      }
      bytes = UVec{};
    }
    void shift(std::uint32_t n) { sum = sum << static_cast<U>(n); }
    Packed total() const { return reinterpret_cast<Vec>(sum); }
  };
  static Packed compress(Packed x, std::uint32_t mask) { return squeeze<Packed>(x, mask); }
  static std::size_t plan_bytes(std::uint32_t) { return 0; }
  static void plan(const Layout&, const std::uint32_t*, std::uint32_t, void*) {}
  static Packed gather(const Lane* x, const void*, std::uint32_t chunk, const std::uint32_t* source, std::uint32_t n) {
    return pick<Packed>(x, chunk, source, n);
  }
};

typedef std::int16_t Int16s __attribute__((vector_size(16)));
typedef std::uint16_t Uint16s __attribute__((vector_size(16)));
typedef std::int32_t Int32s __attribute__((vector_size(16)));
typedef std::uint32_t Uint32s __attribute__((vector_size(16)));
using V16 = Packed<std::int16_t, std::uint16_t, Int16s, Uint16s>;
using V32 = Packed<std::int32_t, std::uint32_t, Int32s, Uint32s>;

#include <beadwork/search/kernel/body.hpp>

constexpr Table<std::int16_t> narrow = table_of<V16>();
constexpr Table<std::int32_t> wide = table_of<V32>();

}  // namespace

extern constinit const Tables portable{&narrow, &wide};

}  // namespace beadwork::kernel
