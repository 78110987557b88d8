#include <beadwork/base.hpp>

#include <fmt/format.h>

#include <latch>
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

}  // namespace

void in_threads(std::size_t n, const std::function<void(std::size_t)>& work, const Control& control) {
  const Threads others(n, work);
  others.warn(control);
  work(0);
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
