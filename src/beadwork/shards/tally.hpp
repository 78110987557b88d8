#pragma once
// Sets of the whole that may still be the best, as far as they are counted.
#include <beadwork/shards/counting.hpp>

#include <map>
#include <optional>

namespace beadwork::detail {

struct Tally {
  CellCounts counts;       // over the shards that were seen
  std::vector<bool> seen;  // by shard
  bool complete = false;   // all of them
};

class Tallies {
 public:
  // No costs: every error costs 1.
  Tallies(std::size_t classes, std::vector<std::int64_t> costs) : classes_(classes), costs_(std::move(costs)) {}

  // Shards that count, by number: each with what every set costs it at least.
  void expect(std::size_t shard, std::int64_t least);
  void add(const FeatureSet& set);  // unless it is there
  // Counts every set on a shard that it has not seen, until the control stops.
  void count(std::size_t shard, SetCounter& counter, const Control& control);
  void count(std::size_t shard, const Dataset& rows, const Control& control);  // without condensed data
  void drop();                          // what cannot be as good as the best, once all shards are expected
  bool wants(std::size_t shard) const;  // has some set not seen it?

  // The least cost of the sets that are counted on all shards; nothing if none is.
  std::optional<std::int64_t> best() const { return best_; }
  // What the sets that are not, and may be better, cost at least.
  std::int64_t least_open() const;
  std::size_t size() const { return sets_.size(); }
  const std::map<FeatureSet, Tally>& sets() const { return sets_; }
  std::int64_t cost(const Tally& tally) const { return cells_cost(tally.counts, classes_, costs_); }

 private:
  template <class CountSet>
  void count_all(std::size_t shard, CountSet&& count, const Control& control);
  std::int64_t at_least(const Tally& tally) const;

  std::size_t classes_;
  std::vector<std::int64_t> costs_;
  std::map<std::size_t, std::int64_t> least_;
  std::map<FeatureSet, Tally> sets_;
  std::optional<std::int64_t> best_;
};

// Of the sets that cost `best` over all rows, and of what is left of them without features that they can do without:
// one with as few features as possible, the first of these by list. Where the control stops, or more than `most` of
// them were looked at, the first of those that were, and not `settled`.
struct Winner {
  FeatureSet features;
  CellCounts counts;
  bool settled = true;
};
Winner first_of_fewest(const std::map<FeatureSet, CellCounts>& sets, const FeatureSet& required, std::size_t classes,
                       const std::vector<std::int64_t>& costs, std::int64_t best, std::size_t most,
                       const Control& control);

}  // namespace beadwork::detail
