#pragma once
// Cells of sets of features, and what they cost.
#include <beadwork/shards/families.hpp>

#include <functional>
#include <span>

namespace beadwork::detail {

// Counts many sets on the rows of one shard. Sets that begin alike share the work for what they have in common, so they
// should come in order.
class SetCounter {
 public:
  SetCounter(const Condensed& rows, const LocalFamilies& families) : rows_(rows), families_(families) {}
  CellCounts count(const FeatureSet& set);

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
