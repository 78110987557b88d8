#include <beadwork/shards/expansion.hpp>

#include <algorithm>
#include <map>

namespace beadwork::detail {
namespace {

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

// Free features of the whole by their family in the shard. Idle ones change no cell there: they are constant, or in the
// family of a required feature.
struct Pools {
  std::map<std::uint32_t, FeatureSet> of_family;
  FeatureSet idle;
  bool one_each() const {
    return idle.empty() &&
           std::all_of(of_family.begin(), of_family.end(), [](const auto& pool) { return pool.second.size() == 1; });
  }
};

Pools pools_of(const WholeSets& whole, const LocalFamilies& families) {
  Pools out;
  std::vector<std::uint32_t> taken{LocalFamilies::kConstant};
  for (const Feature f : whole.required) taken.push_back(families.of[f()].family);
  for (const Feature f : whole.free) {
    const std::uint32_t family = families.of[f()].family;
    const bool idle = std::find(taken.begin(), taken.end(), family) != taken.end();
    (idle ? out.idle : out.of_family[family]).push_back(f);
  }
  return out;
}

// The sets of a shard without some of their features, down to those that no longer cost less than `below`, each once.
// Where they become too many, `below` is lowered: a set costs no less than those that it is a part of, so all sets that
// cost less than that are still there.
class Subsets {
 public:
  Subsets(const WholeSets& whole, std::size_t classes, std::int64_t below, std::size_t most, const Control& control)
      : whole_(whole), classes_(classes), below_(below), most_(most), control_(control) {}

  void add(const FeatureSet& set, const CellCounts& counts) {
    const std::int64_t cost = cells_cost(counts, classes_, whole_.costs);
    if (cost >= below_ || !costs_.try_emplace(set, cost).second) return;
    if (costs_.size() > most_) halve();
    each_smaller(set, counts, classes_, whole_.required, [&](const FeatureSet& smaller, auto&& count) {
      if (!stopped() && !costs_.contains(smaller)) add(smaller, count());
    });
  }
  std::vector<ListedSet> by_cost() const {
    std::vector<ListedSet> out;
    for (const auto& [set, cost] : costs_) out.push_back({set, cost});
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
    return out;
  }
  std::int64_t below() const { return below_; }
  bool stopped() {
    stopped_ = stopped_ || control_.stopping();
    return stopped_;
  }

 private:
  void halve() {
    std::vector<std::int64_t> costs;
    for (const auto& [set, cost] : costs_) costs.push_back(cost);
    const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
    std::nth_element(costs.begin(), middle, costs.end());
    below_ = *middle;
    std::erase_if(costs_, [&](const auto& s) { return s.second >= below_; });
  }

  const WholeSets& whole_;
  std::size_t classes_;
  std::int64_t below_;
  std::size_t most_;
  const Control& control_;
  bool stopped_ = false;
  std::map<FeatureSet, std::int64_t> costs_;
};

// The pools of a set's families, none of which may stay untouched, and the idle features last, which may.
std::vector<const FeatureSet*> pools_for(const FeatureSet& set, const Pools& pools, const WholeSets& whole,
                                         const LocalFamilies& families) {
  std::vector<const FeatureSet*> out;
  for (const Feature f : set)
    if (!std::binary_search(whole.required.begin(), whole.required.end(), f))
      out.push_back(&pools.of_family.at(families.of[f()].family));
  out.push_back(&pools.idle);
  return out;
}

// In how many ways can `choose` features be taken? Coefficients of the product of (1 + x)^size - 1 over the pools, the
// last one without the - 1.
std::uint64_t num_choices(const std::vector<const FeatureSet*>& pools, std::size_t choose) {
  std::vector<std::uint64_t> ways(choose + 1);
  ways[0] = 1;
  for (std::size_t p = 0; p < pools.size(); ++p) {
    std::vector<std::uint64_t> next(choose + 1), row(choose + 1);
    row[0] = 1;
    for (std::size_t n = 0; n < pools[p]->size(); ++n)
      for (std::size_t k = choose; k > 0; --k) row[k] = plus(row[k], row[k - 1]);
    for (std::size_t taken = p + 1 < pools.size() ? 1 : 0; taken <= choose; ++taken)
      for (std::size_t k = 0; k + taken <= choose; ++k)
        next[k + taken] = plus(next[k + taken], times(ways[k], row[taken]));
    ways = std::move(next);
  }
  return ways[choose];
}

// All of these choices, each with the required features.
class Choices {
 public:
  Choices(const std::vector<const FeatureSet*>& pools, const WholeSets& whole, std::vector<FeatureSet>& out)
      : pools_(pools), out_(out), set_(whole.required) {
    choose(0, 0, false, whole.choose);
  }

 private:
  // The features of pool p from place i on; `left` are still to be chosen.
  void choose(std::size_t p, std::size_t i, bool touched, std::size_t left) {
    const std::size_t last = pools_.size() - 1;
    if (left == 0) {
      if (p == last || (touched && p + 1 == last)) emit();
      return;
    }
    for (std::size_t j = i; j < pools_[p]->size(); ++j) {
      set_.push_back((*pools_[p])[j]);
      choose(p, j + 1, true, left - 1);
      set_.pop_back();
    }
    if (p < last && touched) choose(p + 1, 0, false, left);
  }
  void emit() {
    out_.push_back(set_);
    std::sort(out_.back().begin(), out_.back().end());
  }

  const std::vector<const FeatureSet*>& pools_;
  std::vector<FeatureSet>& out_;
  FeatureSet set_;
};

}  // namespace

Expanded expand(const std::vector<ListedSet>& list, std::int64_t below, const WholeSets& whole,
                const LocalFamilies& families, SetCounter& counter, std::size_t classes, const ExpansionLimits& most,
                const Control& control) {
  Expanded out{{}, below};
  const Pools pools = pools_of(whole, families);
  std::vector<ListedSet> sets;
  if (pools.one_each()) {
    for (const ListedSet& s : list)
      if (s.cost < below) sets.push_back(s);
    std::stable_sort(sets.begin(), sets.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
  } else {
    Subsets subsets(whole, classes, below, most.subsets, control);
    for (const ListedSet& s : list) {
      subsets.add(s.features, counter.count(s.features));
      if (subsets.stopped()) return {{}, 0};
    }
    sets = subsets.by_cost();
    out.below = subsets.below();
  }
  std::uint64_t total = 0;
  std::size_t fit = 0;
  for (; fit < sets.size(); ++fit) {  // what costs as much as the first that does not fit is left out with it
    total = plus(total, num_choices(pools_for(sets[fit].features, pools, whole, families), whole.choose));
    if (total > most.sets || control.stopping()) {
      out.below = sets[fit].cost;
      break;
    }
  }
  for (std::size_t i = 0; i < fit && sets[i].cost < out.below; ++i)
    Choices(pools_for(sets[i].features, pools, whole, families), whole, out.sets);
  return out;
}

}  // namespace beadwork::detail
