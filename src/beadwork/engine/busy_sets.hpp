#pragma once
#include <beadwork/engine/task.hpp>

#include <set>

namespace beadwork {

// Sets without idle features: dropping any feature costs more, so that the diagrams of a set use all its features, and
// no two sets use the same ones. Required features stay, and one of each required column. Collects these among the
// subsets of the sets that it visits.
class BusySets {
 public:
  BusySets(const Task& task, const Control& control)
      : task_(task), classes_(task.dataset.num_classes()), control_(control) {}

  // Looks at the set and at its subsets of at most that cost (of its own, if none is given); returns its cost, counted
  // row by row.
  std::int64_t visit(FeatureSet set, std::optional<std::int64_t> limit = {});
  bool stopped() const { return stopped_; }  // some were not looked at
  // By cost, then by number of features, then by list.
  std::vector<SetAnswer> take();

 private:
  FeatureSet kept_of(const FeatureSet& set) const;
  void descend(const FeatureSet& set, const CellCounts& counts, std::int64_t cost, std::int64_t limit);

  const Task& task_;
  std::size_t classes_;
  const Control& control_;
  bool stopped_ = false;
  std::set<FeatureSet> seen_;
  std::vector<SetAnswer> found_;
};

}  // namespace beadwork
