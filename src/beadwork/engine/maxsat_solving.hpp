#pragma once
#include <beadwork/engine.hpp>
#include <beadwork/maxsat.hpp>

namespace beadwork {

// What the engines that solve by MaxSAT share.

Status check_form(const Options& options);  // options.wcnf_format is one that we know
// By our own search from a starting point, or by the solver that the options name.
Result<MaxsatOutcome> solve_as_asked(const Wcnf& wcnf, std::optional<Assignment> start,
                                     const Options& options, const Control& control);
// A model of the hard clauses in which these literals are true; nothing if there is none, or no time.
std::optional<Assignment> model_with(const Wcnf& wcnf, const std::vector<Lit>& literals,
                                     const Control& control);
// Progress reported with so many errors more: those that merging took out of the rows.
Control with_base(const Control& control, std::int64_t base_errors);

}  // namespace beadwork
