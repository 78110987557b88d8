#pragma once
#include <beadwork/engine.hpp>

namespace beadwork {

// What answers cost, in integers: the cost of answering k for a row of class j, times `scale`, at j * num_classes + k. No
// costs: every error costs 1.
struct CostMatrix {
  std::vector<std::int64_t> costs;
  std::int64_t scale = 1;
};
// From options.costs: as many numbers as num_classes squared, in that order.
Result<CostMatrix> cost_matrix(const Dataset& dataset, const Options& options);

// For each cell and class something that is largest for the class that costs least, and that adds up over cells; without
// costs the weight of each class. What truth tables are made from.
std::vector<std::int64_t> cell_merits(const Dataset& dataset, const std::vector<Feature>& features,
                                      const std::vector<std::int64_t>& costs);

// Cost of the best function of these features, by counting cells: shared with no engine.
std::int64_t set_cost(const Dataset& dataset, const std::vector<Feature>& features,
                      const std::vector<std::int64_t>& costs);
// Cost of a diagram, row by row.
std::int64_t training_cost(const Dataset& dataset, const Diagram& diagram,
                           const std::vector<std::int64_t>& costs);

}  // namespace beadwork
