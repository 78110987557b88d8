#pragma once
// Sanitizers take ten times as long: there a long test repeats itself a quarter as often. The release build runs all of
// it.

namespace beadwork::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

constexpr int repeats(int n) {
  return kSanitized ? n / 4 : n;
}

}  // namespace beadwork::test
