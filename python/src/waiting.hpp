#pragma once
// A long computation while Python stays alive: the work runs in a thread of its own without the GIL; the calling thread
// wakes up now and then to let Python handle signals and to hand progress to the callback.
#include "ending.hpp"
#include <beadwork/base.hpp>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace beadwork::python {

// A moment of the computation, as the callback gets it. Bounds are in the dataset's units until divided.
struct Moment {
  std::string phase;
  double share = 0;
  double lower_bound = 0;
  std::optional<double> upper_bound;
  double seconds = 0;
  std::size_t memory = 0;
};

// What happened meanwhile, besides the result.
struct Waiting {
  bool interrupted = false;  // by a Ctrl-C that was not raised
  bool stopped = false;      // by the callback
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

class GilWait {
 public:
  // Ctrl-C raises KeyboardInterrupt; where `keep` is set, the first one asks for the best so far instead.
  GilWait(nb::object callback, double scale, bool keep = false)
      : callback_(std::move(callback)), scale_(scale), keep_(keep) {}

  // What the work is given.
  Control control();
  template <class Work>
  auto run(Work work) -> decltype(work(Control{}));
  Waiting& waiting() { return waiting_; }

 private:
  void wait(bool& done);
  void poll();  // with the GIL: signals and progress
  void deliver(Moment moment);
  void keep_error();  // the Python error of now, to be raised when the work has ended

  nb::object callback_;
  double scale_;
  bool keep_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::optional<Moment> latest_;
  std::optional<nb::python_error> error_;
  Waiting waiting_;
};

template <class Work>
auto GilWait::run(Work work) -> decltype(work(Control{})) {
  if (python_ends()) throw std::runtime_error("Python is ending");
  std::optional<decltype(work(Control{}))> result;
  std::exception_ptr failure;
  bool done = false;
  {
    const Released released;
    std::thread worker([&] {
      try {
        result.emplace(work(control()));
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done = true;
      ended_.notify_one();
    });
    wait(done);
    worker.join();
  }
  if (latest_ && !error_) deliver(*std::exchange(latest_, std::nullopt));
  if (error_) throw nb::python_error(std::move(*error_));
  if (failure) std::rethrow_exception(failure);
  return *std::move(result);
}

}  // namespace beadwork::python
