#pragma once
// One search from start to end: units of work, threads, deadlines, checkpoints, the lower bound.
//
// A unit is what lies below one prefix of search positions: one position for up to four features to choose,
// two for more, and up to three where a range that is done before ends inside one of these. Units are handed out in
// order, the heaviest first, to as many workers as there are threads; the node above the last positions is built once
// and shared, read-only. The done units make the ranges of a state.
//
// Ties. Once no unit that is left can hold a set better than the incumbent, what goes on is only about which of
// the best sets is the first: RunOptions::tie_work limits it. With `by_feature` positions are features, and units
// are handed out until none can hold a set before the one found.

#include <beadwork/search/run/estimate.hpp>
#include <beadwork/search/run/ledger.hpp>
#include <beadwork/search/run/probes.hpp>

namespace beadwork::detail {

struct RunOptions {
  unsigned threads = 1;
  double checkpoint_seconds = 0;
  std::function<void()> checkpoint;           // called between units; may ask for done() and lower_bound()
  std::function<std::int64_t()> upper_bound;  // what is known; empty: nothing, and there are no ties
  bool by_feature = false;                    // look for the first set of the error that upper_bound gives
  std::uint64_t tie_work = UINT64_MAX;        // as TreeStats::work
  std::uint64_t short_run = 0;                // as in SearchOptions
  std::int64_t proven = 0;                    // no set errs by less
  bool part = false;                          // what is done before is the work of others: progress is of the rest
  double exchange_seconds = 1;
  // A set that somebody else has found and its error, if it is of use; called about so often.
  std::function<std::optional<std::pair<Candidates, std::int64_t>>()> exchange;
};

struct RunResult {
  bool finished = false;
  bool out_of_memory = false;
  TreeStats stats;
};

// The candidates by linear cap at an open root, largest first; before all, one after the other, the groups.
template <class B>
std::vector<std::uint32_t> order_by_weight(const Problem& problem, const typename B::Node& root);

template <class B>
class Run {
 public:
  // The backend's root is made here; `shared.order` is filled in. Throws Stopped.
  Run(B& backend, Shared& shared, const RunOptions& options);

  void resume(const std::vector<SearchRange>& done);
  RunResult go();
  // The work below prefixes that make so many parts, in order (estimate.hpp); nothing where there is nothing to divide.
  std::vector<WorkUnit> estimate(std::size_t parts, std::uint64_t seed);
  std::vector<SearchRange> done() const;
  // No set outside the done ranges has a smaller error.
  std::int64_t lower_bound() const;

 private:
  using Node = typename B::Node;
  using Cursor = typename Tree<B>::Cursor;

  // The node of one or two positions, opened for the next ones.
  struct Level {
    Level(MemoryBudget& budget, std::vector<std::uint32_t> above) : prefix(std::move(above)), arena(budget) {}
    const std::vector<std::uint32_t> prefix;
    Arena arena;
    Node node;
    std::uint32_t next = 0;
    std::shared_ptr<Level> deeper;  // under way; its units come first
    std::optional<Cursor> cursor;   // of the planner, where a level below was opened
  };
  struct Unit {
    std::shared_ptr<Level> level;  // null: a single position
    std::uint32_t position = 0;
  };

  std::uint32_t first_past(const Node& node) const;
  std::vector<std::int64_t> first_bounds() const;
  std::vector<std::int64_t> level_bounds(const Level& level) const;
  std::optional<Unit> next_unit();
  std::optional<Unit> next_in(Level& level, const std::shared_ptr<Level>& self);
  bool past(std::span<const std::uint32_t> prefix) const;
  std::shared_ptr<Level> open_level(std::vector<std::uint32_t> prefix, Cursor& cursor);
  void work(Tree<B>& tree);
  void finish(const Unit& unit, bool rest_too);
  void tick();
  void poll();
  void probe();
  bool ties_end();
  void exchange();
  double share() const;
  void report(std::string_view phase, double share);
  std::uint32_t size() const { return static_cast<std::uint32_t>(shared_->order.size()); }

  B* backend_;
  Shared* shared_;
  RunOptions options_;
  std::uint32_t choose_;
  bool by_weight_ = false;  // positions are in order of falling weight at the root
  const bool two_levels_;   // also where nothing is divided
  Arena arena_;
  Node root_;

  mutable std::mutex mutex_;  // guards what follows
  Ledger ledger_;
  std::unique_ptr<Tree<B>> planner_;
  Cursor planner_cursor_;
  std::uint32_t next_ = 0;
  std::shared_ptr<Level> current_;
  bool past_all_ = false;
  double done_before_ = 0;  // share of the sets, for the progress of a part

  std::mutex tick_mutex_;  // guards what follows
  Stopwatch clock_;
  double next_report_ = 0.1, next_checkpoint_ = 0, next_look_ = 0, next_exchange_ = 0;
  std::optional<std::uint64_t> proven_at_;  // the work done when only ties were left
  std::atomic<bool> out_of_memory_{false};

  std::atomic<std::int64_t> proven_;  // no set errs by less
  std::mutex probe_mutex_;            // guards what follows
  std::optional<Probes<B>> probes_;
};

}  // namespace beadwork::detail
