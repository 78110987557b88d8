#include <beadwork/engine/bias.hpp>
#include <beadwork/engine/committee.hpp>
#include <beadwork/engine/costs.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace beadwork {
namespace {

using Extent = CommitteeClaim::Extent;
using Counts = std::vector<std::int64_t>;

// The counts without the feature at `place` of `features`.
Counts without(const Counts& counts, std::size_t classes, std::size_t features, std::size_t place) {
  const std::size_t run = (std::size_t{1} << (features - 1 - place)) * classes;  // cells that differ in later features
  Counts out;
  out.reserve(counts.size() / 2);
  for (std::size_t from = 0; from < counts.size(); from += 2 * run)
    for (std::size_t i = from; i < from + run; ++i) out.push_back(counts[i] + counts[i + run]);
  return out;
}

// Goes from the sets of a list down to their subsets, each once.
class Descent {
 public:
  Descent(const Task& task, std::int64_t limit, const Control& control)
      : task_(task), classes_(task.dataset.num_classes()), limit_(limit), control_(control) {}

  void visit(std::vector<Feature> set) {
    std::sort(set.begin(), set.end());
    Counts counts = count_cells(task_.dataset, set);
    const std::int64_t cost = cells_cost(counts, classes_, task_.cost.costs);
    if (seen_.insert(set).second) descend(set, counts, cost);
  }
  bool stopped() const { return stopped_; }
  std::vector<SetAnswer> take() { return std::move(found_); }

 private:
  bool required(Feature f) const { return std::binary_search(task_.required.begin(), task_.required.end(), f); }

  void descend(const std::vector<Feature>& set, const Counts& counts, std::int64_t cost) {
    if (stopped_ = stopped_ || control_.stopping(); stopped_) return;
    bool idle = false;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (required(set[i])) continue;
      const Counts fewer = without(counts, classes_, set.size(), i);
      const std::int64_t dearer = cells_cost(fewer, classes_, task_.cost.costs);
      idle = idle || dearer == cost;
      if (dearer > limit_) continue;
      std::vector<Feature> smaller = set;
      smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
      if (seen_.insert(smaller).second) descend(smaller, fewer, dearer);
    }
    if (!idle) found_.push_back({.features = set, .cost = cost, .lower_bound = 0, .table = {}});
  }

  const Task& task_;
  std::size_t classes_;
  std::int64_t limit_;
  const Control& control_;
  bool stopped_ = false;
  std::set<std::vector<Feature>> seen_;
  std::vector<SetAnswer> found_;
};

std::vector<Feature> sorted_features(const Diagram& diagram) {
  std::vector<Feature> used = diagram.used_features();
  std::sort(used.begin(), used.end());
  return used;
}

Found found_of(const Task& task, const SetAnswer& set) {
  Found found;
  found.status = SolveStatus::feasible;
  found.upper_bound = set.cost;
  found.table = TruthTable::from_counts(set.features, task.dataset.num_classes(),
                                        cell_merits(task.dataset, set.features, task.cost.costs));
  return found;
}

}  // namespace

std::int64_t committee_margin(const Task& task) {
  const Margin& margin = *task.request.only_of<ForSearch>().committee;
  const double weight =
      static_cast<double>(task.dataset.total_weight()) / static_cast<double>(task.dataset.weight_scale());
  return in_integers(task, margin.percent ? margin.amount / 100 * weight : margin.amount);
}

Voters voters_among(const Task& task, const NearOutcome& near, std::int64_t within, const Control& control) {
  const std::int64_t limit = within > INT64_MAX - near.optimum ? INT64_MAX : near.optimum + within;
  Descent descent(task, limit, control);
  for (const NearSet& s : near.sets) descent.visit(s.features);
  Voters out;
  out.sets = descent.take();
  std::sort(out.sets.begin(), out.sets.end(), [](const SetAnswer& a, const SetAnswer& b) {
    const std::size_t in_a = a.features.size(), in_b = b.features.size();
    return std::tie(a.cost, in_a, a.features) < std::tie(b.cost, in_b, b.features);
  });
  out.claim.within = within;
  const bool all = near.num_sets == near.sets.size();
  out.claim.extent = descent.stopped() || near.status != SolveStatus::optimal ? Extent::stopped
                     : all                                                    ? Extent::complete
                                                                              : Extent::first;
  if (out.claim.extent == Extent::complete) out.claim.num_sets = out.sets.size();
  // Of sets that cost more than the last one that was kept, some were not seen.
  if (!all) std::erase_if(out.sets, [&](const SetAnswer& s) { return s.cost > near.sets.back().error; });
  return out;
}

Status seat_committee(const Task& task, const Voters& voters, const Control& control, Outcome& outcome) {
  const auto most = static_cast<std::size_t>(task.request.only_of<ForSearch>().committee_size);
  const Deadline end = Deadline::in(0.5);
  CommitteeAnswer answer{voters.claim, {{outcome.features, *outcome.diagram, *outcome.claim.upper_bound}}};
  std::set<std::vector<Feature>> seated{sorted_features(*outcome.diagram)};
  for (const SetAnswer& set : voters.sets) {
    const bool stopping = end.passed() && control.stopping();
    if (stopping) answer.claim.extent = Extent::stopped;
    if (stopping) break;
    if (seated.contains(set.features)) continue;
    if (answer.members.size() == most) answer.claim.extent = std::max(answer.claim.extent, Extent::first);
    if (answer.members.size() == most) break;
    auto shaped = shape(task, found_of(task, set), control);
    if (!shaped) return shaped.error();
    if (training_cost(task.dataset, shaped->diagram, task.cost.costs) != set.cost)
      return Error{ErrorCode::internal, "a member of the committee does not have the errors it claims", {}};
    if (seated.insert(sorted_features(shaped->diagram)).second)
      answer.members.push_back({shaped->table.order(), std::move(shaped->diagram), set.cost});
  }
  answer.claim.members = answer.members.size();
  outcome.committee = std::move(answer);
  return Done{};
}

}  // namespace beadwork
