#pragma once
#include <beadwork/search/problem/problem.hpp>

namespace beadwork::detail {

// The tests of a CART (Breiman, Friedman, Olshen, Stone 1984) that is grown best-first, by the split that lowers the
// Gini impurity most, until the next one would need more than `most` tests. Of splits that gain alike, one whose test
// is in use already goes first, then the one of the first candidate. Stopped by the control, for time or memory, it
// returns what it has.
Candidates grow_cart(const Problem& problem, std::size_t most, const Control& control);

}  // namespace beadwork::detail
