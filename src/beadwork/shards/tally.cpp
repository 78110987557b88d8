#include <beadwork/shards/tally.hpp>

#include <algorithm>
#include <set>

namespace beadwork::detail {

void Tallies::expect(std::size_t shard, std::int64_t least) {
  least_[shard] = least;
}

void Tallies::add(const FeatureSet& set) {
  sets_.try_emplace(set);
}

// Shards that were not seen cost at least their optimum; those that were, together at least what they cost as one.
std::int64_t Tallies::at_least(const Tally& tally) const {
  std::int64_t sum = tally.counts.empty() ? 0 : cost(tally);
  for (const auto& [shard, least] : least_)
    if (shard >= tally.seen.size() || !tally.seen[shard]) sum += least;
  return sum;
}

template <class CountSet>
void Tallies::count_all(std::size_t shard, CountSet&& count, const Control& control) {
  for (auto& [set, tally] : sets_) {
    if (shard < tally.seen.size() && tally.seen[shard]) continue;
    if (control.stopping()) return;
    if (tally.seen.size() <= shard) tally.seen.resize(shard + 1);
    tally.seen[shard] = true;
    const CellCounts here = count(set);
    if (tally.counts.empty())
      tally.counts = here;
    else
      std::transform(here.begin(), here.end(), tally.counts.begin(), tally.counts.begin(), std::plus<>());
  }
}

void Tallies::count(std::size_t shard, SetCounter& counter, const Control& control) {
  count_all(
      shard, [&](const FeatureSet& set) { return counter.count(set); }, control);
}

void Tallies::count(std::size_t shard, const Dataset& rows, const Control& control) {
  count_all(
      shard, [&](const FeatureSet& set) { return count_cells(rows, set); }, control);
}

void Tallies::drop() {
  const auto seen_all = [&](const Tally& tally) {
    return std::all_of(least_.begin(), least_.end(),
                       [&](const auto& s) { return s.first < tally.seen.size() && tally.seen[s.first]; });
  };
  for (auto& [set, tally] : sets_) {
    tally.complete = seen_all(tally);
    if (tally.complete) best_ = std::min(best_.value_or(INT64_MAX), cost(tally));
  }
  if (best_) std::erase_if(sets_, [&](const auto& s) { return at_least(s.second) > *best_; });
}

bool Tallies::wants(std::size_t shard) const {
  return std::any_of(sets_.begin(), sets_.end(),
                     [&](const auto& s) { return shard >= s.second.seen.size() || !s.second.seen[shard]; });
}

std::int64_t Tallies::least_open() const {
  std::int64_t least = INT64_MAX;
  for (const auto& [set, tally] : sets_)
    if (!tally.complete) least = std::min(least, at_least(tally));
  return least;
}

namespace {

// Goes from a set to those of its subsets that cost as little, and remembers the first of the smallest. Where all of
// them cost as little there are 2^depth, so it looks at the control; but first it does what takes no time to speak of.
class Sparing {
 public:
  Sparing(const FeatureSet& required, std::size_t classes, const std::vector<std::int64_t>& costs, std::int64_t best,
          std::size_t most, const Control& control)
      : required_(required), classes_(classes), costs_(costs), best_(best), most_(most), control_(control) {}

  void visit(const FeatureSet& set, const CellCounts& counts) {
    work_ += counts.size();
    if (!seen_.insert(set).second || cells_cost(counts, classes_, costs_) != best_) return;
    if (!winner_ || set.size() < winner_->features.size() ||
        (set.size() == winner_->features.size() && set < winner_->features))
      winner_ = Winner{set, counts, true};
    each_smaller(set, counts, classes_, required_, [&](const FeatureSet& smaller, auto&& count) {
      if (!ending() && !seen_.contains(smaller)) visit(smaller, count());
    });
  }
  Winner take() {
    winner_->settled = !ended_;
    return *std::move(winner_);
  }

 private:
  bool ending() {
    constexpr std::size_t kNoTime = std::size_t{1} << 22;
    ended_ = ended_ || seen_.size() > most_ || (work_ > kNoTime && control_.stopping());
    return ended_;
  }

  const FeatureSet& required_;
  std::size_t classes_;
  const std::vector<std::int64_t>& costs_;
  std::int64_t best_;
  std::size_t most_;
  const Control& control_;
  std::size_t work_ = 0;  // counts looked at
  bool ended_ = false;
  std::set<FeatureSet> seen_;
  std::optional<Winner> winner_;
};

}  // namespace

Winner first_of_fewest(const std::map<FeatureSet, CellCounts>& sets, const FeatureSet& required, std::size_t classes,
                       const std::vector<std::int64_t>& costs, std::int64_t best, std::size_t most,
                       const Control& control) {
  Sparing sparing(required, classes, costs, best, most, control);
  for (const auto& [set, counts] : sets) sparing.visit(set, counts);
  return sparing.take();
}

}  // namespace beadwork::detail
