#include <beadwork/smallest/climb.hpp>
#include <beadwork/smallest/ranked_stages.hpp>

#include <algorithm>

namespace beadwork {

RankedStages::RankedStages(const RankedData& data, const OrderedOptions& options, const OrderedOutcome* known,
                           const Control& control)
    : data_(data), options_(options), control_(control) {
  require(options.require.empty() && options.require_columns.empty(), "errors against nodes: no required features");
  if (known != nullptr) last_ = *known;
  if (control.progress)  // what a search knows about errors is not about sizes
    control_.progress = [this, sink = control.progress](const Progress& p) {
      return sink({p.phase, p.share, floor_, std::nullopt, p.seconds});
    };
}

std::size_t RankedStages::depth() const {
  return sets_ && sets_->complete() ? std::min(options_.depth, sets_->num_distinct()) : options_.depth;
}

// Part of the time that is left.
Control RankedStages::some_time(double share) const {
  Control out = control_;
  out.deadline = control_.deadline.part(share);
  return out;
}

// The best set at the largest depth bounds all there is.
Status RankedStages::prepare() {
  const bool many = data_.num_features() > OrderedSets::kMostCuts;
  if (!last_) {
    TRY(auto outcome, search_ordered(data_, options_, some_time(many ? shares::kOnlyBestSet : shares::kBestSet)));
    last_ = std::move(outcome);
  }
  floor_ = last_->lower_bound;
  memory_limit_hit_ = last_->memory_limit_hit;
  TRY(auto sets, OrderedSets::make(data_, options_, control_));
  sets_ = std::move(sets);
  memory_limit_hit_ = memory_limit_hit_ || (!sets_->complete() && data_.complete && !many && !control_.stopping());
  return Done{};
}

Result<OrderedOutcome> RankedStages::best_of(std::size_t h) {
  if (h >= depth()) return *last_;
  OrderedOptions at = options_;
  at.depth = h;
  if (!start_.empty()) at.start = {start_};
  auto outcome = search_ordered(data_, at, some_time(shares::kSetOfDepth));
  if (!outcome) return outcome;
  start_ = outcome->cuts;
  memory_limit_hit_ = memory_limit_hit_ || outcome->memory_limit_hit;
  outcome->lower_bound = std::max(outcome->lower_bound, floor_);
  return outcome;
}

void RankedStages::offer(const std::vector<Cut>& cuts, SizeGoal& goal) {
  search_cells(features_of_cuts(data_, cuts), data_.num_classes(), cells_of(data_, options_, cuts), 0, goal,
               cuts.size() < 5 ? Control{} : control_, false);
}

Result<std::optional<std::int64_t>> RankedStages::run(std::size_t h, SizeGoal& goal) {
  using Open = std::optional<std::int64_t>;
  if (h == 0) {
    offer({}, goal);
    TRY_DONE(prepare());
    return Open{};
  }
  const std::size_t smallest = h + 2;  // with h features
  if (goal.limit(smallest) < floor_) return Open{};
  TRY(const auto best, best_of(h));
  const std::vector<Cut> cuts = without_copies(data_, best.cuts);
  offer(cuts, goal);
  canonical_ = canonical_ && best.first;
  const std::int64_t least = best.lower_bound;
  if (goal.limit(smallest) < least) return Open{};
  if (!sets_->complete() || control_.stopping()) return Open{least};
  std::optional<FunctionsBySize> functions;
  if (FunctionsBySize::few(h, data_.num_classes())) functions.emplace(h, data_.num_classes());
  const Control brief = some_time(shares::kCutClimb);
  SizeClimb climb(data_, *sets_, h, functions ? &*functions : nullptr, goal, brief);
  good_ = climb.run(cuts, good_);
  canonical_ = canonical_ && !brief.stopping();
  if (goal.limit(smallest) < least) return Open{};
  const Control boxes = some_time(h < depth() ? 0.5 : 1);
  SizeJudge judge(data_, h, sets_->base(), least, functions ? &*functions : nullptr, goal, boxes);
  if (sets_->visit(h, judge, boxes)) return Open{};
  memory_limit_hit_ = memory_limit_hit_ || control_.no_room_for(0);
  return Open{least};
}

}  // namespace beadwork
