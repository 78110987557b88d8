#pragma once
#include <beadwork/dataset.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace beadwork {

// For tests and measurements: how the search spends its time. The answers that it proves stay the same.
struct OrderedEffort {
  // What may prune; both are sound (docs/ordered.md).
  bool linear_cap = true;  // weights of cuts and columns
  bool hulls = true;       // what died in a box is not looked at again in its halves
  // Of the local search before the first pass; more follow during the run, up to a tenth of it.
  std::size_t restarts = 20;
  // Row steps that the search for the first optimal set may take; 0: any optimal set will do.
  std::uint64_t first_budget = 400000000;
  std::uint64_t short_run = 300000000;                // row steps of the first pass; then come low limits
  std::uint64_t poll_steps = std::uint64_t{1} << 20;  // row steps of a thread between two looks at the control
};

struct OrderedState;

struct OrderedOptions {
  std::size_t depth = 3;  // cuts at most; up to 20
  // By column of RankedData: never, at least one cut of it, or (where any is named, there or in `candidates`) no other.
  std::vector<std::uint32_t> forbid_columns, require_columns, candidate_columns;
  // By cut: never, always, no other.
  std::vector<Cut> forbid, require, candidates;
  // cost of predicting k for a row of class j per unit of weight at j * num_classes + k; empty: 1 unless j == k.
  std::vector<std::int64_t> costs;
  unsigned threads = 1;
  std::uint64_t seed = 1;
  std::vector<std::vector<Cut>> start;  // sets to start from, if any
  OrderedEffort effort;

  // Called about every `checkpoint_seconds` (0: never) from one of the threads, and when the proof is complete or the
  // search stops early. The data must have all its columns.
  double checkpoint_seconds = 0;
  std::function<void(const OrderedState&)> checkpoint;
  const OrderedState* resume = nullptr;  // of the same data and options, else an Error about `resume`

  // For searches that share their best sets: as SearchOptions::exchange.
  double exchange_seconds = 1;
  std::function<std::optional<std::vector<Cut>>(const std::vector<Cut>& best, std::int64_t error)> exchange;
};

// Cuts that every set has at least: those required, and one of each required column that has none of these.
std::size_t num_required(const OrderedOptions& options);

}  // namespace beadwork
