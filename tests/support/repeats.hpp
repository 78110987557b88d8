#pragma once
// How often a long test repeats itself on random tables: as often as it says in make nightly (BEADWORK_NIGHTLY),
// elsewhere a quarter as often. Sanitizers take ten times as long: the largest of fixed cases are left out there.
#include <cstdlib>

namespace beadwork::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

inline int repeats(int n) {
  return std::getenv("BEADWORK_NIGHTLY") != nullptr ? n : n / 4;
}

}  // namespace beadwork::test
