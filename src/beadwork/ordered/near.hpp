#pragma once
// All sets below a limit, by size: those that need each of their cuts to be below it come from the tree, the others
// are a smaller set with any cut more.

#include <beadwork/ordered/run.hpp>

#include <map>

namespace beadwork::ordered {

template <class Cells>
class Near {
 public:
  // No column of the problem is required. The problem is that of one cut a family; its `choose` is changed.
  Near(Problem& problem, const std::vector<std::vector<std::uint64_t>>& copies, const OrderedOptions& options,
       const OrderedNear& near, const Control& control)
      : problem_(problem), copies_(copies), options_(options), near_(near), control_(control), choose_(problem.choose) {
    for (const WorkColumn& c : problem.columns) num_cuts_ += c.cuts.size();
  }

  NearCuts list(const OrderedOutcome& best) {
    optimum_ = best.error - problem_.base;
    std::int64_t limit = std::min(problem_.total + 1, limit_for(best));
    std::vector<Cuts> smaller;  // of one cut less, below the limit
    NearCuts out;
    bool ended = true;
    for (std::size_t size = 0; size < choose_ && ended; ++size) {
      using Follow = Gathering::Follow;
      Gathering sets(copies_, near_.most_smaller, follows() ? Follow::best : Follow::best_when_full, control_);
      ended = gather(size, limit, smaller, sets);
      smaller.clear();
      if (follows() && !sets.best().empty()) limit = sets.best().begin()->error + 1;
      for (const auto& [error, cuts] : sets.best())
        if (error < limit) smaller.push_back(cuts);
      std::sort(smaller.begin(), smaller.end());
      if (smaller.size() >= near_.most_smaller || control_.no_room_for(500 * smaller.size()) || too_many(smaller)) {
        out.idle = problem_.base + sets.best().begin()->error;
        limit = sets.best().begin()->error;
        smaller.clear();
      }
    }
    Gathering sets(copies_, near_.within ? near_.most : near_.best,
                   near_.within ? Gathering::Follow::nothing : Gathering::Follow::last, control_);
    ended = ended && gather(choose_, limit, smaller, sets);
    return told(std::move(out), sets, ended);
  }

 private:
  // Sets below this error are looked for. For the best ones: what so many sets do not exceed, as a look around a good
  // set tells.
  std::int64_t limit_for(const OrderedOutcome& best) {
    if (near_.within) return *near_.within >= problem_.total ? problem_.total + 1 : optimum_ + *near_.within + 1;
    Shared shared(problem_, options_, control_);
    Run<Cells> run(problem_, options_, shared);
    run.improve({in_work(problem_, best.cuts)}, 1, true);
    if (shared.best.size() < choose_) return problem_.total + 1;
    const auto bound = run.local().bound_on(near_.best, shared.best);
    return bound ? *bound + 1 : problem_.total + 1;
  }
  // With any cut more, a smaller set makes as many sets as are wanted.
  bool follows() const { return !near_.within && near_.best + choose_ <= num_cuts_ + 1; }

  // False where the control ended it.
  bool gather(std::size_t size, std::int64_t limit, const std::vector<Cuts>& smaller, Gathering& sets) {
    problem_.choose = size;
    Shared shared(problem_, options_, control_);
    shared.gathering = &sets;
    shared.lower = shared.upper = optimum_;
    Run<Cells> run(problem_, options_, shared);
    sets.leave_out(smaller);
    const bool ended = run.gather(limit);
    memory_limit_hit_ = memory_limit_hit_ || shared.memory_limit_hit;
    return ended && extend(smaller, run.local(), sets);
  }

  // Each set with each cut more; what several of them make is left to the first.
  bool extend(const std::vector<Cuts>& smaller, Local<Cells>& local, Gathering& sets) {
    const auto alike = by_fewer(smaller);
    for (std::size_t i = 0; i < smaller.size(); ++i) {
      Cuts taken = smaller[i];
      each_fewer(smaller[i], [&](const Cuts& fewer, const Cut&) {
        for (const auto& [cut, j] : alike.at(fewer))
          if (j < i) taken.push_back(cut);
      });
      std::sort(taken.begin(), taken.end());
      const bool ended = local.extend(smaller[i], [&](Range cuts, std::int64_t error) {
        for (auto it = std::lower_bound(taken.begin(), taken.end(), Cut{cuts.column, cuts.lo});
             it != taken.end() && it->column == cuts.column && it->rank <= cuts.hi; ++it) {
          if (it->rank > cuts.lo) sets.extend(smaller[i], {cuts.column, cuts.lo, it->rank - 1}, error);
          cuts.lo = it->rank + 1;
        }
        if (cuts.lo <= cuts.hi) sets.extend(smaller[i], cuts, error);
      });
      if (!ended) return false;
    }
    return true;
  }

  template <class F>
  static void each_fewer(const Cuts& set, F&& f) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      Cuts fewer = set;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      f(fewer, set[i]);
    }
  }
  // The sets that share all but one cut: that cut of each, and its number.
  using Alike = std::map<Cuts, std::vector<std::pair<Cut, std::size_t>>>;
  static Alike by_fewer(const std::vector<Cuts>& sets) {
    Alike out;
    for (std::size_t i = 0; i < sets.size(); ++i)
      each_fewer(sets[i], [&](const Cuts& fewer, const Cut& cut) { out[fewer].emplace_back(cut, i); });
    return out;
  }
  static bool too_many(const std::vector<Cuts>& sets) {
    std::size_t pairs = 0;
    for (const auto& [_, alike] : by_fewer(sets)) pairs += alike.size() * alike.size();
    return pairs > kMostPairs;
  }

  NearCuts told(NearCuts out, const Gathering& sets, bool ended) const {
    out.complete = ended && (!out.idle || (!near_.within && sets.full()));
    if (out.complete || !ended) out.idle.reset();
    out.memory_limit_hit = memory_limit_hit_;
    for (const auto& [error, cuts] : sets.best())
      out.sets.push_back({in_data(problem_, cuts), problem_.base + error, sets.copies_of(cuts)});
    out.num_sets = near_.within ? sets.num_sets() : out.sets.size();
    out.num_copies = near_.within ? sets.num_copies() : 0;
    if (!near_.within)
      for (const NearCuts::Set& s : out.sets) out.num_copies = plus(out.num_copies, s.copies);
    return out;
  }

  static constexpr std::size_t kMostPairs = 100000000;

  Problem& problem_;
  const std::vector<std::vector<std::uint64_t>>& copies_;
  const OrderedOptions& options_;
  const OrderedNear& near_;
  const Control& control_;
  const std::size_t choose_;
  std::int64_t optimum_ = 0;  // without the base
  std::size_t num_cuts_ = 0;
  bool memory_limit_hit_ = false;
};

}  // namespace beadwork::ordered
