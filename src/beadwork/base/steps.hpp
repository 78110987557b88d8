#pragma once
#include <beadwork/base/control.hpp>

#include <cstdint>

namespace beadwork {

// Looks at a control now and then, while it is told how much work is done: after some milliseconds of it, so that what
// takes no time is never stopped.
class Steps {
 public:
  explicit Steps(const Control& control) : control_(&control) {}
  // So many steps more, of about a nanosecond; false from where it is time to stop.
  bool go_on(std::uint64_t steps) {
    since_ += steps;
    if (since_ >= kBetweenPolls && !stopped_) poll();
    return !stopped_;
  }

 private:
  static constexpr std::uint64_t kBetweenPolls = 4'000'000;
  void poll() {
    control_->count(since_);
    since_ = 0;
    stopped_ = control_->stopping();
  }
  const Control* control_;
  std::uint64_t since_ = 0;
  bool stopped_ = false;
};

}  // namespace beadwork
