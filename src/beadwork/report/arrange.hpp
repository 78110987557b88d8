#pragma once
// From a diagram whose nodes know their labels and sizes to a picture of it.
#include <beadwork/report.hpp>
#include <beadwork/report/layers.hpp>

#include <functional>
#include <string>
#include <vector>

namespace beadwork::report {

inline constexpr double kRadius = 18;  // half the height of every node
inline constexpr double kText = 12;    // of names; notes are smaller

// The name of a level, shortened as asked.
using LevelWords = std::function<std::string(std::size_t level, const Shorten&)>;

// Fills in positions, levels and edges of `layout`, which has its nodes with labels and sizes.
void arrange(const Diagram& diagram, const Levels& levels, const std::vector<double>& half_widths,
             const LevelWords& words, Layout& layout);

}  // namespace beadwork::report
