#pragma once
#include <beadwork/engine/task.hpp>

namespace beadwork {

// Cost of the best function of these features, by counting cells: shared with no engine.
std::int64_t set_cost(const Dataset& dataset, const std::vector<Feature>& features,
                      const std::vector<std::int64_t>& costs);
// Cost of a diagram, row by row.
std::int64_t training_cost(const Dataset& dataset, const Diagram& diagram, const std::vector<std::int64_t>& costs);

}  // namespace beadwork
