// Compressing and gathering without special instructions; included inside the anonymous namespace of a kernel
// file.

// For each byte mask, the three masks of moves of the parallel-suffix compress (Warren, Hacker's Delight,
// 7-4).
struct Moves {
  std::uint8_t of[256][3];
  constexpr Moves() : of{} {
    for (unsigned mask = 0; mask < 256; ++mask) {
      unsigned m = mask, zeros_below = (~m << 1) & 255;
      for (unsigned i = 0; i < 3; ++i) {
        unsigned parity = zeros_below ^ (zeros_below << 1);
        parity ^= parity << 2;
        parity ^= parity << 4;
        const unsigned move = parity & m & 255;
        of[mask][i] = static_cast<std::uint8_t>(move);
        m = (m ^ move) | (move >> (1u << i));
        zeros_below &= ~parity & 255;
      }
    }
  }
};
constexpr Moves moves;

// All bytes of the lane at once, then the bytes are pushed together.
template <class V>
inline V squeeze(V x, std::uint32_t mask) {
  using Lane = typename V::Lane;
  x = x & V::set1(static_cast<Lane>(mask));
  for (std::uint32_t i = 0; i < 3; ++i) {
    std::uint32_t move = 0;
    for (std::uint32_t byte = 0; byte < sizeof(Lane); ++byte)
      move |= std::uint32_t{moves.of[mask >> (8 * byte) & 255][i]} << (8 * byte);
    const V go = x & V::set1(static_cast<Lane>(move));
    x = (x - go) | V::shift_right(go, 1u << i);
  }
  V out = x & V::set1(255);
  std::uint32_t filled = static_cast<std::uint32_t>(__builtin_popcount(mask & 255));
  for (std::uint32_t byte = 1; byte < sizeof(Lane); ++byte) {
    out = out | V::shift_left(V::shift_right(x, 8 * byte) & V::set1(255), filled);
    filled += static_cast<std::uint32_t>(__builtin_popcount(mask >> (8 * byte) & 255));
  }
  return out;
}

template <class V>
inline V pick(const typename V::Lane* x, std::uint32_t chunk, const std::uint32_t* source, std::uint32_t n) {
  alignas(64) typename V::Lane out[V::lanes] = {};
  const std::uint32_t first = chunk * V::lanes, end = n - first < V::lanes ? n - first : V::lanes;
  for (std::uint32_t i = 0; i < end; ++i) out[i] = x[source[first + i]];
  return V::load(out);
}
