#pragma once
#include <cstddef>
#include <cstdint>

namespace beadwork {

// Number of ones in a & b over n words, by the best instructions of the machine at hand.
std::size_t count_ones_of_and(const std::uint64_t* a, const std::uint64_t* b, std::size_t n);

}  // namespace beadwork
