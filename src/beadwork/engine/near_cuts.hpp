#pragma once
// The sets near the best one over every threshold: options top and within.
#include <beadwork/engine/task.hpp>
#include <beadwork/ordered.hpp>

namespace beadwork {

// `best` answers the same options. By sorted columns; where a set of fewer tests does as well, so that any threshold
// makes one more, by features. `memory_limit_hit` also where these would be too many.
Result<NearCuts> list_near_cuts(const std::shared_ptr<const RankedData>& data, const OrderedOptions& options,
                                const NearOptions& near, const OrderedOutcome& best, const Request& request,
                                const Control& control);

}  // namespace beadwork
