#pragma once
// shards: the best set of features over rows that come in parts, of which one at a time is in memory.
//
//   Shards shards{files.size(), [&](std::size_t i) { return dataset_of(files[i]); }};
//   SearchOptions options;
//   options.depth = 4;
//   auto outcome = search_shards(shards, options, {}, control);
//   if (outcome && outcome->status == SolveStatus::optimal) use(outcome->features, outcome->error);
//
// The answer is the one that `search` gives for all rows together, with as few features as its error takes: neither the
// way in which the rows are parted nor their order matters. Statement and proof are in docs/search.md, shards. In
// short: a set costs each shard at least that shard's optimum, so the sum of these is a lower bound, and a set that
// costs no more than the best one known is near the optimum of some shard. Such sets are listed and counted on all
// rows.
//
// The passes over the shards, in each of which a shard is opened at most once:
//   optima  the optimum of every shard, and its best sets; sets known so far are counted in passing
//   sets    the best sets of later shards are counted on the earlier ones; left out where that could not shorten lists
//   lists   the sets near the optimum of each shard, as near as the gap makes it necessary
//   count   what is left is counted row by row on all rows; a second time where more than a few sets are left
//
// What is constant, equal or opposite in one shard need not be so in the whole (families.hpp), so that a list of a
// shard stands for more sets than it names (expansion.hpp). Lists that would grow too long end early, and then the
// bounds say what is proven.
//
// Limits. After the deadline, or where memory does not suffice, no shard is searched any more, but the pass over the
// optima goes on, to count the sets that are known; the outcome is then `feasible` with bounds that hold. An interrupt
// during that pass leaves nothing: `unknown`.

#include <beadwork/dataset.hpp>
#include <beadwork/search.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace beadwork {

// Rows in parts, all with the same features, classes and scale of weights. `open` is asked for each part once a pass
// and must give the same rows every time; that they are the same is checked. A part may be empty.
struct Shards {
  std::size_t count = 0;
  std::function<Result<Dataset>(std::size_t shard)> open;
};

struct ShardOptions {
  std::size_t most_sets = 1000000;  // that are kept at a time; less where their counts would take more than a GiB
  bool hash = false;                // also make ShardOutcome::sha256
};

struct ShardStats {
  std::size_t passes = 0;            // over the shards
  std::size_t opened = 0;            // shards, over all passes
  std::uint64_t listed = 0;          // sets on the lists of the shards
  std::uint64_t candidates = 0;      // what they stand for in the whole: sets counted on other shards
  std::int64_t gap = 0;              // between the first bounds, before the lists
  std::vector<std::int64_t> optima;  // of each shard, or what is proven of it
  std::vector<std::int64_t> slack;   // of each shard: all sets within this of its optimum were listed; -1: none was
  double seconds = 0;
};

struct ShardOutcome {
  SolveStatus status = SolveStatus::unknown;
  std::vector<Feature> features;     // increasing
  std::vector<std::int64_t> counts;  // of their cells over all rows, as count_cells has them
  std::int64_t error = 0;
  std::int64_t lower_bound = 0;
  bool tie_canonical = false;
  bool memory_limit_hit = false;
  bool too_many_sets = false;  // a list was cut short for that reason
  std::size_t num_rows = 0;    // as given: rows that come merged count as often as they were there
  std::string sha256;          // of all rows in the order of the shards, if it was asked for
  ShardStats stats;
};

// Of the options depth, require, forbid, costs, threads, kernel, bounds and seed count. An Error of `open` is passed
// on.
Result<ShardOutcome> search_shards(const Shards& shards, const SearchOptions& options, const ShardOptions& limits,
                                   const Control& control);

}  // namespace beadwork
