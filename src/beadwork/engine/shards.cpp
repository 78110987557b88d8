#include <beadwork/engine/held_cells.hpp>
#include <beadwork/engine/ranked.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

// The rows of a set's cells as a dataset: one row for each cell and class, with the weight of all that were there.
Dataset digest_of(const Dataset& frame, const ShardOutcome& found) {
  const std::size_t classes = frame.num_classes();
  Dataset::Parts p;
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < found.counts.size(); ++i) {
    if (found.counts[i] == 0) continue;
    cells.push_back(i / classes);
    p.labels.emplace_back(i % classes);
    p.weights.push_back(found.counts[i]);
  }
  p.columns.assign(frame.num_features(), BitColumn(words_for(cells.size())));
  for (std::size_t i = 0; i < found.features.size(); ++i)
    for (std::size_t r = 0; r < cells.size(); ++r)
      if (cells[r] >> (found.features.size() - 1 - i) & 1) set_bit(p.columns[found.features[i]()], r);
  p.feature_names = frame.feature_names();
  for (std::size_t f = 0; f < frame.num_features(); ++f) p.inputs.push_back(frame.input_of(Feature{f}));
  for (std::size_t i = 0; i < frame.num_inputs(); ++i) p.input_names.push_back(frame.input_name(i));
  p.class_names = frame.class_names();
  p.weight_scale = frame.weight_scale();
  p.weight_rounding = frame.weight_rounding();
  p.thresholds = frame.thresholds();
  p.given_rows = found.num_rows;
  return Dataset(std::move(p));
}

EngineAnswer found_in(const Dataset& rows, const Task& task, const ShardOutcome& outcome, std::size_t shards) {
  EngineAnswer found;
  found.status = outcome.status;
  found.lower_bound = outcome.lower_bound;
  found.shards = shards;
  found.out_of_memory = outcome.memory_limit_hit;
  if (outcome.status == SolveStatus::unknown) return found;
  found.upper_bound = outcome.error;
  found.canonical = outcome.tie_canonical;
  found.table = open_table(rows, outcome.features, task.cost.costs);
  return found;
}

}  // namespace

Status check_for_shards(const Request& request) {
  TRY_DONE(check_request(request));
  const std::string option = not_taken(request, Use::shards);
  return option.empty() ? Status(Done{}) : option_error("cannot be used with shards", option);
}

Result<ShardsLearnt> learn_from_shards(const Shards& shards, const Dataset& frame, const Request& request, bool hash,
                                       const Control& control) {
  const Stopwatch clock;
  TRY_DONE(check_for_shards(request));
  require(frame.num_rows() == 0, "learn_from_shards: a frame without rows");
  const Exchange none;
  TRY(const auto named, make_task(frame, request, none, control));
  if (!named.one_of.empty())
    return option_error(
        "a column with several features cannot be required with shards; require one of them, or forbid the others",
        "require");
  Control limited = limits_of(request, control);
  TRY(auto outcome, search_shards(shards, search_options(named), {.hash = hash}, limited));
  if (request.run.time_limit == 0.0 && outcome.status == SolveStatus::optimal)
    outcome.status = SolveStatus::feasible;  // who gives no time gets no proof
  ShardsLearnt out;
  out.dataset = digest_of(frame, outcome);
  const Task task{out.dataset, request, none, named.required, named.allowed, named.cost, {}, named.asked};
  Control beside = control;
  constexpr double kMoment = 1;  // seconds to shape the diagram, where the limit has passed
  if (limited.deadline.remaining() < control.deadline.remaining())
    beside.deadline = Deadline::in(std::max(kMoment, limited.deadline.remaining()));
  TRY(auto believed, believe_nothing(task, found_in(out.dataset, task, outcome, shards.count), beside));
  out.outcome = std::move(believed);
  out.outcome.seconds = clock.seconds();
  out.rows_sha256 = outcome.sha256;
  out.stats = outcome.stats;
  if (outcome.too_many_sets && !is_proven(out.outcome.claim))
    control.warn(
        "too many near-optimal sets in one shard: the bounds are valid but not tight; use fewer, larger shards");
  if (outcome.memory_limit_hit) control.warn("the search reached the memory limit and stopped early");
  return out;
}

}  // namespace beadwork
