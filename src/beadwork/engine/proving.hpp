#pragma once
#include <beadwork/engine.hpp>
#include <beadwork/formula.hpp>

namespace beadwork {

// The DRAT proof of a fresh solve of `refuted`, without assumptions; checked by our own checker if `check`. An Error
// where it cannot be proven in time, or the proof does not check; one that names the solver that was asked before, if
// what it refuted has a solution.
Result<DratProof> prove(const Cnf& refuted, bool check, const FormulaOptions& how, const Control& control);

}  // namespace beadwork
