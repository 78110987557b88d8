#pragma once
#include <beadwork/heuristic/oblivious.hpp>

namespace beadwork {

// What ends every construction: an edge to an unknown leaf goes where the heaviest sibling goes, nodes whose edges
// share their target are taken out, the rest is numbered breadth-first. `nodes` may hold ones that nothing leads to.
ObliviousGraph finished(ObliviousGraph graph);

}  // namespace beadwork
