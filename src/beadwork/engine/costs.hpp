#pragma once
#include <beadwork/engine/task.hpp>

namespace beadwork {

// For each cell and class something that is largest for the class that costs least, and that adds up over cells;
// without costs the weight of each class. What truth tables are made from.
std::vector<std::int64_t> cell_merits(const Dataset& dataset, const std::vector<Feature>& features,
                                      const std::vector<std::int64_t>& costs);

// Cost of the best function of these features, by counting cells: shared with no engine.
std::int64_t set_cost(const Dataset& dataset, const std::vector<Feature>& features,
                      const std::vector<std::int64_t>& costs);
// Cost of a diagram, row by row.
std::int64_t training_cost(const Dataset& dataset, const Diagram& diagram, const std::vector<std::int64_t>& costs);

}  // namespace beadwork
