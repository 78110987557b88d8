#pragma once
#include <beadwork/dataset.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace beadwork {

enum class Kernel { automatic, portable, avx2, avx512 };

// What may prune; all are sound, so switching one off changes the time and nothing else. The proofs are
// in docs/search.md, under these names.
struct Bounds {
  bool linear_cap = true;    // dead nodes and features, and the order of branching
  bool gain_cap = true;      // on the last pairs
  bool cell_bound = true;    // on the last pairs, where it pays
  bool cancellation = true;  // opposite rows that the remaining candidates cannot part
};

// For tests and measurements: how the search spends its time. The answers that it proves stay the same.
struct SearchEffort {
  Bounds bounds;
  std::size_t restarts = 30;  // of the local search that gives the first incumbent; fewer where rows are many
  // Up to `max_ties` ties are looked through in passing; what is left once the error is proven is limited to `tie_work`
  // (rows times features that are counted; the default takes about half a second), then SearchOutcome::tie_canonical
  // is false.
  std::uint64_t max_ties = 20000;
  std::uint64_t tie_work = std::uint64_t{1} << 38;
  // A run that takes more work than this now and then tries low limits, for a lower bound to show.
  std::uint64_t short_run = std::uint64_t{1} << 38;
  std::uint64_t poll_effort = std::uint64_t{1} << 20;  // of a thread between two looks at the control
};

struct SearchState;

struct SearchOptions {
  std::size_t depth = 4;         // features at most; up to 20
  std::vector<Feature> require;  // always in the set
  std::vector<Feature> forbid;   // never in it
  // Of each of these at least one is in the set, as where a column is required. No feature is in two of them.
  std::vector<std::vector<Feature>> require_any;
  // cost of predicting k for a row of class j per unit of weight at j * num_classes + k; empty: 1 unless j ==
  // k.
  std::vector<std::int64_t> costs;
  unsigned threads = 1;
  Kernel kernel = Kernel::automatic;
  std::uint64_t seed = 1;
  Deadline local_until;  // the local search before the search ends then at the latest; CART's tests are offered first
  SearchEffort effort;
  // Sets to start from, if any (at most `depth` features of the dataset each); they never change the answer.
  std::vector<std::vector<Feature>> start;

  // Called about every `checkpoint_seconds` from one of the search threads, and once when the search stops
  // early.
  double checkpoint_seconds = 0;
  std::function<void(const SearchState&)> checkpoint;
  const SearchState* resume = nullptr;  // must come from the same data and options: see check_state
  bool keep_state = false;              // make SearchOutcome::state one to resume from, as checkpoints always are

  // For searches that share their best sets. Called about every `exchange_seconds` from one of the search threads, and
  // when the search begins and ends, with the best set so far (empty: none yet) and its error; returns a set that
  // somebody else has found, if there is one. It is evaluated anew, and makes the search no less exact.
  double exchange_seconds = 1;
  std::function<std::optional<std::vector<Feature>>(const std::vector<Feature>& best, std::int64_t error)> exchange;
};

// Features that every set has at least: those required, and one of each group that these leave open.
std::size_t num_required(const SearchOptions& options);

}  // namespace beadwork
