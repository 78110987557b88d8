#pragma once
#include "waiting.hpp"
#include <beadwork/evidence.hpp>

namespace beadwork::python {

// What learn found, with what happened meanwhile.
struct Learned {
  Request request;
  Outcome outcome;
  Waiting waiting;
  std::vector<ReportFacts::Moment> bounds;
};

}  // namespace beadwork::python
