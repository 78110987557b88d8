#pragma once
#include <beadwork/ordered/options.hpp>

namespace beadwork {

enum class OrderedStatus { optimal, feasible, infeasible };

struct OrderedStats {
  std::uint64_t boxes = 0;      // evaluated
  std::uint64_t nodes = 0;      // of the tree whose rows were sorted anew
  std::uint64_t row_steps = 0;  // rows passed by sweeps, the incumbent's and the first set's included
  std::uint64_t passes = 0;     // over the tree, each with a higher limit
  double local_seconds = 0;     // for the incumbent
  double first_seconds = 0;     // for the first optimal set
  double seconds = 0;
};

struct OrderedOutcome {
  OrderedStatus status = OrderedStatus::feasible;
  std::vector<Cut> cuts;         // increasing, required ones included
  std::int64_t error = 0;        // of these: the upper bound
  std::int64_t lower_bound = 0;  // of every set allowed
  bool first = false;            // the set is the first optimal one
  bool memory_limit_hit = false;
  bool cut_short = false;  // of local_ordered: the control ended it before its last restart
  OrderedStats stats;
};

// The best set. `infeasible`: a required column has no cut that is allowed, or more is required than depth allows for.
// Contract: columns and cuts named in the options exist.
Result<OrderedOutcome> search_ordered(const RankedData& data, const OrderedOptions& options, const Control& control);

// The incumbent alone: restarts of the local search until effort.restarts or the control end it. `optimal` only where
// the error is what no set can avoid.
Result<OrderedOutcome> local_ordered(const RankedData& data, const OrderedOptions& options, const Control& control);

// Sets near the optimum, all of as many cuts as there may be: min(depth, cuts that differ).
struct OrderedNear {
  std::size_t best = 0;                // how many, or
  std::optional<std::int64_t> within;  // how far from the optimum
  std::size_t most = 100000;           // sets kept, the best ones; all are counted
  std::size_t most_smaller = 200000;   // sets of fewer cuts that err as little, of each size: see NearCuts::idle
};
// Cuts that are equal or opposite on all rows count as one, the first of them; `copies` counts the choices.
struct NearCuts {
  struct Set {
    std::vector<Cut> cuts;  // increasing, required ones included
    std::int64_t error = 0;
    std::uint64_t copies = 1;
    friend bool operator==(const Set&, const Set&) = default;
  };
  std::vector<Set> sets;         // by error, then by list
  std::uint64_t num_sets = 0;    // within; equals sets.size() for `best`
  std::uint64_t num_copies = 0;  // saturates at 2^64 - 1
  bool complete = false;         // the list and the counts
  // Sets of fewer cuts err by no more than what is wanted, and with any cuts more they make too many sets. The least
  // error of those; what is listed are the sets with smaller errors.
  std::optional<std::int64_t> idle;
  bool memory_limit_hit = false;
};

// `best`: what search_ordered says to the same options; nothing is listed unless it is optimal. Contract: no column is
// required.
Result<NearCuts> near_ordered(const RankedData& data, const OrderedOptions& options, const OrderedNear& near,
                              const OrderedOutcome& best, const Control& control);

// Error of a set of cuts, required ones added, by plain partitioning.
Result<std::int64_t> cuts_error(const RankedData& data, const OrderedOptions& options, std::span<const Cut> cuts);

// What `beadcheck` verifies (docs/certificates.md, version 2), as text. From an optimal outcome: no set allowed errs by
// less, and these cuts reach it; else its lower bound. An Error where the checker cannot check such a claim.
Result<std::string> certificate(const RankedData& data, const OrderedOptions& options, const OrderedOutcome& outcome);

}  // namespace beadwork
