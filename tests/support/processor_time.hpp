#pragma once
// Seconds that this process has worked since then: the same whatever else the machine does.

#include <ctime>

namespace beadwork::testing_support {

class ProcessorTime {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    std::timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  double start_ = now();
};

}  // namespace beadwork::testing_support
