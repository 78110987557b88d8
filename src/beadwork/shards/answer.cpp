#include <beadwork/shards/sharded.hpp>

#include <algorithm>

// The last pass: what is left is counted again by plain code, and concluded from.

namespace beadwork::detail {

// Row by row, on all parts; the sets must come with no counts.
Status ShardedSearch::recount(std::map<FeatureSet, CellCounts>& sets) {
  ++stats_.passes;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].empty) continue;
    if (control_.interrupted()) return interrupted_early();
    TRY(const auto rows, open(i));
    for (auto& [set, counts] : sets) {
      const CellCounts here = count_cells(rows, set);
      counts.resize(here.size());
      std::transform(here.begin(), here.end(), counts.begin(), counts.begin(), std::plus<>());
    }
  }
  return Done{};
}

namespace {

Error miscounted() {
  return {ErrorCode::internal, "two ways to count the rows of a set disagree", {}};
}

}  // namespace

// Of the sets that tie, to find one with fewest features; some even where memory is short.
std::size_t ShardedSearch::room_for_subsets() const {
  constexpr std::size_t kSome = 1 << 14;
  return std::max(kSome, room() / kBytesOfSet);
}

Status ShardedSearch::count_few() {
  std::map<FeatureSet, CellCounts> sets;
  for (const auto& [set, tally] : tallies_.sets()) sets[set];
  TRY_DONE(recount(sets));
  for (const auto& [set, tally] : tallies_.sets()) {
    if (tally.complete && tally.counts != sets.at(set)) return miscounted();
    const std::int64_t cost = cells_cost(sets.at(set), classes_, options_.costs);
    best_ = std::min(best_.value_or(INT64_MAX), cost);
  }
  winner_ = first_of_fewest(sets, required_, classes_, options_.costs, *best_, room_for_subsets(), control_);
  all_counted_ = true;
  return Done{};
}

// A few sets are counted row by row. Of more of them the rest is counted as before, and the winner once more.
Status ShardedSearch::count_what_is_left() {
  constexpr std::size_t kFew = 256;
  if (tallies_.size() <= kFew && !control_.interrupted()) return count_few();
  if (!spent()) TRY_DONE(count_where_wanted());
  best_ = tallies_.best();
  std::map<FeatureSet, CellCounts> ties;
  for (const auto& [set, tally] : tallies_.sets())
    if (tally.complete) ties[set] = tally.counts;
  winner_ = first_of_fewest(ties, required_, classes_, options_.costs, *best_, room_for_subsets(), control_);
  if (control_.interrupted()) return Done{};
  std::map<FeatureSet, CellCounts> again{{winner_->features, {}}};
  TRY_DONE(recount(again));
  return again.begin()->second == winner_->counts ? Status(Done{}) : Status(miscounted());
}

void ShardedSearch::conclude(ShardOutcome& out) const {
  const std::int64_t least = sum_of_least(), covered = sum_of_covered();
  const std::int64_t open = all_counted_ ? INT64_MAX : tallies_.least_open();
  out.features = winner_->features;
  out.counts = winner_->counts;
  out.error = *best_;
  out.lower_bound = std::min({*best_, least + covered, open});
  out.status = out.lower_bound == out.error ? SolveStatus::optimal : SolveStatus::feasible;
  out.tie_canonical =
      out.status == SolveStatus::optimal && winner_->settled && least + covered > *best_ && open > *best_;
}

Result<ShardOutcome> ShardedSearch::run() {
  const Stopwatch clock;
  ShardOutcome out;
  const auto tell = [&] {
    for (const Part& p : parts_) {
      stats_.optima.push_back(p.least);
      stats_.slack.push_back(p.covered - 1);
      out.num_rows += p.rows;
    }
    stats_.seconds = clock.seconds();
    out.stats = stats_;
    out.memory_limit_hit = out_of_memory_;
    out.too_many_sets = too_many_;
  };
  for (const auto pass : {&ShardedSearch::find_optima, &ShardedSearch::count_best_sets, &ShardedSearch::list_sets,
                          &ShardedSearch::count_what_is_left}) {
    if (auto ok = (this->*pass)(); !ok) {
      if (ok.error().code != ErrorCode::limit || !control_.interrupted()) return ok.error();
      if (tallies_.best()) {  // what is known by now must do
        (void)count_what_is_left();
        break;
      }
      tell();
      return out;
    }
    if (num_nonempty() == 0) return input_error("the table has no rows");
  }
  conclude(out);
  tell();
  if (!limits_.hash) return out;
  TRY(auto hash, rows_hash_.hex());
  out.sha256 = std::move(hash);
  return out;
}

}  // namespace beadwork::detail

namespace beadwork {

Result<ShardOutcome> search_shards(const Shards& shards, const SearchOptions& options, const ShardOptions& limits,
                                   const Control& control) {
  require(shards.count > 0 && shards.open != nullptr, "search_shards: at least one shard");
  require(options.require.size() <= options.depth, "search_shards: no more required features than the depth");
  return detail::ShardedSearch(shards, options, limits, control).run();
}

}  // namespace beadwork
