#pragma once
// The sets below a limit, as the tree meets them: a choice of one cut from each of some classes. The cuts of a class
// part the rows that still matter alike, so all these sets err alike, and no set is met twice (docs/ordered.md).

#include <beadwork/ordered/problem.hpp>

#include <mutex>
#include <set>

namespace beadwork::ordered {

// Saturating at 2^64 - 1.
inline std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
inline std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

class Gathering {
 public:
  struct Set {
    std::int64_t error;
    std::vector<Cut> cuts;  // of work columns, increasing
    friend auto operator<=>(const Set&, const Set&) = default;
  };

  // `copies` counts, for each work column, the copies of its first 0, 1, .. cuts. The best `most` sets are kept and all
  // are counted; with `shrinking` nothing is counted, and the limit follows the worst of the kept ones.
  Gathering(std::vector<std::vector<std::uint64_t>> copies, std::size_t most, bool shrinking)
      : copies_(std::move(copies)), most_(most), shrinking_(shrinking) {}

  // Returns the limit from here on.
  std::int64_t add(std::vector<Range> classes, std::int64_t error) {
    const auto before = [](const Range& a, const Range& b) {
      return a.column != b.column ? a.column < b.column : a.lo < b.lo;
    };
    std::sort(classes.begin(), classes.end(), before);
    const std::lock_guard lock(mutex_);
    if (!shrinking_) count(classes);
    keep(classes, error);
    return shrinking_ && full() ? best_.rbegin()->error + 1 : INT64_MAX;
  }

  bool full() const { return best_.size() >= most_; }
  const std::set<Set>& best() const { return best_; }
  std::uint64_t num_sets() const { return num_sets_; }
  std::uint64_t num_copies() const { return num_copies_; }
  std::uint64_t copies_of(const std::vector<Cut>& cuts) const {
    std::uint64_t out = 1;
    for (const Cut& c : cuts) out = times(out, copies_in({c.column, c.rank, c.rank}));
    return out;
  }

 private:
  std::uint64_t copies_in(const Range& r) const { return copies_[r.column][r.hi + 1] - copies_[r.column][r.lo]; }

  void count(const std::vector<Range>& classes) {
    std::uint64_t sets = 1, copies = 1;
    for (const Range& r : classes) {
      sets = times(sets, r.hi - r.lo + 1);
      copies = times(copies, copies_in(r));
    }
    num_sets_ = plus(num_sets_, sets);
    num_copies_ = plus(num_copies_, copies);
  }

  // In lexicographic order, until one is no better than the worst that is kept.
  void keep(const std::vector<Range>& classes, std::int64_t error) {
    if (full() && (most_ == 0 || error > best_.rbegin()->error)) return;
    Set set{error, {}};
    for (const Range& r : classes) set.cuts.push_back({r.column, r.lo});
    for (;;) {
      if (full() && *best_.rbegin() < set) return;
      best_.insert(set);
      if (best_.size() > most_) best_.erase(std::prev(best_.end()));
      std::size_t i = classes.size();
      while (i > 0 && set.cuts[i - 1].rank == classes[i - 1].hi) --i;
      if (i == 0) return;
      ++set.cuts[i - 1].rank;
      for (; i < classes.size(); ++i) set.cuts[i].rank = classes[i].lo;
    }
  }

  const std::vector<std::vector<std::uint64_t>> copies_;
  const std::size_t most_;
  const bool shrinking_;
  std::mutex mutex_;
  std::set<Set> best_;
  std::uint64_t num_sets_ = 0, num_copies_ = 0;
};

}  // namespace beadwork::ordered
