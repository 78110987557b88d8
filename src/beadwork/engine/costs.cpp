#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/held_cells.hpp>

#include <algorithm>

namespace beadwork {
std::int64_t set_cost(const Dataset& dataset, const std::vector<Feature>& features,
                      const std::vector<std::int64_t>& costs) {
  const bool sparse = dataset.num_classes() << features.size() > dataset.num_rows();
  if (sparse) return held_cells(dataset, features, costs)->cost;
  return cells_cost(count_cells(dataset, features), dataset.num_classes(), costs);
}

std::int64_t training_cost(const Dataset& dataset, const Diagram& diagram, const std::vector<std::int64_t>& costs) {
  if (costs.empty()) return training_errors(dataset, diagram);
  std::int64_t sum = 0;
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) {
    const Class answer = diagram.classify([&](Feature f) { return dataset.value(f, Row{r}); });
    sum += dataset.weight(Row{r}) * costs[dataset.label(Row{r})() * dataset.num_classes() + answer()];
  }
  return sum;
}

}  // namespace beadwork
