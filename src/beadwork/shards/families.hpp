#pragma once
// Which features are the same: in one shard, and in all shards together.
#include <beadwork/dataset.hpp>

#include <map>
#include <tuple>
#include <vector>

namespace beadwork::detail {

// Features of one shard by the columns of its condensed data.
struct LocalFamilies {
  static constexpr std::uint32_t kConstant = UINT32_MAX;
  struct Place {
    std::uint32_t family = kConstant;  // column of the condensed data
    bool flipped = false;              // opposite to that column; of a constant: its value
  };
  std::vector<Place> of;  // one a feature
};
LocalFamilies families_of(const Dataset& dataset, const Condensed& condensed);

// Families of the whole: features that are equal in all shards, or opposite in all of them. Shards are added one by
// one. Every feature is compared as if its value in the first row of all were 0, so that opposite ones agree, and a
// family once parted stays so.
class WholeFamilies {
 public:
  void add(const Dataset& dataset, const LocalFamilies& local);
  // The least allowed feature of each family, except constant ones and those of required features; increasing.
  std::vector<Feature> representatives(const std::vector<Feature>& required,
                                       const std::vector<Feature>& forbidden) const;

 private:
  std::vector<bool> sign_;             // of each feature: its value in the first row of all
  std::vector<std::uint32_t> family_;  // of each feature, and of a constant behind them
};

}  // namespace beadwork::detail
