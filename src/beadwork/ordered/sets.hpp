#pragma once
#include <beadwork/ordered/options.hpp>

#include <memory>
#include <span>

namespace beadwork {

namespace ordered {
struct Problem;
}

// Says which sets of cuts are of interest, by what each answer costs in each cell: cell * num_classes + class.
struct CellJudge {
  virtual ~CellJudge() = default;
  // Positive: nothing on these cells is of interest. Contract: it is at most some function that does not fall where
  // costs are added, that changes by no more than what a row may cost where this row moves to another cell, and that
  // the order of cuts and their complements do not change. Calls of `take` never lower that function.
  virtual std::int64_t distance(std::span<const std::int64_t> costs) = 0;
  // A set whose distance is not positive: cuts increase, and cells are those of a TruthTable of their features.
  virtual void take(const std::vector<Cut>& cuts, std::span<const std::int64_t> costs) = 0;
};

// All sets of so many cuts that a judge wants, by boxes of cuts (docs/ordered.md, judged sets). Of equal and opposite
// cuts only the first is in a set. One thread.
class OrderedSets {
 public:
  static constexpr std::size_t kMostCuts = 4'000'000;  // beyond that they are not made
  // Contract: no cut and no column is required. The data must outlive it.
  static Result<OrderedSets> make(const RankedData& data, const OrderedOptions& options, const Control& control);

  bool complete() const { return problem_ != nullptr; }       // false: a limit came first, and there are no sets
  std::size_t num_distinct() const { return num_distinct_; }  // cuts, equal and opposite ones counted once
  std::int64_t base() const;                                  // what every set costs beside the cells
  // Every set of `size` cuts that the judge wants is taken, or has been as another one with the same cells. False where
  // the control ended it. `size` is not 0.
  bool visit(std::size_t size, CellJudge& judge, const Control& control) const;
  // The same for these cuts with each other one, unless one of them is a copy of an earlier cut. At most 19.
  bool extend(const std::vector<Cut>& cuts, CellJudge& judge, const Control& control) const;
  // Row steps of an extension.
  std::uint64_t steps() const;
  // Some cut; `random` is any number.
  Cut any_cut(std::uint64_t random) const;

 private:
  const RankedData* data_ = nullptr;
  std::shared_ptr<const ordered::Problem> problem_;
  std::size_t num_distinct_ = 0;
};

// The increasing set without cuts that are constant, equal or opposite to an earlier one.
std::vector<Cut> without_copies(const RankedData& data, std::vector<Cut> cuts);

// Costs of the cells of a set, as CellJudge::take has them but for the base. Cuts increase.
std::vector<std::int64_t> cells_of(const RankedData& data, const OrderedOptions& options, const std::vector<Cut>& cuts);

}  // namespace beadwork
