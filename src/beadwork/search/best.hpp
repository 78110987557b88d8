#pragma once
// The search for the best set, as the other questions use it.

#include <beadwork/search/outcome.hpp>
#include <beadwork/search/run/phase.hpp>

namespace beadwork::detail {

// Do these options go with the problem? A broken contract where it was prepared for other ones.
Status check_options(const SearchProblem& problem, const SearchOptions& options);
// What every question answers about a problem that is not complete.
SearchOutcome not_prepared(const SearchProblem& problem);

Result<SearchOutcome> run_search(const Problem& problem, const SearchOptions& options, const Control& control);
// The search for the best set in one range; `from` calls all others done, and what of it is done already. What it says
// is optimal is so in that range alone.
Result<SearchOutcome> run_part(const Problem& problem, const SearchOptions& options, const SearchState& from,
                               const SearchRange& part, const Control& control);
Status check_state(const Problem& problem, const SearchOptions& options, const SearchState& state);

}  // namespace beadwork::detail
