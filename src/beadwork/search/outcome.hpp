#pragma once
#include <beadwork/search/options.hpp>
#include <beadwork/search/prepared.hpp>
#include <beadwork/search/state.hpp>

#include <functional>
#include <optional>

namespace beadwork {

struct SearchStats {
  std::uint64_t nodes = 0;      // built
  std::uint64_t steps = 0;      // branches judged
  std::uint64_t evaluated = 0;  // sets counted exactly
  double seconds = 0;
};

struct SearchOutcome {
  SolveStatus status = SolveStatus::unknown;
  std::vector<Feature> features;  // increasing; empty if unknown
  std::int64_t error = 0;         // of these: the upper bound, unless the status is unknown
  std::int64_t lower_bound = 0;   // of every set allowed
  // Optimal, and the first of all optimal sets: the same for all seeds, kernels, numbers of threads and
  // interruptions. False where a limit came before that was settled; another run may then give another set.
  bool tie_canonical = false;
  SearchState state;  // order and done ranges, for certificates and for going on
  bool memory_limit_hit = false;
  bool cut_short = false;  // of local_search: a limit ended it before its last restart
  SearchStats stats;
};

// The functions below take a problem: see prepare.

// The best set. Among sets of least error the one whose increasing list of dataset features is
// lexicographically least. All sets compared have min(depth, distinct features allowed) members.
Result<SearchOutcome> search(const SearchProblem& problem, const SearchOptions& options, const Control& control);

// Greedy and best swap with restarts alone: no proof, and the set depends on the seed. The status is
// feasible, or optimal where the error equals what no set can avoid.
Result<SearchOutcome> local_search(const SearchProblem& problem, const SearchOptions& options, const Control& control);

// The least depth up to options.depth at which the error is what no set can avoid: 0, unless rows that agree on all
// allowed features disagree on the class. Infeasible if options.depth is not enough.
struct LeastDepth {
  SolveStatus status = SolveStatus::unknown;
  std::size_t depth = 0;  // or the last tried: no smaller one will do
  SearchOutcome outcome;  // at that depth, if it was found
};
Result<LeastDepth> least_depth(const SearchProblem& problem, const SearchOptions& options, const Control& control);

// Has some set at most this error? Optimal: yes; infeasible: no; unknown: the control came first. Quicker than `search`
// where the answer is no.
Result<SolveStatus> reaches(const SearchProblem& problem, const SearchOptions& options, std::int64_t error,
                            const Control& control);

// Sets near the optimum. With `best` the best sets in order of error, then of the list; with `within` all
// sets whose error is at most the optimum's plus that; with both the best of these, and no more of them are counted.
// Features that are equal up to complement count as one in `sets`; `copies` counts the choices among them.
struct NearOptions {
  std::size_t best = 0;                 // how many, or
  std::optional<std::int64_t> within;   // how far from the optimum
  std::size_t most = 100000;            // sets kept, the best ones; all are counted
  std::optional<std::int64_t> optimum;  // the least error, if it is proven already: spares its search
  // With `within`: called for each set as it is found, one at a time. Sets of more errors than it returns are of no
  // interest any more; they may be on the list, and are counted if they are.
  std::function<std::int64_t(const std::vector<Feature>&)> found;
};
struct NearSet {
  std::vector<Feature> features;
  std::int64_t error = 0;
  std::uint64_t copies = 1;
  friend bool operator==(const NearSet&, const NearSet&) = default;
};
struct NearOutcome {
  SolveStatus status = SolveStatus::unknown;  // optimal: the list and the counts are complete
  std::vector<NearSet> sets;                  // by error, then by list
  std::uint64_t num_sets = 0;                 // within; equals sets.size() for `best`
  std::uint64_t num_copies = 0;               // saturates at 2^64 - 1
  std::int64_t optimum = 0;
  std::int64_t lower_bound = 0;  // of the sets that a stopped search did not come to; at least the optimum
};
Result<NearOutcome> search_near(const SearchProblem& problem, const SearchOptions& options, const NearOptions& near,
                                const Control& control);
Result<NearOutcome> search_near(const Condensed& data, const SearchOptions& options, const NearOptions& near,
                                const Control& control);

// Is this state from the same data and options? Says what is wrong if not.
Status check_state(const SearchProblem& problem, const SearchOptions& options, const SearchState& state);

// What `beadcheck` verifies (docs/certificates.md), as text. From an optimal outcome: no set allowed has fewer errors,
// and these features reach that. From another: the lower bound alone. Outcome and options must belong to this dataset;
// an Error where there are costs, or weights so large that the checker could not add them.
Result<std::string> certificate(const Dataset& dataset, const SearchOptions& options, const SearchOutcome& outcome);

// Kernels that run here, portable last.
std::vector<Kernel> available_kernels();

}  // namespace beadwork
