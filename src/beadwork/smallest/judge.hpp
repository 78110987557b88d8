#pragma once
#include <beadwork/ordered.hpp>
#include <beadwork/smallest/functions.hpp>
#include <beadwork/smallest/stages.hpp>

namespace beadwork {

// Wants sets of `h` cuts with diagrams on all of them that a goal lets in. Every set of so many cuts has at least
// `least` errors; `base` of them are not in the cells.
class SizeJudge final : public CellJudge {
 public:
  SizeJudge(const RankedData& data, std::size_t h, std::int64_t base, std::int64_t least, FunctionsBySize* functions,
            SizeGoal& goal, const Control& control);

  std::int64_t distance(std::span<const std::int64_t> costs) override;
  void take(const std::vector<Cut>& cuts, std::span<const std::int64_t> costs) override;

 private:
  std::int64_t limit_of(std::size_t size) const;  // for the cells alone
  void ask_limits();
  std::int64_t by_search(std::span<const std::int64_t> costs) const;

  const RankedData& data_;
  const std::size_t h_;
  const std::int64_t base_, least_;
  FunctionsBySize* const functions_;  // nullptr: too many
  SizeGoal& goal_;
  const Control& control_;
  std::vector<std::int64_t> limits_;
};

// The features of cuts, numbered as in the data.
std::vector<Feature> features_of_cuts(const RankedData& data, const std::vector<Cut>& cuts);
std::vector<Cut> cuts_of_features(const RankedData& data, const std::vector<Feature>& features);  // increasing

}  // namespace beadwork
