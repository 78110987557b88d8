#pragma once
#include <beadwork/dataset/matrix.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace beadwork {

// What the rows of one class weigh in one cell; never 0.
struct CellWeight {
  std::uint32_t cell = 0;
  std::uint32_t label = 0;
  std::int64_t weight = 0;
  friend bool operator==(const CellWeight&, const CellWeight&) = default;
};

// As count_cells, but of the cells that hold rows alone, by cell and then by class: with many features few of the 2^H
// cells do, and few of the classes are in any of them. Nothing if control says stop.
std::optional<std::vector<CellWeight>> occupied_cells(const Dataset& dataset, std::span<const Feature> order,
                                                      const Control& control = {});

}  // namespace beadwork
