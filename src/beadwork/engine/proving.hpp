#pragma once
#include <beadwork/engine.hpp>
#include <beadwork/formula.hpp>

namespace beadwork {

// A fresh solve of `refuted`, without assumptions, whose DRAT proof goes to options.proof and the formula to the same name
// with .cnf; checked if options.check_proof. An Error where it cannot be proven in time, or the proof does not check.
Status write_proof(const Cnf& refuted, const Options& options, const Control& control);

}  // namespace beadwork
