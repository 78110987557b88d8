#include <beadwork/engine/busy_sets.hpp>
#include <beadwork/engine/costs.hpp>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace beadwork {
std::int64_t BusySets::visit(FeatureSet set, std::optional<std::int64_t> limit) {
  std::sort(set.begin(), set.end());
  const CellCounts counts = count_cells(task_.dataset, set);
  const std::int64_t cost = cells_cost(counts, classes_, task_.cost.costs);
  if (seen_.insert(set).second) descend(set, counts, cost, limit.value_or(cost));
  return cost;
}

// The required features, and the last ones that are left of required columns.
FeatureSet BusySets::kept_of(const FeatureSet& set) const {
  FeatureSet out = task_.required;
  for (const auto& group : task_.one_of) {
    FeatureSet both;
    std::set_intersection(set.begin(), set.end(), group.begin(), group.end(), std::back_inserter(both));
    if (both.size() == 1) out.push_back(both[0]);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void BusySets::descend(const FeatureSet& set, const CellCounts& counts, std::int64_t cost, std::int64_t limit) {
  stopped_ = stopped_ || control_.stopping();
  if (stopped_) return;
  bool idle = false;
  each_smaller(set, counts, classes_, kept_of(set), [&](const FeatureSet& smaller, auto&& count) {
    const CellCounts fewer = count();
    const std::int64_t dearer = cells_cost(fewer, classes_, task_.cost.costs);
    idle = idle || dearer == cost;
    if (dearer <= limit && seen_.insert(smaller).second) descend(smaller, fewer, dearer, limit);
  });
  if (!idle) found_.push_back({.features = set, .cost = cost, .lower_bound = 0, .table = {}});
}

std::vector<SetAnswer> BusySets::take() {
  std::sort(found_.begin(), found_.end(), [](const SetAnswer& a, const SetAnswer& b) {
    const std::size_t in_a = a.features.size(), in_b = b.features.size();
    return std::tie(a.cost, in_a, a.features) < std::tie(b.cost, in_b, b.features);
  });
  return std::move(found_);
}

}  // namespace beadwork
