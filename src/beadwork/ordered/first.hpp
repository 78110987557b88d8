#pragma once
// The first optimal set: the fewest cuts, then the least list of columns and cuts. Threads share the root's boxes, each
// taking the first one that nobody has. What one thread would have done before the find is added up from the steps of
// the boxes before it, so whether the budget is enough does not depend on the number of threads (docs/ordered.md).

#include <beadwork/ordered/tree.hpp>

#include <condition_variable>
#include <map>
#include <memory>
#include <tuple>

namespace beadwork::ordered {

template <class Cells>
class First {
 public:
  using Trees = std::vector<std::unique_ptr<Tree<Cells>>>;

  First(const Problem& problem, Shared& shared, Trees& trees, const std::vector<Range>& all)
      : problem_(problem), shared_(shared), trees_(trees), all_(all) {}

  // Of the sets with the incumbent's error, which is proven; it becomes the incumbent. False where it takes more steps
  // than the budget, or where the control ends it. Contract: no column is required.
  bool find(std::uint64_t budget) {
    budget_ = budget;
    shared_.first_only = true;
    shared_.budget = 0;
    for (std::uint32_t size = 0; size <= problem_.choose && !shared_.stop && steps_ <= budget_; ++size) {
      shared_.limit = shared_.upper + 1;
      solve_size(size);
      if (!ended_) continue;
      if (!found_ || steps_ > budget_ || shared_.stop) return false;
      shared_.upper = std::min(shared_.upper, found_->second);
      shared_.best = found_->first;
      return true;
    }
    return false;
  }

 private:
  // A box of the root, candidates i..j of segment x. One thread would come to a box, its left half, its right half.
  struct Place {
    std::uint32_t x, i, j;
    friend bool operator<(const Place& a, const Place& b) { return std::tie(a.x, a.i, b.j) < std::tie(b.x, b.i, a.j); }
  };
  using ScoredSet = std::optional<std::pair<std::vector<Cut>, std::int64_t>>;

  // Sets of this size.
  void solve_size(std::uint32_t size) {
    Tree<Cells>& tree = *trees_.front();
    const auto all = tree.root().error;
    if (size == 0) {
      if (all < shared_.limit) end({}, {{std::vector<Cut>{}, all}});
      return;
    }
    if (problem_.num_rows < 2) return;
    const std::uint64_t before = tree.steps();
    tree.begin_first(budget_ - steps_);
    if (size == 1) tree.solve_one(all_);
    const bool open = size > 1 && tree.open(0, size, all_);
    steps_ += tree.steps() - before;
    if (tree.halted) end({}, tree.first);
    if (open) share(size);
  }

  void share(std::uint32_t size) {
    const Tree<Cells>& tree = *trees_.front();
    for (std::uint32_t x = 0; x < tree.num_branches(0); ++x) {
      const auto& s = tree.root().segments[x];
      if (!tree.hopeless(0, size, x)) waiting_[{x, s.first, s.last}] = tree.partners(0, x);
    }
    together(
        trees_.size(), [&](std::size_t i) { work(*trees_[i], size); }, shared_.control);
    add_steps();
  }

  void work(Tree<Cells>& tree, std::uint32_t size) try {
    std::uint32_t segment = UINT32_MAX;
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return !waiting_.empty() || running_.empty() || shared_.stop; });
      if (waiting_.empty() || shared_.stop) break;
      const Place at = waiting_.begin()->first;
      const std::vector<Range> partners = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      running_[at] = &tree;
      tree.begin_first(budget_ - std::min(budget_, steps_));
      lock.unlock();
      const std::uint64_t before = tree.steps();
      if (segment != at.x) tree.begin_box(0, tree.root().segments[at.x].column);
      segment = at.x;
      std::vector<Range> alive;
      const bool halving = tree.test(0, at.x, at.i, at.j, size, 0, partners, alive) && at.i < at.j;
      shared_.poll(0);
      lock.lock();
      running_.erase(at);
      finish(tree, at, tree.steps() - before, halving ? &alive : nullptr);
      changed_.notify_all();
    }
    changed_.notify_all();
  } catch (const std::bad_alloc&) {
    shared_.stop = shared_.quit = shared_.memory_limit_hit = true;
    changed_.notify_all();
  }

  void finish(const Tree<Cells>& tree, const Place& at, std::uint64_t steps, const std::vector<Range>* alive) {
    if (ended_ && *ended_ < at) return;
    done_[at] = steps;
    if (tree.halted) {
      end(at, tree.first);
    } else if (alive != nullptr) {
      const std::uint32_t m = tree.middle(0, at.i, at.j);
      waiting_[{at.x, at.i, m}] = *alive;
      waiting_[{at.x, m + 1, at.j}] = *alive;
    }
    add_steps();
    if (steps_ > budget_) end({0, 0, UINT32_MAX}, {});  // before all
  }

  // What comes after this place does not matter.
  void end(const Place& at, ScoredSet found) {
    ended_ = at;
    found_ = std::move(found);
    waiting_.erase(waiting_.upper_bound(at), waiting_.end());
    done_.erase(done_.upper_bound(at), done_.end());
    for (auto it = running_.upper_bound(at); it != running_.end(); ++it) it->second->halted = true;
  }

  // Adds up the steps of the boxes before all that are not done.
  void add_steps() {
    while (!done_.empty()) {
      const auto least = done_.begin();
      if (!waiting_.empty() && waiting_.begin()->first < least->first) return;
      if (!running_.empty() && running_.begin()->first < least->first) return;
      steps_ += least->second;
      done_.erase(least);
    }
  }

  const Problem& problem_;
  Shared& shared_;
  Trees& trees_;
  const std::vector<Range>& all_;
  std::uint64_t budget_ = 0;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::map<Place, std::vector<Range>> waiting_;  // with what the other cuts may be chosen from
  std::map<Place, Tree<Cells>*> running_;
  std::map<Place, std::uint64_t> done_;  // with their steps, where they are not added up yet
  std::uint64_t steps_ = 0;              // of the smaller sizes, and of the boxes before all that are not done
  std::optional<Place> ended_;           // at a find, or where the steps are too many
  ScoredSet found_;
};

}  // namespace beadwork::ordered
