#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/held_cells.hpp>

#include <algorithm>
#include <bit>

namespace beadwork {
std::int64_t set_cost(const Dataset& dataset, const std::vector<Feature>& features,
                      const std::vector<std::int64_t>& costs) {
  const bool sparse = dataset.num_classes() << features.size() > dataset.num_rows();
  if (sparse) return held_cells(dataset, features, costs)->cost;
  return cells_cost(count_cells(dataset, features), dataset.num_classes(), costs);
}

namespace {

// Calls visit(row, answer) for every row, in no order; false where control said stop before the last. A small diagram
// parts 64 rows at a time.
template <class Visit>
bool for_answers(const Dataset& dataset, const Diagram& diagram, const Control& control, Visit visit) {
  constexpr std::size_t kSmall = 256, kWord = 64, kPoll = std::size_t{1} << 16;
  const std::size_t rows = dataset.num_rows();
  const auto ends = [&](std::size_t row) { return row % kPoll == 0 && row > 0 && control.stopping(); };
  if (diagram.size() > kSmall) {
    for (std::size_t r = 0; r < rows; ++r) {
      if (ends(r)) return false;
      visit(Row{r}, diagram.classify([&](Feature f) { return dataset.value(f, Row{r}); }));
    }
    return true;
  }
  std::vector<const BitColumn*> tested(diagram.size(), nullptr);
  for (std::size_t n = 0; n < diagram.size(); ++n)
    if (const DiagramNode& node = diagram.nodes()[n]; !node.sink) tested[n] = &dataset.column(node.feature);
  std::vector<std::uint64_t> here(diagram.size());  // of 64 rows, those that come to this node
  for (std::size_t first = 0; first < rows; first += kWord) {
    if (ends(first)) return false;
    std::fill(here.begin(), here.end(), 0);
    here[0] = rows - first >= kWord ? ~std::uint64_t{0} : (std::uint64_t{1} << (rows - first)) - 1;
    for (std::size_t n = 0; n < diagram.size(); ++n) {  // parents come before their children
      const DiagramNode& node = diagram.nodes()[n];
      if (node.sink) {
        for (std::uint64_t left = here[n]; left != 0; left &= left - 1)
          visit(Row{first + static_cast<std::size_t>(std::countr_zero(left))}, node.answer.value_or(Class{0}));
        continue;
      }
      const std::uint64_t passed = here[n] & (*tested[n])[first / kWord];
      here[node.high()] |= passed;
      here[node.low()] |= here[n] & ~passed;
    }
  }
  return true;
}

}  // namespace

std::int64_t training_cost(const Dataset& dataset, const Diagram& diagram, const std::vector<std::int64_t>& costs) {
  if (costs.empty()) return training_errors(dataset, diagram);
  std::int64_t sum = 0;
  for_answers(dataset, diagram, {}, [&](Row r, Class answer) {
    sum += dataset.weight(r) * costs[dataset.label(r)() * dataset.num_classes() + answer()];
  });
  return sum;
}

std::optional<std::int64_t> training_errors(const Dataset& dataset, const Diagram& diagram, const Control& control) {
  std::int64_t errors = 0;
  const bool all = for_answers(dataset, diagram, control, [&](Row r, Class answer) {
    if (answer != dataset.label(r)) errors += dataset.weight(r);
  });
  return all ? std::optional(errors) : std::nullopt;
}

std::int64_t training_errors(const Dataset& dataset, const Diagram& diagram) {
  return *training_errors(dataset, diagram, {});
}

}  // namespace beadwork
