#include <beadwork/search/kernel/choose.hpp>
#include <beadwork/search/outcome.hpp>

namespace beadwork {
namespace {

bool runs_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
#else
  return false;
#endif
}

bool runs_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq") &&
         __builtin_cpu_supports("gfni") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
#else
  return false;
#endif
}

}  // namespace

kernel::Tables detail::tables_for(Kernel kernel) {
  switch (kernel) {
    case Kernel::portable:
      return kernel::portable;
    case Kernel::avx2:
      return runs_avx2() ? kernel::avx2 : kernel::Tables{};
    case Kernel::avx512:
      return runs_avx512() ? kernel::avx512 : kernel::Tables{};
    case Kernel::automatic:
      break;
  }
  return tables_for(available_kernels().front());
}

Status detail::check_kernel(Kernel kernel) {
  if (tables_for(kernel).narrow == nullptr) return option_error("this processor has no such kernel", "kernel");
  return Done{};
}

std::vector<Kernel> available_kernels() {
  std::vector<Kernel> out;
  for (const Kernel k : {Kernel::avx512, Kernel::avx2, Kernel::portable})
    if (detail::check_kernel(k)) out.push_back(k);
  return out;
}

}  // namespace beadwork
