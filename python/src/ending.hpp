#pragma once
// Work without the GIL, and the end of Python. Once Python ends, a thread that asks for the GIL is ended where it
// stands, which code like this cannot be: the process would abort. So Python is made to wait until nobody here is
// without the GIL.
#include "bindings.hpp"

#include <optional>

namespace beadwork::python {

// Without the GIL as long as this lives; once Python has begun to end, with it.
class Released {
 public:
  Released();
  ~Released();
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  std::optional<nb::gil_scoped_release> release_;
};

// Has Python begun to end? Then work is to stop.
bool python_ends();

// Has Python call us when it begins to end.
void watch_the_end();

}  // namespace beadwork::python
