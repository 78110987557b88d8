#include <beadwork/engine/busy_sets.hpp>
#include <beadwork/engine/committee.hpp>
#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/held_cells.hpp>

#include <algorithm>
#include <set>

namespace beadwork {
namespace {

using Extent = CommitteeClaim::Extent;

std::vector<Feature> sorted_features(const Diagram& diagram) {
  std::vector<Feature> used = diagram.used_features();
  std::sort(used.begin(), used.end());
  return used;
}

EngineAnswer found_of(const Task& task, const SetAnswer& set) {
  EngineAnswer found;
  found.status = SolveStatus::feasible;
  found.upper_bound = set.cost;
  found.table = open_table(task.dataset, set.features, task.cost.costs);
  return found;
}

}  // namespace

std::int64_t committee_margin(const Task& task) {
  const Margin& margin = *task.request.only_of<ForSearch>().committee;
  return margin.percent ? whole_units(margin.amount, task.dataset.total_weight(), task.cost.scale, 100)
                        : whole_units(margin.amount, task.cost.units);
}

Voters voters_among(const Task& task, const NearOutcome& near, std::int64_t within, const Control& control) {
  const std::int64_t limit = within > INT64_MAX - near.optimum ? INT64_MAX : near.optimum + within;
  BusySets busy(task, control);
  for (const NearSet& s : near.sets) busy.visit(s.features, limit);
  Voters out;
  out.sets = busy.take();
  out.claim.within = within;
  const bool all = near.num_sets == near.sets.size();
  out.claim.extent = busy.stopped() || near.status != SolveStatus::optimal ? Extent::stopped
                     : all                                                 ? Extent::complete
                                                                           : Extent::first;
  if (out.claim.extent == Extent::complete) out.claim.num_sets = out.sets.size();
  // Of sets that cost more than the last one that was kept, some were not seen.
  if (!all) std::erase_if(out.sets, [&](const SetAnswer& s) { return s.cost > near.sets.back().error; });
  return out;
}

Result<Shaped> shape_set(const Task& task, const SetAnswer& set, const Control& control) {
  auto shaped = shape(task, found_of(task, set), control);
  if (shaped && training_cost(task.dataset, shaped->diagram, task.cost.costs) != set.cost)
    return Error{ErrorCode::internal, "a diagram of a set does not have the errors that the set has", {}};
  return shaped;
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
    TRY(auto shaped, shape_set(task, set, control));
    if (seated.insert(sorted_features(shaped.diagram)).second)
      answer.members.push_back({shaped.table.order(), std::move(shaped.diagram), set.cost});
  }
  answer.claim.members = answer.members.size();
  outcome.committee = std::move(answer);
  return Done{};
}

}  // namespace beadwork
