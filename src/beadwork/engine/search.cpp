#include <beadwork/search.hpp>

#include <algorithm>
#include <beadwork/engine/candidates.hpp>
#include <beadwork/engine/checkpoint.hpp>
#include <beadwork/engine/co_optimal.hpp>
#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/faithful.hpp>
#include <beadwork/engine/registry.hpp>
#include <beadwork/engine/search_options.hpp>

namespace beadwork {
namespace {

// The best function of these features.
Found answer_of(const Dataset& dataset, const SearchOptions& options, const std::vector<Feature>& features,
                std::int64_t lower_bound) {
  Found found;
  found.status = SolveStatus::feasible;
  found.lower_bound = lower_bound;
  found.upper_bound = set_cost(dataset, features, options.costs);
  found.table =
      TruthTable::from_counts(features, dataset.num_classes(), cell_merits(dataset, features, options.costs));
  return found;
}

SolveStatus status_of(SearchStatus status) {
  return status == SearchStatus::optimal ? SolveStatus::optimal : SolveStatus::feasible;
}

Found conclude(const Dataset& dataset, const SearchOptions& options, const SearchOutcome& outcome) {
  // A limit may come before any set was seen; the required features are there in any case.
  const bool unknown = outcome.status == SearchStatus::unknown;
  Found found =
      answer_of(dataset, options, unknown ? options.require : outcome.features, outcome.lower_bound);
  if (unknown) return found;
  found.status = status_of(outcome.status);
  found.upper_bound = outcome.error;
  return found;
}

// An error of the search layer names its option as the library does.
Error with_flag(Error error) {
  if (error.where == "require" || error.where == "kernel" || error.where == "resume" ||
      error.where == "certificate" || error.where == "costs")
    error.where = "--" + error.where;
  return error;
}

// Sets of exactly H features, which the paper's reading needs, are another search.
Status check_combination(const Options& options) {
  const std::pair<bool, const char*> more[] = {{!options.require.empty(), "--require"},
                                               {!options.forbid.empty(), "--forbid"},
                                               {!options.certificate.empty(), "--certificate"},
                                               {options.top > 0, "--top"},
                                               {!options.within.empty(), "--within"},
                                               {options.from_depth <= options.depth, "--from-depth"},
                                               {!options.costs.empty(), "--costs"},
                                               {!options.checkpoint.empty(), "--checkpoint"},
                                               {!options.resume.empty(), "--resume"},
                                               {options.all_optima, "--all-optima"},
                                               {options.front, "--front"}};
  for (const auto& [given, flag] : more)
    if (options.faithful && given) return usage_error("does not go with --faithful", flag);
  if (options.front && !options.require.empty()) return usage_error("does not go with --require", "--front");
  if (options.all_optima && options.bias != "size")
    return usage_error("goes with --bias size", "--all-optima");
  if (!options.costs.empty() && !options.certificate.empty())
    return usage_error("costs cannot be certified", "--certificate");
  const bool several = options.from_depth < options.depth || options.top > 0 || !options.within.empty();
  if (several && !options.resume.empty())
    return usage_error("goes on with one search; leave out --top, --within and ranges of depths", "--resume");
  if (several && !options.checkpoint.empty())
    return usage_error("is of one search; leave out --top, --within and ranges of depths", "--checkpoint");
  return Done{};
}

// Exactly `depth` columns that are not all-zero, the given ones among them; nothing if there are too few.
std::optional<std::vector<Feature>> complete(std::vector<Feature> features, const Dataset& dataset,
                                             const Options& options) {
  const auto dropped = options.keep_all_zero ? std::vector<Feature>{} : all_zero_features(dataset);
  const auto depth = static_cast<std::size_t>(options.depth);
  for (std::size_t f = 0; f < dataset.num_features() && features.size() < depth; ++f)
    if (!std::binary_search(dropped.begin(), dropped.end(), Feature{f}) &&
        std::find(features.begin(), features.end(), Feature{f}) == features.end())
      features.emplace_back(f);
  if (features.size() < depth) return std::nullopt;
  std::sort(features.begin(), features.end());
  return features;
}

// The paper's reading costs nothing more where the best set can have a root that is a bead; where it would, enumeration
// looks at every set.
Result<Found> learn_faithfully(const Dataset& dataset, const Options& options, const Control& control,
                               const SearchOutcome& outcome) {
  const auto features = complete(outcome.features, dataset, options);
  if (outcome.status != SearchStatus::optimal || !features || options.depth == 0 || dataset.num_classes() < 2)
    return learn_by_enumeration(dataset, options, control);
  if (bead_cost(count_cells(dataset, *features), dataset.num_classes()) != 0)
    return learn_by_enumeration(dataset, options, control);
  Found found = conclude(dataset, {}, outcome);
  answer_faithfully(found, dataset, bead_table(dataset, *features));
  return found;
}

// One search for each depth, each starting from the answer of the one before. Stopped early, the last answer stands for
// the depth asked for, with nothing proven but what holds for all depths.
Result<SearchOutcome> search_depths(const Condensed& data, SearchOptions at, const Options& options,
                                    const Control& control, std::vector<DepthAnswer>& answers) {
  const std::size_t most = at.depth;
  at.depth = std::min(most, std::max(static_cast<std::size_t>(options.from_depth), at.require.size()));
  for (;; ++at.depth) {
    auto outcome = search(data, at, control);
    if (!outcome) return outcome;
    if (outcome->status != SearchStatus::unknown) {
      answers.push_back({at.depth, status_of(outcome->status), outcome->lower_bound, outcome->error,
                         outcome->features, outcome->stats.seconds});
      at.start = {outcome->features};
    }
    if (at.depth >= most) return outcome;
    if (outcome->status == SearchStatus::optimal) continue;
    if (!answers.empty()) {
      outcome->features = answers.back().features;
      outcome->error = answers.back().errors;
      outcome->status = SearchStatus::feasible;
    }
    outcome->lower_bound = at.costs.empty() ? data.unavoidable_errors : 0;
    outcome->state = {};
    return outcome;
  }
}

// A proven answer at the depth from which no feature can be spared.
struct Settled {
  SearchOutcome outcome;
  std::size_t depth = 0;
};

// Where some set is known to make no errors but the unavoidable ones: from few features to many, as the wide searches
// would have too many such sets to choose from. Nothing if time runs out.
Result<std::optional<Settled>> settle(const Condensed& data, SearchOptions at, const Control& control) {
  const std::size_t most = at.depth;
  for (at.depth = at.require.size(); at.depth <= most; ++at.depth) {
    auto outcome = search(data, at, control);
    if (!outcome) return outcome.error();
    if (outcome->status != SearchStatus::optimal) break;
    if (outcome->error == data.unavoidable_errors)
      return std::optional(Settled{*std::move(outcome), at.depth});
  }
  return std::optional<Settled>{};
}

// The proven answer with as few features as its error takes; proof and state stay those of the depth asked for.
Status spare_features(const Condensed& data, SearchOptions at, const Control& control, Settled& answer) {
  at.resume = nullptr;
  at.checkpoint = nullptr;
  if (answer.outcome.status != SearchStatus::optimal) return Done{};
  while (answer.depth > at.require.size()) {
    at.depth = answer.depth - 1;
    auto fewer = search(data, at, control);
    if (!fewer) return fewer.error();
    if (fewer->status != SearchStatus::optimal || fewer->error != answer.outcome.error) break;
    answer.outcome.features = std::move(fewer->features);
    answer.depth = at.depth;
  }
  return Done{};
}

// The search at the depth asked for; where a quick look finds a set without avoidable errors it is spared, unless its
// proof or its state is wanted.
Result<Settled> search_once(const Condensed& data, const SearchOptions& o, const Options& options,
                            const Control& control) {
  const bool whole = !options.certificate.empty() || !options.checkpoint.empty() || !options.resume.empty();
  if (!whole && o.costs.empty()) {
    auto quick = local_search(data, o, control);
    if (!quick) return quick.error();
    if (quick->status == SearchStatus::optimal) {
      auto settled = settle(data, o, control);
      if (!settled) return settled.error();
      return *settled ? **std::move(settled) : Settled{*std::move(quick), o.depth};
    }
  }
  auto outcome = search(data, o, control);
  if (!outcome) return outcome.error();
  Settled answer{*std::move(outcome), o.depth};
  if (auto ok = spare_features(data, o, control, answer); !ok) return ok.error();
  return answer;
}

// Options::tie_break, among the sets of as many features as the answer has.
Status break_ties(const Dataset& dataset, const Condensed& data, SearchOptions at, const Options& options,
                  const Control& control, Settled& answer) {
  if (options.tie_break == "first" || options.all_optima || answer.outcome.status != SearchStatus::optimal)
    return Done{};
  at.depth = answer.depth;
  auto purest = purest_set(dataset, data, at, answer.outcome.features, answer.outcome.error, control);
  if (!purest) return purest.error();
  answer.outcome.features = *std::move(purest);
  return Done{};
}

Result<Found> learn_sets(const Dataset& dataset, const Condensed& data, const Options& options,
                         SearchOptions o, const Control& control) {
  const auto costs = cost_matrix(dataset, options);
  if (!costs) return costs.error();
  const auto near = near_options(dataset, options, costs->scale);
  if (!near) return near.error();
  // The front goes from few features to many: before a search that may take all the time.
  std::optional<Front> front;
  if (options.front) {
    auto found = error_front(dataset, o, control);
    if (!found) return with_flag(found.error());
    front = *std::move(found);
    const auto best =
        std::min_element(front->points.begin(), front->points.end(),
                         [](const FrontPoint& a, const FrontPoint& b) { return a.errors < b.errors; });
    o.start = {best->table.order()};
  }
  std::vector<DepthAnswer> by_depth;
  Settled answer{{}, o.depth};
  if (options.from_depth <= options.depth) {
    auto last = search_depths(data, o, options, control, by_depth);
    if (!last) return with_flag(last.error());
    answer.outcome = *std::move(last);
    if (auto ok = spare_features(data, o, control, answer); !ok) return with_flag(ok.error());
  } else {
    auto found = search_once(data, o, options, control);
    if (!found) return with_flag(found.error());
    answer = *std::move(found);
  }
  if (auto ok = break_ties(dataset, data, o, options, control, answer); !ok) return with_flag(ok.error());
  SearchOutcome* outcome = &answer.outcome;
  if (front && outcome->status == SearchStatus::unknown) {
    outcome->features = o.start[0];
    outcome->error = set_cost(dataset, o.start[0], o.costs);
    outcome->status = SearchStatus::feasible;
  }
  Found found = conclude(dataset, o, *outcome);
  found.by_depth = std::move(by_depth);
  if (!options.certificate.empty()) {
    // Who gives no time gets no proof.
    if (options.time_limit == 0) outcome->status = SearchStatus::feasible;
    auto text = certificate(dataset, o, *outcome);
    if (!text) return with_flag(text.error());
    found.certificate = *std::move(text);
  }
  if (*near) {
    SearchOptions again = o;
    again.start = {outcome->features};
    auto sets = search_near(data, again, **near, control);
    if (!sets) return sets.error();
    found.near = *std::move(sets);
  }
  found.front = std::move(front);
  return found;
}

}  // namespace

Result<Found> learn_by_search(const Dataset& dataset, const Options& options, const Control& control) {
  if (options.max_nodes > 0 || !options.node_penalty.empty()) return learn_by_size(dataset, options, control);
  if (auto ok = check_combination(options); !ok) return ok.error();
  if (options.faithful && restricted(options))
    return learn_among_candidates(dataset, options, control, learn_by_search);
  auto o = search_options(dataset, options, control);
  if (!o) return o.error();
  const Condensed data = condense(dataset);
  if (options.faithful) {
    auto outcome = search(data, *o, control);
    if (!outcome) return with_flag(outcome.error());
    return learn_faithfully(dataset, options, control, *outcome);
  }
  SearchState state;
  if (!options.resume.empty()) {
    auto read = read_checkpoint(options.resume, data, *o, control);
    if (!read) return with_flag(read.error());
    state = *std::move(read);
    o->resume = &state;
  }
  if (!options.checkpoint.empty()) {
    o->checkpoint = checkpoint_to(options.checkpoint, control);
    o->checkpoint_seconds = options.checkpoint_every;
  }
  return learn_sets(dataset, data, options, *o, control);
}

Result<Found> learn_by_local_search(const Dataset& dataset, const Options& options, const Control& control) {
  auto o = search_options(dataset, options, control);
  if (!o) return o.error();
  const Condensed data = condense(dataset);
  auto outcome = local_search(data, *o, control);
  if (!outcome) return with_flag(outcome.error());
  return conclude(dataset, *o, *outcome);
}

Result<MinDepth> min_depth_by_search(const Dataset& dataset, const Options& options, const Control& control) {
  auto o = search_options(dataset, options, control);
  if (!o) return o.error();
  o->depth = kMaxDepth;
  auto least = least_depth(condense(dataset), *o, control);
  if (!least) return with_flag(least.error());
  MinDepth out;
  out.lower_bound = least->depth;
  if (least->status == SearchStatus::unknown) return out;
  if (least->status == SearchStatus::infeasible) {
    const bool contradictory = condense(dataset).unavoidable_errors > 0;
    if (contradictory) out.status = SolveStatus::infeasible;
    out.lower_bound = contradictory ? 0 : kMaxDepth + 1;
    return out;
  }
  const std::vector<Feature>& features = least->outcome.features;
  if (features.size() != least->depth || set_cost(dataset, features, {}) != 0)
    return Error{ErrorCode::internal, "the diagram that was found makes errors"};
  const auto counts = count_cells(dataset, features);
  out.table = fill_by_branch(TruthTable::from_counts(features, dataset.num_classes(), counts), counts);
  out.status = SolveStatus::optimal;
  out.depth = least->depth;
  return out;
}

}  // namespace beadwork
