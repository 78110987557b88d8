#include <beadwork/dataset.hpp>

#include <algorithm>
#include <utility>

namespace beadwork {
namespace {

constexpr std::size_t kBlock = 4096;  // rows whose cells are found column by column

// The cell of each row.
std::optional<std::vector<std::uint32_t>> cells_of(const Dataset& dataset, std::span<const Feature> order,
                                                   Steps& steps) {
  std::vector<std::uint32_t> cells(dataset.num_rows(), 0U);
  for (std::size_t from = 0; from < cells.size(); from += kBlock) {
    const auto block = std::span(cells).subspan(from, std::min(kBlock, cells.size() - from));
    if (!steps.go_on(block.size() * (order.size() + 2))) return std::nullopt;
    for (const Feature f : order) {
      const auto words = std::span(dataset.column(f)).subspan(from / 64);
      for (std::size_t i = 0; i < block.size(); ++i) block[i] = block[i] << 1 | (bit(words, i) ? 1U : 0U);
    }
  }
  return cells;
}

// What the classes weigh in the rows of one cell, sorted by class, at their beginning; returns how many there are.
std::size_t add_up(std::span<CellWeight> rows, std::vector<std::int64_t>& by_class) {
  const std::uint32_t cell = rows.front().cell;
  std::size_t kept = 0;
  if (rows.size() > by_class.size()) {
    for (const CellWeight& row : rows) by_class[row.label] += row.weight;
    for (std::size_t k = 0; k < by_class.size(); ++k)
      if (by_class[k] != 0) rows[kept++] = {cell, static_cast<std::uint32_t>(k), std::exchange(by_class[k], 0)};
    return kept;
  }
  std::sort(rows.begin(), rows.end(), [](const CellWeight& a, const CellWeight& b) { return a.label < b.label; });
  for (const CellWeight row : rows) {
    if (row.weight == 0) continue;
    if (kept > 0 && rows[kept - 1].label == row.label)
      rows[kept - 1].weight += row.weight;
    else
      rows[kept++] = row;
  }
  return kept;
}

}  // namespace

// Rows are sorted by cell, by counting.
std::optional<std::vector<CellWeight>> occupied_cells(const Dataset& dataset, std::span<const Feature> order,
                                                      const Control& control) {
  require(order.size() <= 20, "occupied_cells: at most 20 features");
  for (const Feature f : order) require(f() < dataset.num_features(), "occupied_cells: features of the dataset");
  Steps steps(control);
  const auto cells = cells_of(dataset, order, steps);
  if (!cells) return std::nullopt;
  std::vector<std::size_t> next((std::size_t{1} << order.size()) + 1);  // of each cell, where its next row goes
  for (const std::uint32_t cell : *cells) ++next[cell + 1];
  for (std::size_t cell = 1; cell < next.size(); ++cell) next[cell] += next[cell - 1];
  std::vector<CellWeight> all(cells->size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (r % kBlock == 0 && !steps.go_on(10 * kBlock)) return std::nullopt;
    const auto label = static_cast<std::uint32_t>(dataset.label(Row{r})());
    all[next[(*cells)[r]]++] = {(*cells)[r], label, dataset.weight(Row{r})};
  }
  std::vector<std::int64_t> by_class(dataset.num_classes());
  std::size_t kept = 0;
  for (std::size_t from = 0; from < all.size();) {
    const std::size_t end = next[all[from].cell];  // where the next cell begins, by now
    if (!steps.go_on(10 * (end - from))) return std::nullopt;
    const auto rows = std::span(all).subspan(from, end - from);
    const std::size_t found = add_up(rows, by_class);
    std::copy_n(rows.begin(), found, all.begin() + static_cast<std::ptrdiff_t>(kept));
    kept += found;
    from = end;
  }
  all.resize(kept);
  return all;
}

}  // namespace beadwork
