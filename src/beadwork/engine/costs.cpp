#include <beadwork/engine/costs.hpp>

#include <algorithm>

namespace beadwork {
std::vector<std::int64_t> cell_merits(const Dataset& dataset, const std::vector<Feature>& features,
                                      const std::vector<std::int64_t>& costs) {
  if (costs.empty()) return count_cells(dataset, features);
  auto out = answer_costs(count_cells(dataset, features), dataset.num_classes(), costs);
  const auto classes = static_cast<std::ptrdiff_t>(dataset.num_classes());
  for (auto cell = out.begin(); cell != out.end(); cell += classes) {
    const std::int64_t most = *std::max_element(cell, cell + classes);
    std::transform(cell, cell + classes, cell, [&](std::int64_t cost) { return most - cost; });
  }
  return out;
}

std::int64_t set_cost(const Dataset& dataset, const std::vector<Feature>& features,
                      const std::vector<std::int64_t>& costs) {
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
