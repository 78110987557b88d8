#include <beadwork/base/control.hpp>

#include <chrono>

namespace beadwork {

double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace beadwork
