#include <beadwork/smallest/diagram_climb.hpp>
#include <beadwork/smallest/diagram_sizes.hpp>
#include <beadwork/smallest/feature_climb.hpp>

#include <algorithm>

namespace beadwork {
namespace {

// Words passed for one size: about a fiftieth of a second, and more where each test of a feature is more work.
std::uint64_t steps_of(const Condensed& data, std::size_t num_allowed) {
  return 60'000'000 + std::uint64_t{12'000} * words_for(data.num_rows) * num_allowed;
}

// Up to one beyond the largest wanted.
std::vector<std::size_t> climbed_sizes(std::size_t most) {
  std::vector<std::size_t> out{1};
  for (std::size_t size = 3; size <= kMostClimbedNodes; size += 1 + size / 7) {
    if (out.back() < most && most < size) out.push_back(most);
    out.push_back(size);
    if (out.back() > most) break;
  }
  return out;
}

}  // namespace

EverySize climb_sizes(const Condensed& data, const SearchOptions& options, std::size_t most, const Control& control) {
  constexpr std::uint64_t kUp = 3, kDown = 2, kWanted = 10;  // parts of the steps of a size
  const std::vector<std::size_t> sizes = climbed_sizes(most);
  const auto allowed = allowed_places(data, options);
  const std::uint64_t part = steps_of(data, allowed.size()) / (kUp + kDown);
  DiagramClimb climb(data, *row_costs(data, options.costs), allowed, options.seed);
  EverySize found;
  const auto run = [&](std::size_t size, std::uint64_t parts) {
    const std::size_t answers = std::clamp<std::size_t>((size + 1) / 2, 1, data.num_classes);
    const Best best = climb.run(size - answers, options.depth, answers, part * parts, control);
    const std::size_t nodes = diagram_of(best.table).size();
    if (nodes <= most && best.errors <= found.limit(nodes)) found.offer(nodes, best);
  };
  for (const std::size_t size : sizes) run(size, kUp);
  const std::size_t least = most < kMostClimbedNodes ? most : 1;
  for (std::size_t k = sizes.size(); k-- > 0 && sizes[k] >= least;) run(sizes[k], sizes[k] == most ? kWanted : kDown);
  return found;
}

}  // namespace beadwork
