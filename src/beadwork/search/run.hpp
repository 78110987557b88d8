#pragma once
// One search from start to end: units of work, threads, deadlines, checkpoints, the lower bound.
//
// A unit is what lies below one prefix of search positions: one position for up to four features to choose,
// two for more. Units are handed out in order, the heaviest first, to as many workers as there are threads;
// the node above the second positions is built once and shared, read-only. The done units make the ranges of
// a state.

#include <beadwork/search/state.hpp>
#include <beadwork/search/tree.hpp>

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <map>
#include <memory>

namespace beadwork::detail {

struct RunOptions {
  unsigned threads = 1;
  double checkpoint_seconds = 0;
  std::function<void()> checkpoint;           // called between units; may ask for done() and lower_bound()
  std::function<std::int64_t()> upper_bound;  // for progress; may be empty
};

struct RunResult {
  bool finished = false;
  bool out_of_memory = false;
  TreeStats stats;
};

template <class B>
class Run {
 public:
  // The backend's root is made here; `shared.order` is filled in.
  Run(B& backend, Shared& shared, const RunOptions& options);

  void resume(const std::vector<SearchRange>& done);
  RunResult go();
  std::vector<SearchRange> done() const;
  // No set outside the done ranges has a smaller error.
  std::int64_t lower_bound() const;

 private:
  using Node = typename B::Node;
  using Cursor = typename Tree<B>::Cursor;

  // The node of one first position, opened for its second positions.
  struct Level {
    explicit Level(MemoryBudget& budget) : arena(budget) {}
    Arena arena;
    Node node;
    std::uint32_t t = 0, next = 0, undone = 0;
    std::vector<char> done;            // second positions
    std::vector<std::int64_t> bounds;  // lower bound below each
  };
  struct Unit {
    std::shared_ptr<Level> level;  // null: a single position
    std::uint32_t position = 0;
  };

  std::optional<Unit> next_unit();
  std::shared_ptr<Level> open_level(std::uint32_t t);
  void work(Tree<B>& tree);
  bool work_on(Tree<B>& tree, const Unit& unit, Cursor& cursor);
  void finish(const Unit& unit, bool rest_too);
  void tick();
  std::uint32_t size() const { return static_cast<std::uint32_t>(shared_->order.size()); }

  B* backend_;
  Shared* shared_;
  RunOptions options_;
  std::uint32_t choose_;
  bool two_levels_;
  Arena arena_;
  Node root_;
  std::vector<std::int64_t> bounds_;  // below each first position

  mutable std::mutex mutex_;  // guards what follows
  std::unique_ptr<Tree<B>> planner_;
  Cursor planner_cursor_;
  std::uint32_t next_ = 0;
  std::vector<char> done_;                                // first positions
  std::map<std::uint32_t, std::shared_ptr<Level>> open_;  // unfinished levels by first position
  std::map<std::uint32_t, std::vector<char>> resumed_;    // second positions done before
  std::shared_ptr<Level> current_;

  std::mutex tick_mutex_;
  Stopwatch clock_;
  double next_report_ = 0.1, next_checkpoint_ = 0;
  std::atomic<bool> out_of_memory_{false};
};

}  // namespace beadwork::detail

#include <beadwork/search/run_impl.hpp>
