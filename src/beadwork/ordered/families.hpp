#pragma once
// Cuts that are equal or opposite on all rows are a family, and its least allowed cut stands for it: the others are
// forbidden, and so are those of the family of a required cut.

#include <beadwork/ordered/problem.hpp>

namespace beadwork::ordered {

// Forbids all but one cut of each family. Returns for each column of the data how many its cuts stand for.
std::vector<std::vector<std::uint32_t>> merge_families(const RankedData& data, OrderedOptions& options,
                                                       const Control& control);

}  // namespace beadwork::ordered
