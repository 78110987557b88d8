#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwork {

// All functions that depend on each of a few features, by the size of their smallest diagram (over all orders, with
// sinks), to find the cheapest of each size on given cells: a function is two halves of its table, and what each half
// costs is added up once for all functions.
class FunctionsBySize {
 public:
  static constexpr std::size_t kMostHalves = 256;
  // Are there few enough? At least one feature.
  static bool few(std::size_t features, std::size_t num_classes);

  FunctionsBySize(std::size_t features, std::size_t num_classes);

  std::size_t largest() const { return sizes_.size() - 1; }  // size
  // The least of cost - limits[size] over all functions of sizes whose limit is not negative, or `most` if none is
  // less. costs: cell * num_classes + class.
  std::int64_t least(std::span<const std::int64_t> costs, std::span<const std::int64_t> limits, std::int64_t most);

 private:
  struct Size {
    std::vector<std::uint32_t> first;  // by high half: where its low halves begin; one more for the end
    std::vector<std::uint8_t> low;
  };
  std::vector<std::size_t> smallest_sizes() const;
  bool depends_on_all(std::size_t high, std::size_t low) const;
  void add_up(std::span<const std::int64_t> costs, std::vector<std::int64_t>& halves) const;

  std::size_t features_, classes_, halves_ = 1;
  std::vector<Size> sizes_;
  std::vector<std::int64_t> low_, high_;
};

}  // namespace beadwork
