#pragma once
#include <beadwork/engine/task.hpp>

#include <span>

namespace beadwork {

// The paper's constraint (3), "the root is a bead", on the counts of a set of features: what it costs, and
// how to obey it.

// 0, unless every cell is decided and for the same class: then the margin of the cell that is cheapest to
// flip.
std::int64_t bead_cost(std::span<const std::int64_t> counts, std::size_t num_classes);

// A decided table on these features whose root is a bead, with err(S) + bead_cost errors. Cells follow their
// branch where that suffices; an essential feature comes first. Needs at least one feature and two classes.
TruthTable bead_table(const Dataset& dataset, std::vector<Feature> features);

// A decided table by the paper's reading as an engine's answer: cells without rows are free, ties are not.
void answer_faithfully(EngineAnswer& found, const Dataset& dataset, TruthTable decided);

}  // namespace beadwork
