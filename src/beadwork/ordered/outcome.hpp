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
  OrderedStats stats;
};

// The best set. `infeasible`: a required column has no cut that is allowed, or more is required than depth allows for.
// Contract: columns and cuts named in the options exist.
Result<OrderedOutcome> search_ordered(const RankedData& data, const OrderedOptions& options, const Control& control);

// The incumbent alone: restarts of the local search until options.restarts or the control end it. `optimal` only where
// the error is what no set can avoid.
Result<OrderedOutcome> local_ordered(const RankedData& data, const OrderedOptions& options, const Control& control);

// Error of a set of cuts, required ones added, by plain partitioning.
Result<std::int64_t> cuts_error(const RankedData& data, const OrderedOptions& options, std::span<const Cut> cuts);

// What `beadcheck` verifies (docs/certificates.md, version 2), as text. From an optimal outcome: no set allowed errs by
// less, and these cuts reach it; else its lower bound. An Error where the checker cannot check such a claim.
Result<std::string> certificate(const RankedData& data, const OrderedOptions& options, const OrderedOutcome& outcome);

}  // namespace beadwork
