#pragma once
#include <beadwork/report.hpp>
#include <beadwork/report/layers.hpp>

#include <vector>

namespace beadwork::report {

// Curves for the routes of `layers` whose vertices stand at `x`, around the nodes of `layout`, which has its
// nodes and levels already.
void route_edges(const Layers& layers, const std::vector<double>& x, Layout& layout);

}  // namespace beadwork::report
