#include <beadwork/ordered.hpp>

#include <algorithm>

// Shares nothing with the search but the data: it is what the search's answers are checked with.

namespace beadwork {

Result<std::int64_t> cuts_error(const RankedData& data, const OrderedOptions& options, std::span<const Cut> cuts) {
  const std::size_t k = data.num_classes();
  TRY_DONE(check_cost_matrix(options.costs, k));
  std::vector<Cut> all(cuts.begin(), cuts.end());
  all.insert(all.end(), options.require.begin(), options.require.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  require(all.size() <= 20, "cuts_error: at most 20 cuts");
  std::vector<std::int64_t> costs(k << all.size());  // of each answer in each cell
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    std::size_t cell = 0;
    for (const Cut& c : all) cell = 2 * cell + (data.columns[c.column].ranks[r] > c.rank ? 1 : 0);
    add_costs(std::span(costs).subspan(cell * k, k), options.costs, data.labels[r](), data.weight(r));
  }
  return least_costs(costs, k);
}

}  // namespace beadwork
