#include <beadwork/search/run/together.hpp>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

namespace beadwork::detail {
namespace {
// What oneTBB's own waiting does as well, where the thread sanitizer sees it: what was done before a hand-over is seen
// by who takes over.
std::atomic<std::size_t> handed_over{0};
}  // namespace

void together(std::size_t n, const std::function<void(std::size_t)>& work) {
  std::exception_ptr thrown;
  std::mutex mutex;
  const auto guarded = [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      const std::lock_guard guard(mutex);
      if (thrown == nullptr) thrown = std::current_exception();
    }
  };
  if (n == 1) return work(0);
  // oneTBB warns on stderr where more are asked for than there are cores, and makes no more.
  const auto cores = static_cast<std::size_t>(tbb::info::default_concurrency());
  const tbb::global_control as_asked(tbb::global_control::max_allowed_parallelism, std::max(n, cores));
  tbb::task_arena arena(static_cast<int>(n));
  arena.execute([&] {
    tbb::task_group group;
    handed_over.fetch_add(1, std::memory_order_release);
    for (std::size_t i = 1; i < n; ++i)
      group.run([&guarded, i] {
        handed_over.load(std::memory_order_acquire);
        guarded(i);
        handed_over.fetch_add(1, std::memory_order_release);
      });
    guarded(0);
    group.wait();
  });
  handed_over.load(std::memory_order_acquire);
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

}  // namespace beadwork::detail
