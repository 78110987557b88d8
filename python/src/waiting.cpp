#include "waiting.hpp"

#include <chrono>

namespace beadwork::python {

Control GilWait::control() {
  Control control;
  control.interrupt = &stop_;
  control.progress = [this](const Progress& p) {
    const std::lock_guard lock(mutex_);
    Moment moment{std::string(p.phase), p.share,   static_cast<double>(p.lower_bound) / scale_,
                  std::nullopt,         p.seconds, current_memory()};
    if (p.upper_bound) moment.upper_bound = static_cast<double>(*p.upper_bound) / scale_;
    latest_ = std::move(moment);
    return !stop_;
  };
  control.log = [this](LogLevel level, std::string_view text) {
    const std::lock_guard lock(mutex_);
    (level == LogLevel::warning ? waiting_.warnings : waiting_.notes).emplace_back(text);
  };
  return control;
}

void GilWait::wait(bool& done) {
  constexpr std::chrono::milliseconds kNap{50};
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kNap, [&] { return done; })) {
    lock.unlock();
    {
      nb::gil_scoped_acquire acquire;
      poll();
    }
    lock.lock();
  }
}

void GilWait::poll() {
  if (python_ends()) waiting_.stopped = stop_ = true;
  if (PyErr_CheckSignals() != 0) {
    if (keep_ && !waiting_.interrupted && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0) {
      PyErr_Clear();
      waiting_.interrupted = true;
      stop_ = true;
    } else {
      keep_error();
    }
  }
  std::optional<Moment> moment;
  {
    const std::lock_guard lock(mutex_);
    moment = std::exchange(latest_, std::nullopt);
  }
  if (moment && !error_) deliver(*std::move(moment));
}

void GilWait::deliver(Moment moment) {
  if (callback_.is_none()) return;
  try {
    const nb::object answer = callback_(std::move(moment));
    const int yes = PyObject_IsTrue(answer.ptr());
    if (yes < 0) return keep_error();
    if (yes > 0) waiting_.stopped = stop_ = true;
  } catch (nb::python_error& error) {
    error_.emplace(std::move(error));
    stop_ = true;
  }
}

void GilWait::keep_error() {
  error_.emplace();
  stop_ = true;
}

}  // namespace beadwork::python
