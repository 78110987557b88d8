#pragma once
#include <beadwork/ordered.hpp>
#include <beadwork/smallest/stages.hpp>

namespace beadwork {

// Over every cut point. A stage asks for the best set of h cuts first (layer ordered): its error bounds all diagrams on
// h features, whatever their size. Then a local search looks for good diagrams of each size, and the boxes of cuts that
// may hold better ones are searched. One thread, but for the best sets. Features are numbered as in the data.
class RankedStages final : public Stages {
 public:
  // `known`: the outcome of search_ordered with these options, if it is known.
  RankedStages(const RankedData& data, const OrderedOptions& options, const OrderedOutcome* known,
               const Control& control);

  std::size_t depth() const override;
  Result<std::optional<std::int64_t>> run(std::size_t h, SizeGoal& goal) override;
  std::int64_t floor() const override { return floor_; }
  bool over() const override { return false; }  // there is always time for a look at the best sets

  std::size_t num_distinct() const { return sets_ ? sets_->num_distinct() : 0; }
  bool memory_limit_hit() const { return memory_limit_hit_; }
  // Did no limit change what the first diagrams were?
  bool canonical() const { return canonical_; }

 private:
  Status prepare();
  Result<OrderedOutcome> best_of(std::size_t h);
  void offer(const std::vector<Cut>& cuts, SizeGoal& goal);
  Control some_time(double share) const;

  const RankedData& data_;
  OrderedOptions options_;
  Control control_;
  std::optional<OrderedSets> sets_;
  std::optional<OrderedOutcome> last_;  // at the largest depth
  std::vector<std::vector<Cut>> good_;  // sets of the stage before with good diagrams
  std::vector<Cut> start_;
  std::int64_t floor_ = 0;
  bool memory_limit_hit_ = false;
  bool canonical_ = true;
};

}  // namespace beadwork
