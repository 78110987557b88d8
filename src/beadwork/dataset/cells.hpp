#pragma once
#include <beadwork/dataset/condensed.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwork {

// The cells that a set of features parts the rows into, and what answers cost there.

using FeatureSet = std::vector<Feature>;       // increasing
using CellCounts = std::vector<std::int64_t>;  // weight of each class in each cell: cell * classes + class
using CostMatrix = std::vector<std::int64_t>;  // of answering k for class j: j * classes + k; empty: each error costs 1

// An Error unless there are as many costs as there should be (or none), and none is negative.
Status check_cost_matrix(const CostMatrix& costs, std::size_t classes);

// Adds what each answer costs for rows of one class.
inline void add_costs(std::span<std::int64_t> answers, const CostMatrix& costs, std::size_t label,
                      std::int64_t weight) {
  const std::size_t classes = answers.size();
  for (std::size_t k = 0; k < classes; ++k)
    answers[k] += weight * (costs.empty() ? std::int64_t{k != label} : costs[label * classes + k]);
}
// The same for rows of all classes.
void add_costs(std::span<std::int64_t> answers, const CostMatrix& costs, std::span<const std::int64_t> weights);

// What each answer costs in each cell: cell * classes + answer.
std::vector<std::int64_t> answer_costs(const CellCounts& counts, std::size_t classes, const CostMatrix& costs);
// The same for distinct rows: row * classes + answer. An Error where they cost too much together, and where the control
// stops.
Result<std::vector<std::int64_t>> row_costs(const Condensed& data, const CostMatrix& costs,
                                            const Control& control = {});
// The sum over cells of what the cheapest answer costs there.
std::int64_t least_costs(std::span<const std::int64_t> answers, std::size_t classes);
// Both in one: what the best answer in every cell costs.
std::int64_t cells_cost(const CellCounts& counts, std::size_t classes, const CostMatrix& costs);

// Weight of each class in each of the 2^H cells of an ordered list of features; the first is the most significant bit
// of the cell's number. At most 20 features.
CellCounts count_cells(const Dataset& dataset, std::span<const Feature> order);
// The counts of cells without the feature at `place` of `features`.
CellCounts without_feature(const CellCounts& counts, std::size_t classes, std::size_t features, std::size_t place);
// The set without one feature that is not in `kept`, for each of these in turn: visit(smaller, count), where count()
// gives its counts.
template <class Visit>
void each_smaller(const FeatureSet& set, const CellCounts& counts, std::size_t classes, const FeatureSet& kept,
                  Visit&& visit) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (std::binary_search(kept.begin(), kept.end(), set[i])) continue;
    FeatureSet smaller = set;
    smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
    visit(smaller, [&] { return without_feature(counts, classes, set.size(), i); });
  }
}

// Cells by one feature more, in place: cell becomes 2 * cell + value(row).
template <class Value>
void part_cells(std::span<std::uint32_t> cell, Value&& value) {
  for (std::size_t r = 0; r < cell.size(); ++r) cell[r] = cell[r] << 1 | static_cast<std::uint32_t>(value(r));
}
// The same, but cells that hold rows are numbered densely by their first rows; returns how many there are then.
template <class Value>
std::uint32_t refine_cells(std::span<std::uint32_t> cell, std::size_t num_cells, Value&& value) {
  std::vector<std::uint32_t> number(2 * num_cells, UINT32_MAX);
  std::uint32_t next = 0;
  for (std::size_t r = 0; r < cell.size(); ++r) {
    std::uint32_t& n = number[2 * std::size_t{cell[r]} + (value(r) ? 1 : 0)];
    if (n == UINT32_MAX) n = next++;
    cell[r] = n;
  }
  return next;
}
// By up to 64 features at once: numbers rows by their old number and their bits, in order of first appearance; returns
// how many numbers there are.
std::uint32_t renumber(std::vector<std::uint32_t>& number, const std::vector<std::uint64_t>& bits);

}  // namespace beadwork
