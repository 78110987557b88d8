#include <beadwork/base/popcount.hpp>

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace beadwork {
namespace {

using Kernel = std::size_t (*)(const std::uint64_t*, const std::uint64_t*, std::size_t);

std::size_t plain(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
  std::size_t ones = 0;
  for (std::size_t i = 0; i < n; ++i) ones += static_cast<std::size_t>(std::popcount(a[i] & b[i]));
  return ones;
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) std::size_t with_popcnt(const std::uint64_t* a, const std::uint64_t* b,
                                                          std::size_t n) {
  std::size_t ones = 0;
  for (std::size_t i = 0; i < n; ++i) ones += static_cast<std::size_t>(_mm_popcnt_u64(a[i] & b[i]));
  return ones;
}

__attribute__((target("avx512f,avx512vpopcntdq"))) std::size_t with_avx512(const std::uint64_t* a,
                                                                           const std::uint64_t* b, std::size_t n) {
  __m512i sum = _mm512_setzero_si512();
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    sum = _mm512_add_epi64(sum,
                           _mm512_popcnt_epi64(_mm512_and_si512(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i))));
  if (i < n) {
    const auto rest = static_cast<__mmask8>((1U << (n - i)) - 1);
    sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_maskz_loadu_epi64(rest, a + i),
                                                                     _mm512_maskz_loadu_epi64(rest, b + i))));
  }
  alignas(64) std::uint64_t parts[8];  // g++ 12 warns about its own _mm512_reduce_add_epi64
  _mm512_store_si512(parts, sum);
  std::size_t ones = 0;
  for (const std::uint64_t part : parts) ones += part;
  return ones;
}
#endif

Kernel best_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq")) return with_avx512;
  if (__builtin_cpu_supports("popcnt")) return with_popcnt;
#endif
  return plain;
}

}  // namespace

std::size_t count_ones_of_and(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
  static const Kernel kernel = best_kernel();
  return kernel(a, b, n);
}

}  // namespace beadwork
