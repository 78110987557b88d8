#pragma once
// Chooses the backend for a problem and runs phases on it.

#include <beadwork/search/run/run.hpp>

namespace beadwork::detail {

struct Checkpoints {
  double seconds = 0;
  // Called with what is needed for a state.
  std::function<void(std::vector<SearchRange> done, std::int64_t lower_bound, const std::vector<std::uint32_t>& order)>
      write;
};

struct Phase {
  std::size_t choose = 0;
  unsigned threads = 1;
  Kernel kernel = Kernel::automatic;
  Bounds bounds;
  const Control* control = nullptr;
  std::uint64_t seed = 1;
  std::size_t restarts = 0;       // local search first, if any
  Deadline local_until;           // as in SearchOptions
  std::vector<Candidates> start;  // sets to begin with
  bool tree = true;               // then the tree
  Checkpoints checkpoints;
  std::function<std::int64_t()> upper_bound;         // as in RunOptions
  bool by_feature = false;                           // as in RunOptions
  std::uint64_t tie_work = UINT64_MAX;               // as in RunOptions
  std::uint64_t short_run = 0, poll_effort = 0;      // as in SearchOptions
  std::int64_t proven = 0;                           // no set errs by less
  const std::vector<SearchRange>* resume = nullptr;  // done before
  std::vector<std::uint32_t> resume_order;           // that these ranges refer to
  bool part = false;                                 // as in RunOptions
  double exchange_seconds = 1;
  std::function<std::optional<std::pair<Candidates, std::int64_t>>()> exchange;  // as in RunOptions
  std::size_t parts = 0;  // not a search: only what its work would be, for so many parts
};

struct PhaseResult {
  bool finished = false;
  bool out_of_memory = false;
  TreeStats stats;
  std::vector<std::uint32_t> order;  // candidate of each search position
  std::vector<SearchRange> done;
  std::int64_t lower_bound = 0;  // of what is not done; INT64_MAX if all is
  std::vector<WorkUnit> work;    // where phase.parts asks for it
};

PhaseResult run_phase(const Problem& problem, Sink& sink, const Phase& phase);
// What the options say about every phase.
Phase phase_for(const Problem& problem, const SearchOptions& options, const Control& control);

}  // namespace beadwork::detail
