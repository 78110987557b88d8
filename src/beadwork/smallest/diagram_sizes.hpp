#pragma once
#include <beadwork/smallest/stages.hpp>

namespace beadwork {

inline constexpr std::size_t kMostClimbedNodes = 40;

// Good diagrams of some sizes up to a largest one, with sinks: each is grown from the one before, then each is cut down
// from the one after it; the largest one gets most of the steps where it is below kMostClimbedNodes. Nothing is proven;
// the same whatever the time, unless the control stops it.
EverySize climb_sizes(const Condensed& data, const SearchOptions& options, std::size_t most, const Control& control);

}  // namespace beadwork
