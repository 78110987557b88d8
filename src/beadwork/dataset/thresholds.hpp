#pragma once
#include <beadwork/dataset/binarizer.hpp>

#include <span>
#include <vector>

namespace beadwork {

// Distinct values, increasing, with the weight of the rows of each by class. Flat: a column may have a million of them.
struct ValueCounts {
  std::vector<double> values;
  std::size_t num_classes = 0;
  std::vector<double> weights;  // values x classes
  std::size_t size() const { return values.size(); }
  std::span<const double> by_class(std::size_t i) const {
    return std::span(weights).subspan(i * num_classes, num_classes);
  }
};

// A number t with a <= t < b: the midpoint, without digits that are rounding noise.
double between(double a, double b);

// Thresholds (increasing) for a column with these values; not all of them where control says stop.
std::vector<double> choose_thresholds(const ValueCounts& counts, const ThresholdRule& rule,
                                      const Control& control = {});

}  // namespace beadwork
