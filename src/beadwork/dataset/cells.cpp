#include <beadwork/dataset.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace beadwork {

Status check_cost_matrix(const CostMatrix& costs, std::size_t classes) {
  if (!costs.empty() && costs.size() != classes * classes)
    return option_error(fmt::format("expected {} x {} costs, got {} numbers", classes, classes, costs.size()), "costs");
  if (std::any_of(costs.begin(), costs.end(), [](std::int64_t c) { return c < 0; }))
    return option_error("a cost is negative", "costs");
  return Done{};
}

void add_costs(std::span<std::int64_t> answers, const CostMatrix& costs, std::span<const std::int64_t> weights) {
  if (costs.empty()) {
    const std::int64_t all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    for (std::size_t k = 0; k < answers.size(); ++k) answers[k] += all - weights[k];
    return;
  }
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0) add_costs(answers, costs, j, weights[j]);  // with many classes a cell has few of them
}

std::vector<std::int64_t> answer_costs(const CellCounts& counts, std::size_t classes, const CostMatrix& costs) {
  std::vector<std::int64_t> out(counts.size());
  for (std::size_t from = 0; from < counts.size(); from += classes)
    add_costs(std::span(out).subspan(from, classes), costs, std::span(counts).subspan(from, classes));
  return out;
}

Result<std::vector<std::int64_t>> row_costs(const Condensed& data, const CostMatrix& costs, const Control& control) {
  constexpr std::size_t kBetweenPolls = std::size_t{1} << 20;  // steps
  const std::size_t classes = data.num_classes;
  std::vector<std::int64_t> of_class(classes), out;
  for (std::size_t i = 0; i < data.class_weights.size(); ++i) of_class[i % classes] += data.class_weights[i];
  TRY_DONE(worst_total(of_class, costs));
  out.reserve(data.num_rows * classes);
  std::size_t steps = 0;
  for (std::size_t r = 0; r < data.num_rows; ++r) {
    out.resize((r + 1) * classes);  // a row at a time: there may be gigabytes
    const auto weights = std::span(data.class_weights).subspan(r * classes, classes);
    add_costs(std::span(out).subspan(r * classes, classes), costs, weights);
    const std::size_t present = classes - static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0));
    steps += classes * (costs.empty() ? 1 : 1 + present);
    if (steps < kBetweenPolls) continue;
    steps = 0;
    if (control.stopping()) return Error{ErrorCode::limit, "stopped while counting what its rows cost", {}};
  }
  return out;
}

std::int64_t least_costs(std::span<const std::int64_t> answers, std::size_t classes) {
  std::int64_t sum = 0;
  for (std::size_t from = 0; from < answers.size(); from += classes) {
    const auto cell = answers.subspan(from, classes);
    sum += *std::min_element(cell.begin(), cell.end());
  }
  return sum;
}

std::int64_t cells_cost(const CellCounts& counts, std::size_t classes, const CostMatrix& costs) {
  if (!costs.empty()) return least_costs(answer_costs(counts, classes, costs), classes);
  std::int64_t sum = 0;
  for (std::size_t from = 0; from < counts.size(); from += classes) {
    const auto cell = std::span(counts).subspan(from, classes);
    sum += std::accumulate(cell.begin(), cell.end(), std::int64_t{0}) - *std::max_element(cell.begin(), cell.end());
  }
  return sum;
}

CellCounts count_cells(const Dataset& dataset, std::span<const Feature> order) {
  require(order.size() <= 20, "count_cells: at most 20 features");
  for (const Feature f : order) require(f() < dataset.num_features(), "count_cells: features of the dataset");
  CellCounts counts(dataset.num_classes() << order.size());
  constexpr std::size_t kBlock = 4096;  // rows whose cells are found column by column
  std::array<std::uint32_t, kBlock> cells{};
  for (std::size_t from = 0; from < dataset.num_rows(); from += kBlock) {
    const std::size_t size = std::min(kBlock, dataset.num_rows() - from);
    std::fill_n(cells.begin(), size, 0U);
    for (const Feature f : order) {
      const auto words = std::span(dataset.column(f)).subspan(from / 64);
      part_cells(std::span(cells).first(size), [&](std::size_t i) { return bit(words, i); });
    }
    for (std::size_t i = 0; i < size; ++i) {
      const Row r{from + i};
      counts[cells[i] * dataset.num_classes() + dataset.label(r)()] += dataset.weight(r);
    }
  }
  return counts;
}

CellCounts without_feature(const CellCounts& counts, std::size_t classes, std::size_t features, std::size_t place) {
  const std::size_t run = (std::size_t{1} << (features - 1 - place)) * classes;  // cells that differ in later features
  CellCounts out;
  out.reserve(counts.size() / 2);
  for (std::size_t from = 0; from < counts.size(); from += 2 * run)
    for (std::size_t i = from; i < from + run; ++i) out.push_back(counts[i] + counts[i + run]);
  return out;
}

namespace {

std::uint64_t hashed_with(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * 0x9fb21c651e98df25ULL;
  return h ^ (h >> 32);
}

}  // namespace

// The hash table holds the first row of each number and no keys: a map of a million nodes would take more memory than
// the data.
std::uint32_t renumber(std::vector<std::uint32_t>& number, const std::vector<std::uint64_t>& bits) {
  const std::size_t rows = bits.size(), mask = std::bit_ceil(2 * rows) - 1;
  std::vector<std::uint32_t> slots(mask + 1, UINT32_MAX), out(rows);
  std::uint32_t count = 0;
  for (std::uint32_t r = 0; r < rows; ++r) {
    std::size_t at = hashed_with(hashed_with(0x13198a2e03707344ULL, number[r]), bits[r]) & mask;
    while (slots[at] != UINT32_MAX && (number[slots[at]] != number[r] || bits[slots[at]] != bits[r]))
      at = (at + 1) & mask;
    if (slots[at] == UINT32_MAX) {
      slots[at] = r;
      out[r] = count++;
    } else {
      out[r] = out[slots[at]];
    }
  }
  number = std::move(out);
  return count;
}

}  // namespace beadwork
