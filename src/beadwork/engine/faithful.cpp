#include <beadwork/engine/faithful.hpp>

#include <algorithm>
#include <limits>

namespace beadwork {
namespace {

struct Flip {
  std::size_t cell = 0;
  Class to;
  std::int64_t cost = std::numeric_limits<std::int64_t>::max();
};

// The cheapest way to give one cell another class than the one that `table` allows first: free for a free
// cell.
Flip cheapest_flip(std::span<const std::int64_t> counts, std::size_t num_classes, Class from) {
  Flip best;
  for (std::size_t cell = 0; cell * num_classes < counts.size(); ++cell) {
    const auto c = counts.subspan(cell * num_classes, num_classes);
    for (std::size_t k = 0; k < num_classes; ++k)
      if (const std::int64_t cost = c[from()] - c[k]; k != from() && cost < best.cost) best = {cell, Class{k}, cost};
  }
  return best;
}

// The class that all cells have alone, if there is one.
std::optional<Class> forced_constant(const TruthTable& table) {
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell)
    if (!table.decided(cell) || !table.cells_equal(0, cell)) return std::nullopt;
  return table.first_allowed(0);
}

std::vector<Feature> numbered(std::size_t n) {
  std::vector<Feature> out;
  for (std::size_t i = 0; i < n; ++i) out.emplace_back(i);
  return out;
}

}  // namespace

std::int64_t bead_cost(std::span<const std::int64_t> counts, std::size_t num_classes) {
  std::size_t depth = 0;
  while ((num_classes << depth) < counts.size()) ++depth;
  const auto constant = forced_constant(TruthTable::from_counts(numbered(depth), num_classes, counts));
  return constant ? cheapest_flip(counts, num_classes, *constant).cost : 0;
}

TruthTable bead_table(const Dataset& dataset, std::vector<Feature> features) {
  const std::size_t classes = dataset.num_classes();
  require(!features.empty() && classes >= 2, "bead_table: a feature and two classes at least");
  const Subtable whole{0, 0, std::size_t{1} << features.size()};
  for (std::size_t first = 0; first < features.size(); ++first) {
    std::vector<Feature> order = features;
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first),
                order.begin() + static_cast<std::ptrdiff_t>(first) + 1);
    const auto counts = count_cells(dataset, order);
    TruthTable table = fill_by_branch(TruthTable::from_counts(std::move(order), classes, counts), counts);
    if (is_bead(table, whole)) return table;
  }
  // Constant in every order. One odd cell makes the function depend on every feature.
  const auto counts = count_cells(dataset, features);
  TruthTable table = fill_by_branch(TruthTable::from_counts(std::move(features), classes, counts), counts);
  const Flip flip = cheapest_flip(counts, classes, table.first_allowed(0));
  table.decide(flip.cell, flip.to);
  return table;
}

void answer_faithfully(EngineAnswer& found, const Dataset& dataset, TruthTable decided) {
  const std::size_t classes = dataset.num_classes();
  const auto counts = count_cells(dataset, decided.order());
  TruthTable table(decided.order(), classes);
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell) {
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(cell * classes);
    if (std::any_of(first, first + static_cast<std::ptrdiff_t>(classes), [](std::int64_t n) { return n != 0; }))
      table.decide(cell, decided.first_allowed(cell));
  }
  found.table = std::move(table);
  found.decided = std::move(decided);
  found.root_is_bead = true;
  found.exactly = true;
}

}  // namespace beadwork
