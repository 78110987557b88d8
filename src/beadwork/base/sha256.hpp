#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace beadwork {

// FIPS 180-4. Written here: the one hash we need does not justify a cryptographic library.
class Sha256 {
 public:
  void update(std::string_view bytes);
  std::string hex_digest();  // 64 lower-case digits; the object is spent afterwards

  static std::string of(std::string_view bytes) {
    Sha256 h;
    h.update(bytes);
    return h.hex_digest();
  }

 private:
  void absorb(const unsigned char* block);
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::uint64_t length_ = 0;
};

}  // namespace beadwork
