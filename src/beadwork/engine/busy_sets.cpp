#include <beadwork/engine/busy_sets.hpp>
#include <beadwork/engine/costs.hpp>

#include <algorithm>
#include <tuple>

namespace beadwork {
namespace {

// The counts of cells without the feature at `place` of `features`.
std::vector<std::int64_t> without(const std::vector<std::int64_t>& counts, std::size_t classes, std::size_t features,
                                  std::size_t place) {
  const std::size_t run = (std::size_t{1} << (features - 1 - place)) * classes;  // cells that differ in later features
  std::vector<std::int64_t> out;
  out.reserve(counts.size() / 2);
  for (std::size_t from = 0; from < counts.size(); from += 2 * run)
    for (std::size_t i = from; i < from + run; ++i) out.push_back(counts[i] + counts[i + run]);
  return out;
}

}  // namespace

std::int64_t BusySets::visit(std::vector<Feature> set, std::optional<std::int64_t> limit) {
  std::sort(set.begin(), set.end());
  const Counts counts = count_cells(task_.dataset, set);
  const std::int64_t cost = cells_cost(counts, classes_, task_.cost.costs);
  if (seen_.insert(set).second) descend(set, counts, cost, limit.value_or(cost));
  return cost;
}

bool BusySets::required(Feature f) const {
  return std::binary_search(task_.required.begin(), task_.required.end(), f);
}

void BusySets::descend(const std::vector<Feature>& set, const Counts& counts, std::int64_t cost, std::int64_t limit) {
  stopped_ = stopped_ || control_.stopping();
  if (stopped_) return;
  bool idle = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (required(set[i])) continue;
    const Counts fewer = without(counts, classes_, set.size(), i);
    const std::int64_t dearer = cells_cost(fewer, classes_, task_.cost.costs);
    idle = idle || dearer == cost;
    if (dearer > limit) continue;
    std::vector<Feature> smaller = set;
    smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
    if (seen_.insert(smaller).second) descend(smaller, fewer, dearer, limit);
  }
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
