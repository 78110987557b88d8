#pragma once
#include <beadwork/engine/task.hpp>

namespace beadwork {

// Option size: a front for each fold of the training rows, judged on the rows left out; then the best diagram of the
// size that did best. Folds run side by side where the request has several threads, and choose the same.
Result<Outcome> learn_at_chosen_size(const Dataset& dataset, const Request& request, const Control& control);

// A depth that is to be chosen: each of the range is learnt from the folds, by any engine, and judged in the same way.
Result<Outcome> learn_at_chosen_depth(const Dataset& dataset, const Request& request, const Control& control,
                                      const Exchange& exchange);

// The least depth without avoidable errors is looked for first, in half of the time.
Result<Outcome> learn_at_least_depth(const Dataset& dataset, const Request& request, const Control& control);

}  // namespace beadwork
