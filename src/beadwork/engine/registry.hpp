#pragma once
#include <beadwork/engine.hpp>

namespace beadwork {

Result<Found> learn_by_enumeration(const Dataset& dataset, const Options& options, const Control& control);

Result<Found> learn_by_maxsat(const Dataset& dataset, const Options& options, const Control& control);

Result<Found> learn_by_search(const Dataset& dataset, const Options& options, const Control& control);
Result<Found> learn_by_local_search(const Dataset& dataset, const Options& options, const Control& control);

}  // namespace beadwork
