#include <fmt/format.h>

#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/registry.hpp>
#include <beadwork/engine/search_options.hpp>

// Engine search with a limit on nodes or a price for them.

namespace beadwork {
namespace {

Status check_combination(const Options& options) {
  const std::pair<bool, const char*> others[] = {{options.faithful, "--faithful"},
                                                 {options.front, "--front"},
                                                 {options.all_optima, "--all-optima"},
                                                 {!options.require.empty(), "--require"},
                                                 {!options.certificate.empty(), "--certificate"},
                                                 {options.top > 0, "--top"},
                                                 {!options.within.empty(), "--within"},
                                                 {options.from_depth <= options.depth, "--from-depth"},
                                                 {!options.checkpoint.empty(), "--checkpoint"},
                                                 {!options.resume.empty(), "--resume"}};
  const char* flag = options.max_nodes > 0 ? "--max-nodes" : "--node-penalty";
  for (const auto& [given, other] : others)
    if (given) return usage_error(fmt::format("does not go with {}", flag), other);
  if (options.max_nodes > 0 && !options.node_penalty.empty())
    return usage_error("does not go with --max-nodes", "--node-penalty");
  return Done{};
}

// Errors per node in the user's units, as a fraction of the dataset's.
Result<NodePenalty> penalty_of(const Dataset& dataset, const Options& options, std::int64_t cost_scale) {
  const auto number = parse_number(options.node_penalty);
  if (!number || *number <= 0 || *number > 1e9)
    return usage_error(
        fmt::format("expected a number above 0 and up to 1e9, got '{}'", printable(options.node_penalty)),
        "--node-penalty");
  const auto scaled = scale_weights(std::vector{*number});
  if (!scaled) return usage_error("too many decimals", "--node-penalty");
  constexpr double kMost = 1e18;
  const double units = static_cast<double>(dataset.weight_scale()) * static_cast<double>(cost_scale);
  const double largest = static_cast<double>(dataset.total_weight()) * static_cast<double>(cost_scale) *
                             static_cast<double>(scaled->scale) +
                         static_cast<double>(scaled->weights[0]) * units * 0x1p21;
  if (largest > kMost)
    return usage_error("too many decimals for weights as large as these", "--node-penalty");
  return NodePenalty{scaled->weights[0] * dataset.weight_scale() * cost_scale, scaled->scale};
}

}  // namespace

Result<Found> learn_by_size(const Dataset& dataset, const Options& options, const Control& control) {
  if (auto ok = check_combination(options); !ok) return ok.error();
  const auto o = search_options(dataset, options, control);
  if (!o) return o.error();
  const auto costs = cost_matrix(dataset, options);
  if (!costs) return costs.error();
  const auto run = [&]() -> Result<SizedOutcome> {
    if (options.max_nodes > 0)
      return least_errors_within(dataset, *o, static_cast<std::size_t>(options.max_nodes), control);
    const auto penalty = penalty_of(dataset, options, costs->scale);
    if (!penalty) return penalty.error();
    return least_penalised(dataset, *o, *penalty, control);
  };
  const auto sized = run();
  if (!sized) return sized.error();
  Found found;
  found.status = sized->proven ? SolveStatus::optimal : SolveStatus::feasible;
  found.lower_bound = sized->lower_bound;
  found.upper_bound = sized->errors;
  found.table = sized->table;
  return found;
}

}  // namespace beadwork
