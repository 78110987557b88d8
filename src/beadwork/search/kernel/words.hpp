// What all parts of the kernels share. Included by body.hpp, inside the anonymous namespace of a kernel file.

using u32 = std::uint32_t;
using i64 = std::int64_t;

template <class Lane>
inline Lane clamp_lane(std::int64_t x) {
  constexpr std::int64_t most = sizeof(Lane) == 2 ? 32767 : 2147483647;
  return static_cast<Lane>(x < -1 ? -1 : x > most ? most : x);
}

template <class V>
struct Words {
  using Lane = typename V::Lane;
  static constexpr u32 N = V::lanes;
  static constexpr u32 rows_per_word = 8 * sizeof(Lane);
  static u32 words(u32 rows) { return (rows + rows_per_word - 1) / rows_per_word; }
  static V set(i64 x) { return V::set1(static_cast<Lane>(x)); }
};
