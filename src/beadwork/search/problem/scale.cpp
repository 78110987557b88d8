#include <beadwork/search/problem/scale.hpp>

#include <numeric>

namespace beadwork::detail {
namespace {

// Of all rows together, for each row: four bits cost twice the time of unit weights, and an error is about 3 % off.
constexpr std::int64_t kFew = 16, kMore = 1024;
constexpr std::int64_t kMostInLanes = std::int64_t{1} << 30;

}  // namespace

std::vector<Scale> scales_for(const Problem& p) {
  if (p.num_channels != 2 || p.num_rows == 0) return {Scale{}};
  std::int64_t divisor = 0;
  for (const std::int64_t c : p.costs) divisor = std::gcd(divisor, c);
  std::vector<Scale> out;
  const auto rows = static_cast<std::int64_t>(p.num_rows);
  for (const std::int64_t most : {kFew * rows, kMore * rows, kMostInLanes}) {
    const std::int64_t unit = p.total / most / divisor * divisor;
    if (unit >= 4 * divisor && (out.empty() || out.back().unit >= 4 * unit)) out.push_back({unit, p.base, false});
  }
  out.push_back(divisor == 1 ? Scale{} : Scale{divisor, p.base, true});
  return out;
}

Problem scaled(const Problem& p, const Scale& scale) {
  Problem out = p;
  out.base = out.total = 0;
  for (std::int64_t& c : out.costs) c /= scale.unit;
  for (std::size_t r = 0; r < out.num_rows; ++r) out.total += std::max(out.costs[2 * r], out.costs[2 * r + 1]);
  return out;
}

}  // namespace beadwork::detail
