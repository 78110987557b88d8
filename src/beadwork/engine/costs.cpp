#include <beadwork/engine/costs.hpp>

#include <algorithm>
#include <numeric>

namespace beadwork {
namespace {

// What each answer costs in each cell. With many classes a cell has few of them.
std::vector<std::int64_t> cell_costs(const std::vector<std::int64_t>& counts, std::size_t classes,
                                     const std::vector<std::int64_t>& costs) {
  std::vector<std::int64_t> out(counts.size(), 0);
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (std::size_t k = 0; k < classes && counts[i] != 0; ++k)
      out[i / classes * classes + k] += counts[i] * costs[i % classes * classes + k];
  return out;
}

// Where each error costs 1.
std::int64_t cells_errors(const std::vector<std::int64_t>& counts, std::size_t classes) {
  const auto width = static_cast<std::ptrdiff_t>(classes);
  std::int64_t sum = 0;
  for (auto cell = counts.begin(); cell != counts.end(); cell += width)
    sum += std::accumulate(cell, cell + width, std::int64_t{0}) - *std::max_element(cell, cell + width);
  return sum;
}

}  // namespace

std::vector<std::int64_t> cell_merits(const Dataset& dataset, const std::vector<Feature>& features,
                                      const std::vector<std::int64_t>& costs) {
  if (costs.empty()) return count_cells(dataset, features);
  auto out = cell_costs(count_cells(dataset, features), dataset.num_classes(), costs);
  const auto classes = static_cast<std::ptrdiff_t>(dataset.num_classes());
  for (auto cell = out.begin(); cell != out.end(); cell += classes) {
    const std::int64_t most = *std::max_element(cell, cell + classes);
    std::transform(cell, cell + classes, cell, [&](std::int64_t cost) { return most - cost; });
  }
  return out;
}

std::int64_t cells_cost(const std::vector<std::int64_t>& counts, std::size_t classes,
                        const std::vector<std::int64_t>& costs) {
  if (costs.empty()) return cells_errors(counts, classes);
  const auto of_cells = cell_costs(counts, classes, costs);
  const auto width = static_cast<std::ptrdiff_t>(classes);
  std::int64_t sum = 0;
  for (auto cell = of_cells.begin(); cell != of_cells.end(); cell += width)
    sum += *std::min_element(cell, cell + width);
  return sum;
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
