#pragma once
#include <beadwork/dataset/binarizer.hpp>
#include <span>
#include <vector>

namespace beadwork {

// One value with the weight of its rows by class.
struct ValueCounts {
  double value = 0;
  std::vector<double> by_class;
  double total() const;
};

// A number t with a <= t < b: the midpoint, without digits that are rounding noise.
double between(double a, double b);

// Thresholds (increasing) for a column whose distinct values are given in increasing order.
std::vector<double> choose_thresholds(std::span<const ValueCounts> values, const ThresholdRule& rule);

}  // namespace beadwork
