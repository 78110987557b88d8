#pragma once
#include <beadwork/base.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace beadwork {

// Integer weights w with the given weight = w / scale; all together they are at most `rounding` / scale away from it.
struct ScaledWeights {
  std::vector<std::int64_t> weights;
  std::int64_t scale = 1;
  std::int64_t rounding = 0;
};
// The smallest power of ten (up to 10^9), else of two, that makes every weight whole, then in lowest terms:
// 0.5 and 0.25 are 2 and 1 of scale 4. An Error where none does, where a weight is negative or not finite,
// where all are zero, or where the sum would pass kMostTotal (prices.hpp).
Result<ScaledWeights> scale_weights(std::span<const double> weights);
// The same; where no scale is exact, rounded at a power of two that keeps the sum at about 2^30, which the fast search
// still counts. Small weights may become 0. Where `times` is given, weight i is that of times[i] rows.
Result<ScaledWeights> round_weights(std::span<const double> weights, std::span<const std::int64_t> times = {});

// The same for weights that come in parts: what all of them are multiplied by, from their distinct values and how often
// each occurs.
struct WeightScale {
  std::int64_t scale = 1;
  std::int64_t rounding = 0;
  std::int64_t of(double weight) const;
};
Result<WeightScale> weight_scale_of(std::span<const double> distinct, std::span<const std::uint64_t> counts);

}  // namespace beadwork
