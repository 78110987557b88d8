#pragma once
// What node counts take, over features and over sorted columns alike.
#include <beadwork/engine/registry.hpp>
#include <beadwork/smallest.hpp>

namespace beadwork {

// A price of nodes in the user's units, as a fraction of the dataset's.
Result<NodePenalty> penalty_of(double price, const Prices& cost);

SetList list_of(const Front& front);

}  // namespace beadwork
