#pragma once
// The sets below a limit, as the tree meets them: a choice of one cut from each of some classes. The cuts of a class
// part the rows that still matter alike, so all these sets err alike, and no set is met twice (docs/ordered.md).

#include <beadwork/ordered/problem.hpp>

#include <algorithm>
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

using Cuts = std::vector<Cut>;  // of work columns, increasing

class Gathering {
 public:
  struct Set {
    std::int64_t error;
    Cuts cuts;
    friend auto operator<=>(const Set&, const Set&) = default;
  };

  // What the limit falls to: the error of the best set, of the last one kept once all places are taken, or then that of
  // the best set. Sets of that error are still met.
  enum class Follow { nothing, best, last, best_when_full };

  // `copies` counts, for each work column, the copies of its first 0, 1, .. cuts. All sets are counted and the best
  // `most` are kept.
  Gathering(const std::vector<std::vector<std::uint64_t>>& copies, std::size_t most, Follow follow,
            const Control& control)
      : copies_(copies), most_(most), follow_(follow), control_(control) {}

  // Leaves out what the tree meets with one cut too many: one of these, with one more cut. They are increasing.
  void leave_out(std::vector<Cuts> smaller) { smaller_ = std::move(smaller); }

  // Returns the limit from here on.
  std::int64_t add(std::vector<Range> classes, std::int64_t error) {
    const std::lock_guard lock(mutex_);
    sort(classes);
    if (smaller_.empty())
      take(classes, error);
    else
      each_of(classes, [&](const Cuts& cuts) {
        std::vector<Range> one;
        for (const Cut& c : cuts) one.push_back({c.column, c.rank, c.rank});
        if (!too_large(cuts)) take(one, error);
        return ++looked_ % 65536 == 0 && control_.stopping();
      });
    return limit();
  }
  // The same for a set with one cut more: classes of such cuts that leave_out is not about.
  std::int64_t extend(const Cuts& set, const Range& more, std::int64_t error) {
    const std::lock_guard lock(mutex_);
    std::vector<Range> classes{more};
    for (const Cut& c : set) classes.push_back({c.column, c.rank, c.rank});
    sort(classes);
    take(classes, error);
    return limit();
  }

  bool full() const { return best_.size() >= most_; }
  const std::set<Set>& best() const { return best_; }
  std::uint64_t num_sets() const { return num_sets_; }
  std::uint64_t num_copies() const { return num_copies_; }
  std::uint64_t copies_of(const Cuts& cuts) const {
    std::uint64_t out = 1;
    for (const Cut& c : cuts) out = times(out, copies_in({c.column, c.rank, c.rank}));
    return out;
  }

 private:
  static void sort(std::vector<Range>& classes) {
    std::sort(classes.begin(), classes.end(),
              [](const Range& a, const Range& b) { return a.column != b.column ? a.column < b.column : a.lo < b.lo; });
  }
  std::uint64_t copies_in(const Range& r) const { return copies_[r.column][r.hi + 1] - copies_[r.column][r.lo]; }
  std::int64_t limit() const {
    if (best_.empty() || follow_ == Follow::nothing || (follow_ != Follow::best && !full())) return INT64_MAX;
    return (follow_ == Follow::last ? best_.rbegin()->error : best_.begin()->error) + 1;
  }

  // The sets in lexicographic order, until f says stop.
  template <class F>
  static void each_of(const std::vector<Range>& classes, F&& f) {
    Cuts cuts;
    for (const Range& r : classes) cuts.push_back({r.column, r.lo});
    while (!f(cuts)) {
      std::size_t i = classes.size();
      while (i > 0 && cuts[i - 1].rank == classes[i - 1].hi) --i;
      if (i == 0) return;
      ++cuts[i - 1].rank;
      for (; i < classes.size(); ++i) cuts[i].rank = classes[i].lo;
    }
  }

  bool too_large(const Cuts& cuts) const {
    if (std::adjacent_find(cuts.begin(), cuts.end()) != cuts.end()) return true;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      Cuts fewer = cuts;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (std::binary_search(smaller_.begin(), smaller_.end(), fewer)) return true;
    }
    return false;
  }

  void take(const std::vector<Range>& classes, std::int64_t error) {
    std::uint64_t sets = 1, copies = 1;
    for (const Range& r : classes) {
      sets = times(sets, r.hi - r.lo + 1);
      copies = times(copies, copies_in(r));
    }
    num_sets_ = plus(num_sets_, sets);
    num_copies_ = plus(num_copies_, copies);
    if (most_ == 0 || (full() && error > best_.rbegin()->error)) return;
    each_of(classes, [&](const Cuts& cuts) {
      Set set{error, cuts};
      if (full() && *best_.rbegin() < set) return true;
      best_.insert(std::move(set));
      if (best_.size() > most_) best_.erase(std::prev(best_.end()));
      return false;
    });
  }

  const std::vector<std::vector<std::uint64_t>>& copies_;
  const std::size_t most_;
  const Follow follow_;
  const Control& control_;
  std::vector<Cuts> smaller_;
  std::mutex mutex_;
  std::set<Set> best_;
  std::uint64_t num_sets_ = 0, num_copies_ = 0, looked_ = 0;
};

}  // namespace beadwork::ordered
