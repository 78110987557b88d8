#pragma once
// Limits that come at a look at the clock, counted: the same on any machine.

#include <beadwork/base.hpp>

#include <memory>

namespace beadwork::testing_support {

class Looks {
 public:
  // Stops at look number `most` and from then on.
  Control stopping_at(std::size_t most) const {
    Control out;
    out.deadline = Deadline::never().counted(count_, static_cast<double>(most) - 0.5);
    return out;
  }
  Control never_stopping() const { return stopping_at(1'000'000'000); }
  std::size_t made() const { return static_cast<std::size_t>(count_->seconds() + 0.25); }

 private:
  std::shared_ptr<WorkCount> count_ = std::make_shared<WorkCount>(1'000'000'000);
};

}  // namespace beadwork::testing_support
