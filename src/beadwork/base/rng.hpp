#pragma once
#include <cstdint>
#include <span>
#include <utility>

namespace beadwork {

// splitmix64 (Steele, Lea, Flood 2014): tiny, well distributed, and the same on every platform, which the
// distributions of the standard library are not.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  // Uniform in [0, n), n > 0, without bias (Lemire's rejection).
  std::uint64_t below(std::uint64_t n) {
    for (;;) {
      const std::uint64_t x = next();
      const std::uint64_t r = x % n;
      if (x - r <= UINT64_MAX - (n - 1)) return r;
    }
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace beadwork
