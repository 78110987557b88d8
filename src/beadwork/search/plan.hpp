#pragma once
#include <beadwork/search/outcome.hpp>

namespace beadwork {

// One search divided among many runs, that need not know of each other.
//
//   auto plan = plan_search(problem, options, 256, control);
//   for (std::size_t i = 0; i < 256; ++i) done.push_back({i, search_part(problem, options, *plan, i, control)->state});
//   auto merged = merge_parts(*plan, done);
//   options.resume = &merged->state;                 // in merged->missing is what is left, if anything
//   auto outcome = search(problem, options, control);  // the answer of an undivided search
//
// Parts may run in any order, anywhere, more than once. Each starts from the plan's incumbent; better ones travel by
// options.exchange, if the host has a way. The answer is that of an undivided search: where tie_canonical says so, the
// same set.
struct SearchPlan {
  SearchState start;               // the order of positions, and the incumbent; nothing is done
  std::vector<SearchRange> parts;  // in order; together they are all sets. A part may be empty
  std::vector<double> work;        // of each: its share of the work, as estimated
  friend bool operator==(const SearchPlan&, const SearchPlan&) = default;
};

// An incumbent by local search, and so many parts of about equal estimated work: no part is cut finer than by three
// positions, so where there is little to do the last ones are empty. Costs at most about a thirtieth of the search, or
// a second. An Error of code limit where the control ends it.
Result<SearchPlan> plan_search(const SearchProblem& problem, const SearchOptions& options, std::size_t num_parts,
                               const Control& control);

struct PartOutcome {
  SearchState state;      // done ranges lie in the part; lower_bound is of the part's sets alone
  bool complete = false;  // the part is done
  bool memory_limit_hit = false;
  SearchStats stats;
};
// One part of a plan for the same data and options. options.resume: an earlier state of this part; options.checkpoint
// is given such states. An Error about `resume` where plan or state belong to other data or options.
Result<PartOutcome> search_part(const SearchProblem& problem, const SearchOptions& options, const SearchPlan& plan,
                                std::size_t part, const Control& control);
bool is_empty(const SearchPlan& plan, std::size_t part);

// Lines of text with a checksum at the end; parse refuses anything that is damaged, and ranges that do not tile.
std::string to_text(const SearchPlan& plan);
Result<SearchPlan> parse_search_plan(std::string_view text);

struct PartState {
  std::size_t part = 0;
  SearchState state;
};
struct MergedParts {
  SearchState state;                 // of the whole search, to resume from
  std::vector<std::size_t> missing;  // parts that are not done, increasing
  std::vector<SearchRange> left;     // what of them is not done
};
// An Error where a state is none of the plan's, or says more than its part.
Result<MergedParts> merge_parts(const SearchPlan& plan, const std::vector<PartState>& states);

}  // namespace beadwork
