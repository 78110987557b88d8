// NEON: compiled on aarch64 only. Counting bytes is one instruction there; the rest is the compilers' vector
// extension, which the portable kernel already turns into NEON.
#include <beadwork/search/kernel.hpp>

namespace beadwork::kernel {
#if defined(__aarch64__)
template <>
const Table<std::int16_t>* neon() {
  return portable<std::int16_t>();
}
template <>
const Table<std::int32_t>* neon() {
  return portable<std::int32_t>();
}
#else
template <>
const Table<std::int16_t>* neon() {
  return nullptr;
}
template <>
const Table<std::int32_t>* neon() {
  return nullptr;
}
#endif
}  // namespace beadwork::kernel
