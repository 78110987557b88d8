#include <beadwork/smallest/diagram_sizes.hpp>
#include <beadwork/smallest/feature_climb.hpp>
#include <beadwork/smallest/stages.hpp>

#include <algorithm>

namespace beadwork {
namespace {

constexpr std::size_t kMostSets = 1'000'000;  // of one stage that are kept

TruthTable table_of(const CellSearch::SizedTable& found, const std::vector<Feature>& features,
                    std::size_t num_classes) {
  TruthTable table(features, num_classes);
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell) table.decide(cell, found.labels[cell]);
  std::vector<Feature> order;
  for (const std::size_t x : found.order) order.push_back(features[x]);
  return reordered(table, std::move(order));
}

}  // namespace

std::int64_t EverySize::limit(std::size_t size) const {
  const auto at = best.upper_bound(size);  // the entry before speaks for this size
  return at == best.begin() ? kAnyErrors : std::prev(at)->second.errors - 1;
}

void EverySize::offer(std::size_t size, const Best& found) {
  best.erase(best.lower_bound(size), std::find_if(best.lower_bound(size), best.end(),
                                                  [&](const auto& b) { return b.second.errors < found.errors; }));
  best.emplace(size, found);
}

CellsSearched search_cells(const std::vector<Feature>& features, std::size_t num_classes,
                           std::span<const std::int64_t> costs, std::int64_t base, SizeGoal& goal,
                           const Control& control, bool all_features, std::uint64_t most_steps) {
  CellSearch search(features.size(), num_classes, costs);
  const bool whole = search.run([&](std::size_t size) { return goal.limit(size) - base; },
                                [&](const CellSearch::SizedTable& found) {
                                  goal.offer(found.size, {found.errors + base, table_of(found, features, num_classes)});
                                },
                                control, all_features, most_steps);
  control.count(search.steps() % kCellsBetweenPolls * kStepOnCells);
  return {whole, search.steps()};
}

namespace {

// A goal that is known to be reachable, as far as diagrams are known: what is worse is of no interest.
struct Hinted final : SizeGoal {
  Hinted(SizeGoal& g, EverySize& k) : goal(g), known(k), reached(g.copy()) {
    for (const auto& [size, best] : known.best) reach(size, best);
  }
  std::int64_t limit(std::size_t size) const override {
    const std::int64_t whole = goal.limit(size);
    return whole < 0 ? whole : std::min(whole, std::max<std::int64_t>(reached->limit(size), -1) + 1);
  }
  void offer(std::size_t size, const Best& best) override { goal.offer(size, best); }
  std::unique_ptr<SizeGoal> copy() const override { return goal.copy(); }

  void reach(std::size_t size, const Best& best) {
    if (best.errors <= reached->limit(size)) reached->offer(size, best);
  }
  // Has the goal been offered as good a diagram of each size as is known?
  bool attained(std::size_t from, std::size_t to) const {
    for (std::size_t size = from; size <= to; ++size)
      if (goal.limit(size) != reached->limit(size)) return false;
    return true;
  }

  SizeGoal& goal;
  EverySize& known;
  std::unique_ptr<SizeGoal> reached;
};

// What is found is known from then on, and offered to nobody yet.
struct Finding final : SizeGoal {
  explicit Finding(Hinted& h) : hinted(h) {}
  std::int64_t limit(std::size_t size) const override { return hinted.reached->limit(size); }
  void offer(std::size_t size, const Best& best) override {
    hinted.reach(size, best);
    if (best.errors <= hinted.known.limit(size)) hinted.known.offer(size, best);
  }
  std::unique_ptr<SizeGoal> copy() const override { return hinted.reached->copy(); }

  Hinted& hinted;
};

}  // namespace

FeatureStages::FeatureStages(const Dataset& dataset, const SearchOptions& options, const Control& control)
    : dataset_(dataset), options_(options), control_(control), data_(condense(dataset, control)) {
  require(options.require.empty() && options.require_any.empty(), "errors against nodes: no required features");
  depth_ = data_ ? std::min(options.depth, data_->features.size()) : options.depth;
  floor_ = data_ && options.costs.empty() ? data_->unavoidable_errors : 0;
  // What the search of a stage knows about errors is not about sizes.
  if (control.progress)
    control_.progress = [sink = control.progress, floor = floor_](const Progress& p) {
      return sink({p.phase, p.share, floor, std::nullopt, p.seconds});
    };
}

