#include <beadwork/search.hpp>

#include <algorithm>
#include <beadwork/engine/faithful.hpp>
#include <beadwork/engine/registry.hpp>

namespace beadwork {
namespace {

SearchOptions search_options(const Options& options) {
  SearchOptions o;
  o.depth = static_cast<std::size_t>(options.depth);
  o.threads = static_cast<unsigned>(options.threads);
  o.seed = static_cast<std::uint64_t>(options.seed);
  return o;
}

Found conclude(const Dataset& dataset, const Condensed& data, const SearchOutcome& outcome) {
  if (outcome.status == SearchStatus::unknown) return constant_answer(dataset, data.unavoidable_errors);
  Found found;
  found.lower_bound = outcome.lower_bound;
  found.status = outcome.status == SearchStatus::optimal ? SolveStatus::optimal : SolveStatus::feasible;
  found.upper_bound = outcome.error;
  found.table = TruthTable::from_counts(outcome.features, dataset.num_classes(),
                                        count_cells(dataset, outcome.features));
  return found;
}

// Exactly `depth` columns that are not all-zero, the given ones among them; nothing if there are too few.
std::optional<std::vector<Feature>> complete(std::vector<Feature> features, const Dataset& dataset,
                                             const Options& options) {
  const auto dropped = options.keep_all_zero ? std::vector<Feature>{} : all_zero_features(dataset);
  const auto depth = static_cast<std::size_t>(options.depth);
  for (std::size_t f = 0; f < dataset.num_features() && features.size() < depth; ++f)
    if (!std::binary_search(dropped.begin(), dropped.end(), Feature{f}) &&
        std::find(features.begin(), features.end(), Feature{f}) == features.end())
      features.emplace_back(f);
  if (features.size() < depth) return std::nullopt;
  std::sort(features.begin(), features.end());
  return features;
}

// The paper's reading costs nothing more where the best set can have a root that is a bead; where it would, enumeration
// looks at every set.
Result<Found> learn_faithfully(const Dataset& dataset, const Condensed& data, const Options& options,
                               const Control& control, const SearchOutcome& outcome) {
  const auto features = complete(outcome.features, dataset, options);
  if (outcome.status != SearchStatus::optimal || !features || options.depth == 0 || dataset.num_classes() < 2)
    return learn_by_enumeration(dataset, options, control);
  if (bead_cost(count_cells(dataset, *features), dataset.num_classes()) != 0)
    return learn_by_enumeration(dataset, options, control);
  Found found = conclude(dataset, data, outcome);
  found.table = bead_table(dataset, *features);
  return found;
}

}  // namespace

Result<Found> learn_by_search(const Dataset& dataset, const Options& options, const Control& control) {
  const Condensed data = condense(dataset);
  auto outcome = search(data, search_options(options), control);
  if (!outcome) return outcome.error();
  if (options.faithful) return learn_faithfully(dataset, data, options, control, *outcome);
  return conclude(dataset, data, *outcome);
}

Result<Found> learn_by_local_search(const Dataset& dataset, const Options& options, const Control& control) {
  if (options.faithful)
    return usage_error("local knows no faithful reading; use search or enumerate", "--faithful");
  const Condensed data = condense(dataset);
  auto outcome = local_search(data, search_options(options), control);
  if (!outcome) return outcome.error();
  return conclude(dataset, data, *outcome);
}

}  // namespace beadwork
