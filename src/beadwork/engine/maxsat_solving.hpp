#pragma once
#include <beadwork/engine/task.hpp>
#include <beadwork/maxsat.hpp>

namespace beadwork {

// What the engines that solve by MaxSAT share.

// By our own search from a starting point, or by the solver that the options name. All formulas of these engines have
// solutions, as any features make a diagram: "infeasible" is an Error.
Result<MaxsatOutcome> solve_as_asked(const Wcnf& wcnf, std::optional<Assignment> start, const FormulaOptions& options,
                                     const Control& control);
// Whose word the answer is: nothing for our own solver.
std::optional<std::string> solver_named(const FormulaOptions& options);
// The Error of an answer that cannot be: a bound above a known cost, an optimum that is none.
Error wrong_answer(const FormulaOptions& options);
// A model of the hard clauses in which these literals are true; nothing if there is none, or no time.
std::optional<Assignment> model_with(const Wcnf& wcnf, const std::vector<Lit>& literals, const Control& control);
// Adds to reported progress the errors that merging took out of the rows.
Control with_base(const Control& control, std::int64_t base_errors);

}  // namespace beadwork
