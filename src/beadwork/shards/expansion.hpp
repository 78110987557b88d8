#pragma once
// From the sets on a shard's list to the sets of the whole that they stand for.
#include <beadwork/shards/counting.hpp>

#include <functional>

namespace beadwork::detail {

// What a list is about. In the whole all sets have the required features and `choose` of the `free` ones, one of each
// family of the whole.
struct WholeSets {
  const FeatureSet& required;
  const FeatureSet& free;
  std::size_t choose = 0;
  const std::vector<std::int64_t>& costs;
};

// A set on a list, of one feature for each family of the shard, with its cost there.
struct ListedSet {
  FeatureSet features;
  std::int64_t cost = 0;
};

struct ExpansionLimits {
  std::size_t sets = 0;     // of the whole
  std::size_t subsets = 0;  // of sets on the list, on the way there
};

// A list of all sets of the shard that cost less than `below`, and what it stands for.
struct Expanded {
  std::vector<FeatureSet> sets;  // all sets of the whole that cost the shard less than this:
  std::int64_t below = 0;        // less than it was where there are more than `most`, or the control stops
};
Expanded expand(const std::vector<ListedSet>& list, std::int64_t below, const WholeSets& whole,
                const LocalFamilies& families, SetCounter& counter, std::size_t classes, const ExpansionLimits& most,
                const Control& control);

}  // namespace beadwork::detail
