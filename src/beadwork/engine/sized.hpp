#pragma once
// What node counts take, over features and over sorted columns alike.
#include <beadwork/engine/registry.hpp>
#include <beadwork/smallest.hpp>

namespace beadwork {

// Errors per node in the user's units, as a fraction of the dataset's.
Result<NodePenalty> penalty_of(double price, std::int64_t total_weight, std::int64_t weight_scale,
                               std::int64_t cost_scale);

SetList list_of(const Front& front);

}  // namespace beadwork
