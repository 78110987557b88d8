#pragma once
#include "waiting.hpp"
#include <beadwork/fit.hpp>

#include <functional>

namespace beadwork::python {

// What learn found, with what happened meanwhile.
struct Learned {
  Request request;
  Outcome outcome;
  Waiting waiting;
  std::vector<ReportFacts::Moment> bounds;
  std::string rows_sha256 = {};  // of all rows, where the dataset at hand is not all of them
};

// Options by name, with the columns that they speak of.
Request request_of(const nb::dict& given);

// From an exchange to an outcome, with all that follows a search; `exchange` is asked once the work begins.
using OpenExchange = std::function<Result<Exchange>(const Request& request, const Control& control)>;
Learned learn_from(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                   const nb::object& callback, bool keep, const OpenExchange& open);

}  // namespace beadwork::python
