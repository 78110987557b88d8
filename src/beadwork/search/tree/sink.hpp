#pragma once
// Where a search tree brings the sets it finds, and where it learns what is still worth finding.

#include <beadwork/search/problem/problem.hpp>

#include <atomic>
#include <functional>
#include <mutex>
#include <set>

namespace beadwork::detail {

class Sink {
 public:
  virtual ~Sink() = default;
  // Only sets with an error below the limit are of interest. It never grows.
  std::int64_t limit() const { return limit_.load(std::memory_order_relaxed); }
  virtual void offer(Candidates set, std::int64_t error) = 0;
  // Is only the best set wanted? Then below a node whose own error is e, sets of error e matter no more once
  // the least of them was offered.
  virtual bool best_only() const { return false; }
  // Would offering this set change anything if its error were this?
  virtual bool improves(const Candidates&, std::int64_t) { return true; }
  // Are ties so many that it pays to ask cap_of about a node?
  bool many_ties() const { return many_ties_.load(std::memory_order_relaxed); }
  // Errors from here on are of no interest in a part of the tree where `least` is the first conceivable set.
  virtual std::int64_t cap_of(const Candidates&) { return INT64_MAX; }
  // Should the search stop and be taken up in another way?
  virtual bool gives_up() const { return false; }

 protected:
  std::atomic<std::int64_t> limit_{INT64_MAX};
  std::atomic<bool> many_ties_{false};
};

// The best set: least error, then lexicographically least. While ties are few, the search goes through all of
// them (limit = error + 1), which costs less than a second search; when they become many it stops doing so,
// and ties_complete() turns false: the caller then finds the first set by FirstOptimum.
class Incumbent : public Sink {
 public:
  explicit Incumbent(std::uint64_t max_ties) : max_ties_(max_ties), ties_complete_(max_ties > 0) {}
  void offer(Candidates set, std::int64_t error) override;
  bool best_only() const override { return true; }
  bool improves(const Candidates& set, std::int64_t error) override;
  std::int64_t cap_of(const Candidates& least) override;

  bool known() const { return error_ != INT64_MAX; }
  std::int64_t error() const { return error_; }
  Candidates set() const;
  bool ties_complete() const { return ties_complete_; }
  void give_up_ties();
  // This set has the incumbent's error, and is the first that has.
  void settle_ties(Candidates set);

 private:
  mutable std::mutex mutex_;
  std::atomic<std::int64_t> error_{INT64_MAX};
  Candidates set_;
  std::uint64_t max_ties_, ties_ = 0;
  std::atomic<bool> ties_complete_;
};

// The lexicographically first set of the least error, which is known.
class FirstOptimum : public Sink {
 public:
  explicit FirstOptimum(std::int64_t error) : error_(error) {
    limit_ = error + 1;
    many_ties_ = true;
  }
  void offer(Candidates set, std::int64_t error) override;
  bool best_only() const override { return true; }
  bool improves(const Candidates& set, std::int64_t error) override;
  std::int64_t cap_of(const Candidates& least) override;
  const Candidates& set() const { return set_; }  // empty: none was found

 private:
  std::int64_t error_;
  std::mutex mutex_;
  Candidates set_;
};

// Any set below a limit, then nothing.
class FirstFound : public Sink {
 public:
  explicit FirstFound(std::int64_t limit) { limit_ = limit; }
  void offer(Candidates set, std::int64_t error) override;
  bool best_only() const override { return true; }
  const Candidates& set() const { return set_; }

 private:
  std::mutex mutex_;
  Candidates set_;
};

struct FoundSet {
  std::int64_t error = 0;
  Candidates set;
  friend auto operator<=>(const FoundSet&, const FoundSet&) = default;
};

// All sets below a limit, the best `most` of them kept, all of them counted, with the copies that aliases
// make. With `shrinking`, the limit follows the worst of the kept ones (ties stay of interest), and nothing
// is counted.
class Collector : public Sink {
 public:
  Collector(const Problem& problem, std::int64_t limit, std::size_t most, bool shrinking)
      : problem_(&problem), most_(most), shrinking_(shrinking) {
    limit_ = limit;
  }
  // Called for each set that is kept, one at a time: errors from what it returns on are of no interest any more.
  void listen(std::function<std::int64_t(const Candidates&)> listener) { listener_ = std::move(listener); }
  void offer(Candidates set, std::int64_t error) override;
  const std::set<FoundSet>& found() const { return found_; }
  std::uint64_t num_sets() const { return num_sets_; }
  std::uint64_t num_copies() const { return num_copies_; }

 private:
  const Problem* problem_;
  std::size_t most_;
  bool shrinking_;
  std::function<std::int64_t(const Candidates&)> listener_;
  std::mutex mutex_;
  std::set<FoundSet> found_;
  std::uint64_t num_sets_ = 0, num_copies_ = 0;
};

// Saturating at 2^64 - 1.
std::uint64_t copies(const Problem& problem, const Candidates& set);
inline std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

}  // namespace beadwork::detail
