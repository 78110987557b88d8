#include <beadwork/engine/search_options.hpp>

#include <fmt/format.h>
#include <beadwork/engine/candidates.hpp>
#include <beadwork/engine/costs.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwork {
namespace {

Result<Kernel> kernel_named(const std::string& name) {
  static constexpr std::array kKernels = {
      std::pair{"auto", Kernel::automatic}, std::pair{"avx512", Kernel::avx512},
      std::pair{"avx2", Kernel::avx2}, std::pair{"portable", Kernel::portable}};
  for (const auto& [known, kernel] : kKernels)
    if (name == known) return kernel;
  return usage_error(fmt::format("expected auto, avx512, avx2 or portable, got '{}'", printable(name)),
                     "--kernel");
}

Status switch_off(Bounds& bounds, std::string_view name) {
  for (const auto& [known, bound] :
       {std::pair{"linear-cap", &bounds.linear_cap}, std::pair{"gain-cap", &bounds.gain_cap},
        std::pair{"cell-bound", &bounds.cell_bound}, std::pair{"cancellation", &bounds.cancellation}})
    if (name == known) {
      *bound = false;
      return Done{};
    }
  return usage_error(
      fmt::format("expected linear-cap, gain-cap, cell-bound or cancellation, got '{}'", printable(name)),
      "--no-bound");
}

Result<Bounds> bounds_without(const std::vector<std::string>& lists) {
  Bounds bounds;
  for (std::string_view list : lists)
    for (bool more = true; more;) {
      const std::size_t comma = list.find(',');
      if (auto ok = switch_off(bounds, list.substr(0, comma)); !ok) return ok.error();
      more = comma != std::string_view::npos;
      if (more) list.remove_prefix(comma + 1);
    }
  return bounds;
}

}  // namespace

Result<SearchOptions> search_options(const Dataset& dataset, const Options& options, const Control& control) {
  SearchOptions o;
  o.depth = static_cast<std::size_t>(options.depth);
  o.threads = static_cast<unsigned>(options.threads);
  o.seed = static_cast<std::uint64_t>(options.seed);
  auto require = features_named(dataset, options.require, true, "--require");
  if (!require) return require.error();
  auto forbid = features_named(dataset, options.forbid, false, "--forbid");
  if (!forbid) return forbid.error();
  auto kernel = kernel_named(options.kernel);
  if (!kernel) return kernel.error();
  auto bounds = bounds_without(options.no_bound);
  if (!bounds) return bounds.error();
  o.require = *std::move(require);
  o.forbid = *std::move(forbid);
  if (restricted(options)) {
    auto candidates = candidate_features(dataset, options, control);
    if (!candidates) return candidates.error();
    for (std::size_t f = 0; f < dataset.num_features(); ++f)
      if (!std::binary_search(candidates->begin(), candidates->end(), Feature{f})) o.forbid.emplace_back(f);
    std::sort(o.forbid.begin(), o.forbid.end());
    o.forbid.erase(std::unique(o.forbid.begin(), o.forbid.end()), o.forbid.end());
  }
  auto costs = cost_matrix(dataset, options);
  if (!costs) return costs.error();
  o.costs = std::move(costs->costs);
  o.kernel = *kernel;
  o.bounds = *bounds;
  return o;
}

Result<std::optional<NearOptions>> near_options(const Dataset& dataset, const Options& options,
                                                std::int64_t cost_scale) {
  if (options.top > 0 && !options.within.empty())
    return usage_error("give either --top or --within", "--top");
  NearOptions near;
  near.best = static_cast<std::size_t>(options.top);
  if (options.within.empty()) return options.top > 0 ? std::optional(near) : std::optional<NearOptions>{};
  const auto number = parse_number(options.within);
  if (!number || *number < 0 || *number > 1e15)
    return usage_error(
        fmt::format("expected a number of errors from 0 to 1e15, got '{}'", printable(options.within)),
        "--within");
  // Weights are integers of this scale: 0.3 of scale 10 is 3, though the product may be a hair less.
  const double units =
      *number * static_cast<double>(dataset.weight_scale()) * static_cast<double>(cost_scale);
  const double nearest = std::round(units);
  near.within = static_cast<std::int64_t>(
      std::min(std::abs(units - nearest) <= 1e-9 * nearest ? nearest : std::floor(units), 9e18));
  return std::optional(near);
}

}  // namespace beadwork
