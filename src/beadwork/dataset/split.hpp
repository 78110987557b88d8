#pragma once
#include <beadwork/base.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace beadwork {

struct Split {
  std::vector<Row> train;  // increasing
  std::vector<Row> test;   // increasing
  friend bool operator==(const Split&, const Split&) = default;
};

// k folds whose sizes differ by at most one; every row is tested once. The same seed gives the same folds. Needs
// 2 <= k <= rows.
Result<std::vector<Split>> k_folds(std::size_t num_rows, std::size_t k, std::uint64_t seed);
// The same, each class spread over the folds as evenly as can be.
Result<std::vector<Split>> stratified_k_folds(std::span<const Class> labels, std::size_t k, std::uint64_t seed);
// floor(ratio * rows) training rows, the rest for testing; 0 < ratio < 1 and both parts must be non-empty.
Result<Split> hold_out(std::size_t num_rows, double ratio, std::uint64_t seed);
// The same, class by class (each class rounded down, at least one row trained where the class has two).
Result<Split> stratified_hold_out(std::span<const Class> labels, double ratio, std::uint64_t seed);

}  // namespace beadwork
