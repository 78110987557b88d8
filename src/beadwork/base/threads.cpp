#include <beadwork/base.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <latch>
#include <mutex>
#include <optional>
#include <sched.h>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace beadwork {
namespace {

// The threads of a call, for as long as it lives.
class Threads {
 public:
  Threads(std::size_t n, const std::function<void(std::size_t)>& work) : wanted_(n) {
    try {
      for (others_.reserve(n); size() < n;) others_.emplace_back(work, size());
    } catch (const std::system_error&) {  // the system has no more
    }
  }
  std::size_t size() const { return others_.size() + 1; }
  void warn(const Control& control) const {
    if (size() < wanted_)
      control.warn(fmt::format("only {} of {} threads can be started; the work takes longer", size(), wanted_));
  }

 private:
  std::size_t wanted_;
  std::vector<std::jthread> others_;
};

// The words of a small file.
std::vector<std::string> words_in(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> out;
  for (std::string word; out.size() < 2 && file >> word;) out.push_back(word);
  return out;
}

}  // namespace

std::optional<double> quota_of_container(const std::string& folder) {
  std::vector<std::string> words = words_in(folder + "/cpu.max");  // "max 100000", or microseconds of every period
  if (words.size() < 2) {
    words = words_in(folder + "/cpu/cpu.cfs_quota_us");  // -1: no limit
    words.resize(1);
    const auto period = words_in(folder + "/cpu/cpu.cfs_period_us");
    words.insert(words.end(), period.begin(), period.end());
  }
  if (words.size() < 2) return {};
  const auto time = parse_number(words[0]), period = parse_number(words[1]);
  return time && period && *time > 0 && *period > 0 ? std::optional(*time / *period) : std::nullopt;
}

std::size_t processors_here() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const bool told = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0;  // not where there are more than 1,024
  std::size_t n = told ? static_cast<std::size_t>(CPU_COUNT(&allowed)) : std::thread::hardware_concurrency();
  n = std::max<std::size_t>(1, n);
  if (const auto quota = quota_of_container("/sys/fs/cgroup"))
    n = std::min(n, static_cast<std::size_t>(std::clamp(std::ceil(*quota), 1.0, 1e6)));
  return n;
}

void together(std::size_t n, const std::function<void(std::size_t)>& work, const Control& control) {
  if (n < 2) return work(0);
  std::exception_ptr thrown;
  std::mutex mutex;
  const std::function<void(std::size_t)> guarded = [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      const std::lock_guard guard(mutex);
      if (thrown == nullptr) thrown = std::current_exception();
    }
  };
  {
    const Threads others(n, guarded);
    others.warn(control);
    guarded(0);
  }
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

std::size_t threads_to_have(std::size_t n, const Control& control) {
  if (n < 2) return n;
  std::latch all_asked{1};
  const Threads others(n, [&](std::size_t) { all_asked.wait(); });
  all_asked.count_down();
  others.warn(control);
  return others.size();
}

}  // namespace beadwork
