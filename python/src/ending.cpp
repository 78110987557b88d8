#include "ending.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace beadwork::python {
namespace {

std::atomic<bool> ends = false;
std::atomic<int> without_gil = 0;  // threads; changed with the GIL

void wait_for_all() {
  constexpr std::chrono::milliseconds kNap{5};
  ends = true;
  if (without_gil > 0) nb::set_leak_warnings(false);  // threads that Python ends keep what they have
  while (without_gil > 0) {
    {
      const nb::gil_scoped_release release;
      std::this_thread::sleep_for(kNap);
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

}  // namespace

Released::Released() {
  if (ends) return;
  ++without_gil;
  release_.emplace();
}

Released::~Released() {
  if (!release_) return;
  release_.reset();
  --without_gil;
}

bool python_ends() {
  return ends;
}

void watch_the_end() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&wait_for_all));
  // A child has none of its parent's threads.
  nb::module_::import_("os").attr("register_at_fork")(nb::arg("after_in_child") =
                                                          nb::cpp_function([] { without_gil = 0; }));
}

}  // namespace beadwork::python
