#pragma once
// Cells of sets of features, and what they cost.
#include <beadwork/shards/families.hpp>

#include <functional>
#include <span>

namespace beadwork::detail {

using FeatureSet = std::vector<Feature>;   // increasing
using Counts = std::vector<std::int64_t>;  // cell * classes + class, as count_cells has them

// What the best answer in every cell costs; no costs: every error costs 1.
std::int64_t cost_of(const Counts& counts, std::size_t classes, const std::vector<std::int64_t>& costs);
// The counts of cells without the feature at `place` of `features`.
Counts without(const Counts& counts, std::size_t classes, std::size_t features, std::size_t place);

// Counts many sets on the rows of one shard. Sets that begin alike share the work for what they have in common, so they
// should come in order.
class SetCounter {
 public:
  SetCounter(const Condensed& rows, const LocalFamilies& families) : rows_(rows), families_(families) {}
  Counts count(const FeatureSet& set);

 private:
  void part(std::size_t level, Feature f);
  bool value(const LocalFamilies::Place& place, std::size_t row) const {
    return (place.family != LocalFamilies::kConstant && bit(rows_.columns[place.family], row)) != place.flipped;
  }

  const Condensed& rows_;
  const LocalFamilies& families_;
  FeatureSet last_;
  std::vector<std::vector<std::uint32_t>> cells_;  // of each row, by the first 1, 2, ... features of `last_`
};

}  // namespace beadwork::detail
