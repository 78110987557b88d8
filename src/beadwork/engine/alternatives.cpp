#include <beadwork/engine/busy_sets.hpp>
#include <beadwork/engine/committee.hpp>
#include <beadwork/engine/ranked.hpp>

#include <algorithm>
#include <set>

// What one may choose in place of the answer.

namespace beadwork {
namespace {

using Extent = CommitteeClaim::Extent;

// The task whose answer it was.
Result<Task> task_again(const Dataset& dataset, const Request& request, const Exchange& exchange,
                        const Control& control) {
  if (!goes_by_ranks(dataset, request)) return make_task(dataset, request, exchange, control);
  TRY(const auto ranked, make_ranked_task(*dataset.ranks(), request));
  return task_over(dataset, request, exchange, ranked, {});
}

// A set that costs as much as the proven optimum ties with it, and is one of several; a dearer one is near it.
Claim claim_of_set(const Claim& answer, std::int64_t cost) {
  Claim c = answer;
  c.upper_bound = cost;
  if (cost == answer.upper_bound) {
    c.canonical = false;
    return c;
  }
  c.certifiable = false;
  if (is_proven(answer)) {
    c.status = SolveStatus::feasible;
    c.near_optimum = true;
  }
  return c;
}

// The claim of the best set. The caller may have made the answer's diagram worse than that, to have it smaller.
Claim claim_of_best(const Outcome& outcome) {
  Claim c = outcome.claim;
  c.light_left_out = false;
  for (const SetAnswer& s : outcome.near->sets) c.upper_bound = std::min(*c.upper_bound, s.cost);
  if (outcome.near->complete && c.upper_bound == c.lower_bound) c.status = SolveStatus::optimal;
  return c;
}

// The sets of the list, or all their subsets that cost no more than the dearest of them, without idle features.
std::vector<SetAnswer> busy_sets(const Task& task, const SetList& near, std::int64_t limit, const Control& control,
                                 CommitteeClaim& claim) {
  const bool all = near.num_sets == near.sets.size();
  BusySets busy(task, control);
  for (const SetAnswer& s : near.sets) busy.visit(s.features, limit);
  claim.extent = !near.complete || busy.stopped()                  ? Extent::stopped
                 : all && task.request.only_of<ForSearch>().within ? Extent::complete
                                                                   : Extent::first;
  std::vector<SetAnswer> sets = busy.stopped() ? near.busy.value_or(near.sets) : busy.take();
  if (claim.extent == Extent::complete) claim.num_sets = sets.size();
  return sets;
}

std::vector<Feature> increasing(std::vector<Feature> features) {
  std::sort(features.begin(), features.end());
  return features;
}

Status add_near(const Task& task, const Outcome& outcome, std::size_t most, const Control& control, Alternatives& out) {
  const SetList& near = *outcome.near;
  const Claim answer = claim_of_best(outcome);
  std::int64_t limit = *answer.upper_bound;
  for (const SetAnswer& s : near.sets) limit = std::max(limit, s.cost);
  const auto within = task.request.only_of<ForSearch>().within;
  const std::int64_t margin = within ? whole_units(*within, answer.scale) : limit - *answer.upper_bound;
  if (within && near.num_sets == near.sets.size() && margin <= INT64_MAX - *answer.upper_bound)
    limit = *answer.upper_bound + margin;
  CommitteeClaim claim;
  claim.within = margin;
  const auto sets = busy_sets(task, near, limit, control, claim);
  std::set<std::vector<Feature>> seen{increasing(outcome.diagram->used_features())};
  for (const SetAnswer& set : sets) {
    const bool stopping = control.stopping();
    if (stopping) claim.extent = Extent::stopped;
    if (claim.members > most) claim.extent = std::max(claim.extent, Extent::first);
    if (claim.members > most || stopping) break;
    if (seen.contains(increasing(set.features))) continue;
    TRY(auto shaped, shape_set(task, set, control));
    if (!seen.insert(increasing(shaped.diagram.used_features())).second) continue;
    out.list.push_back({false, shaped.table.order(), std::move(shaped.diagram), claim_of_set(answer, set.cost)});
    ++claim.members;
  }
  out.near = claim;
  return Done{};
}

// Those that vote with the answer, which comes first.
void add_members(const Outcome& outcome, std::size_t most, Alternatives& out) {
  out.near = outcome.committee->claim;
  const auto& members = outcome.committee->members;
  for (std::size_t i = 1; i < members.size() && i <= most; ++i)
    out.list.push_back({false, members[i].features, members[i].diagram, claim_of_set(outcome.claim, members[i].cost)});
}

void add_front(const Outcome& outcome, std::size_t most, const Control& control, Alternatives& out) {
  for (const SetAnswer& p : outcome.front->sets) {
    if (most-- == 0 || control.stopping()) return;
    Diagram diagram = diagram_of(*p.table);
    if (diagram == *outcome.diagram) continue;  // the answer itself
    out.list.push_back({true, p.features, std::move(diagram), claim_of_point(outcome, p)});
  }
}

}  // namespace

Claim claim_of_point(const Outcome& outcome, const SetAnswer& point) {
  Claim c = outcome.claim;
  c.scope.depth = point.depth;
  c.scope.max_nodes = point.nodes;
  c.scope.num_distinct = outcome.front ? outcome.front->num_distinct : 0;
  c.certifiable = false;
  c.status = point.status;
  c.lower_bound = point.lower_bound;
  c.upper_bound = point.cost;
  return c;
}

Result<Alternatives> alternatives_to(const Dataset& learnt_from, const Request& request, const Outcome& outcome,
                                     std::size_t most, const Control& control) {
  Alternatives out;
  if (!outcome.diagram || !(outcome.near || outcome.committee || outcome.front)) return out;
  Request alone = request;  // of each set its own diagram, not that of a set which ties with it
  alone.ask<ForSearch>().all_optima = false;
  const Exchange exchange;
  TRY(const auto task, task_again(learnt_from, alone, exchange, control));
  if (outcome.near) TRY_DONE(add_near(task, outcome, most, control, out));
  if (outcome.committee) add_members(outcome, most, out);
  if (outcome.front) add_front(outcome, most, control, out);
  return out;
}

}  // namespace beadwork
