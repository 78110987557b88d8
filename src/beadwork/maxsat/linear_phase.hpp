#pragma once
#include "beadwork/maxsat/core_phase.hpp"

namespace beadwork {

// Solution-improving search on what the core phase left: one bound on the remaining objective, tightened
// below each new model until there is none.
PhaseEnd linear_phase(Search& search, CorePhase& cores);

}  // namespace beadwork