bool FeatureStages::reporting(double share) {
  if (!control_.progress || clock_.seconds() < next_report_) return true;
  next_report_ = clock_.seconds() + 0.1;
  return control_.report({"sizes", share, floor_, std::nullopt, clock_.seconds()});
}

bool FeatureStages::search_set(const std::vector<Feature>& features, SizeGoal& goal, const Control& control) {
  const auto costs = answer_costs(count_cells(dataset_, features), dataset_.num_classes(), options_.costs);
  control.count(dataset_.num_rows() * (features.size() + 1));
  return search_cells(features, dataset_.num_classes(), costs, 0, goal, control, whole_).whole;
}

void FeatureStages::climb(const SizeGoal& goal) {
  climbed_.resize(depth_ + 1);
  if (!data_) return;
  Control brief = control_;
  brief.deadline = control_.deadline.part(shares::kFeatureClimb);
  FeatureClimb climb(dataset_, *data_, options_);
  for (std::size_t h = 1; h <= std::min(depth_, kManyFeatures); ++h) climbed_[h] = climb.run(h, goal, brief);
  for (std::size_t h = kManyFeatures + 1; h <= depth_; ++h) climbed_[h] = climbed_[h - 1];
  brief.deadline = control_.deadline.part(shares::kDiagramClimb);
  climb_diagrams(goal, brief);
}

// Up to the largest size that is of interest, unless few features settle it soon.
void FeatureStages::climb_diagrams(const SizeGoal& goal, const Control& control) {
  if (depth_ < kManyFeatures) return;
  std::size_t largest = kMostClimbedNodes;
  while (largest > 1 && goal.limit(largest) < 0) --largest;
  SearchOptions options = options_;
  options.depth = depth_;
  const EverySize found = climb_sizes(*data_, options, largest, control);
  for (const auto& [nodes, best] : found.best)
    for (std::size_t h = best.table.depth(); h <= depth_; ++h)
      if (best.errors <= climbed_[h].limit(nodes)) climbed_[h].offer(nodes, best);
}

Result<std::optional<std::int64_t>> FeatureStages::run(std::size_t h, SizeGoal& goal) {
  if (h == 1) climb(goal);
  if (h == 0) return look_through(h, goal);
  auto missed = h > 1 && control_.stopping() ? std::optional(floor_) : look_through(h, goal);
  whole_ = whole_ && missed && !*missed;
  if (missed && *missed)
    for (const auto& [size, best] : climbed_[h].best)
      if (best.errors <= goal.limit(size)) goal.offer(size, best);
  return missed;
}

// Sets of h features, as they come: what is found on one lowers the limit for the others. Then again through those
// that are still within it, in their order, so that the answer does not depend on how they came.
Result<std::optional<std::int64_t>> FeatureStages::look_through(std::size_t h, SizeGoal& goal) {
  using Open = std::optional<std::int64_t>;
  if (h == 0) {
    search_set({}, goal, {});  // no time needed: there is always an answer
    return Open{};
  }
  if (!data_) return Open{floor_};
  const std::size_t smallest = h + 2;  // with h features
  Hinted hinted(goal, climbed_[h]);
  if (hinted.limit(smallest) < floor_) return Open{};
  Finding finding(hinted);
  bool whole = true;
  NearOptions near;
  near.within = hinted.limit(smallest);
  near.most = kMostSets;
  near.optimum = 0;
  near.found = [&](const std::vector<Feature>& features) {
    whole = whole && search_set(features, finding, control_);
    return hinted.limit(smallest);
  };
  SearchOptions at = options_;
  at.depth = h;
  TRY(const auto sets, search_near(*data_, at, near, control_));
  const std::int64_t bound = std::max(floor_, sets.lower_bound);
  whole = whole && sets.status == SolveStatus::optimal;
  const std::size_t largest = (std::size_t{2} << h) + dataset_.num_classes();
  for (const NearSet& s : sets.sets) {
    if (whole && hinted.attained(smallest, largest)) return Open{};
    if (s.error > hinted.limit(smallest)) break;
    const auto done = static_cast<double>(&s - sets.sets.data());
    if (!reporting(done / static_cast<double>(sets.sets.size())) || !search_set(s.features, hinted, control_))
      return Open{std::min(s.error, bound)};
  }
  if (sets.status != SolveStatus::optimal) return Open{bound};
  // The best ones were kept: what was not has as many errors as the last one, or more.
  if (sets.num_sets > sets.sets.size() && !sets.sets.empty() && sets.sets.back().error <= hinted.limit(smallest))
    return Open{sets.sets.back().error};
  return Open{};
}

}  // namespace beadwork
