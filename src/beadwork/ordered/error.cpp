#include <beadwork/ordered.hpp>

#include <algorithm>
#include <map>

// Shares nothing with the search but the data: it is what the search's answers are checked with.

namespace beadwork {

Result<std::int64_t> cuts_error(const RankedData& data, const OrderedOptions& options, std::span<const Cut> cuts) {
  const std::size_t k = data.num_classes();
  if (!options.costs.empty() && options.costs.size() != k * k)
    return usage_error("the costs are no square matrix", "costs");
  std::vector<Cut> all(cuts.begin(), cuts.end());
  all.insert(all.end(), options.require.begin(), options.require.end());
  std::map<std::vector<bool>, std::vector<std::int64_t>> cells;
  std::vector<bool> sides(all.size());
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    for (std::size_t i = 0; i < all.size(); ++i) sides[i] = data.columns[all[i].column].ranks[r] > all[i].rank;
    auto& costs = cells.try_emplace(sides, k).first->second;
    const std::size_t j = data.labels[r]();
    for (std::size_t p = 0; p < k; ++p)
      costs[p] += data.weight(r) * (options.costs.empty() ? (j == p ? 0 : 1) : options.costs[j * k + p]);
  }
  std::int64_t sum = 0;
  for (const auto& [_, costs] : cells) sum += *std::min_element(costs.begin(), costs.end());
  return sum;
}

}  // namespace beadwork
