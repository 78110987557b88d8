#include "beadwork/maxsat/core_phase.hpp"

#include <algorithm>

namespace beadwork {

namespace {
constexpr std::uint64_t kMinimiseConflicts = 300;
constexpr std::uint64_t kExhaustConflicts = 300;
constexpr std::size_t kMinimiseLargest = 300;
}  // namespace

CorePhase::CorePhase(Search& search) : search_(search) {
  Weight heaviest = 1;
  for (const Term& soft : search.objective.softs) {
    weights_[soft.lit] += soft.weight;
    heaviest = std::max(heaviest, soft.weight);
  }
  if (search.options.stratify) level_ = heaviest;
}

PhaseEnd CorePhase::run() {
  const MaxsatOptions& o = search_.options;
  const Stopwatch watch;
  control_ = search_.control;
  if (o.linear_phase && control_.deadline.remaining() < 1e9)
    control_.deadline = Deadline::in(o.core_share * control_.deadline.remaining());
  lower_at_start_ = search_.lower();
  effort_at_start_ = effort();
  PhaseEnd end = PhaseEnd::closed;
  while (!search_.closed() && (end = collect_and_reformulate()) == PhaseEnd::closed) {
  }
  reformulate();
  search_.stats.core_seconds += watch.seconds();
  return search_.closed() ? PhaseEnd::closed : end;
}

// On instances with many errors each core brings little and the linear phase, whose bound sees them all at
// once, proves sooner; on those with few errors cores close the gap alone. So: a short trial, longer only as
// long as its pace would close the gap within five such trials. Conflicts are the clock, so that a run can be
// repeated; a call costs something too, more on a large formula.
bool CorePhase::worth_going_on() const {
  if (!search_.options.linear_phase) return true;
  const auto effort = static_cast<double>(this->effort() - effort_at_start_);
  const auto limit = static_cast<double>(search_.options.core_conflicts);
  if (effort <= limit) return true;
  const auto gain = static_cast<double>(search_.lower() - lower_at_start_);
  const auto gap = static_cast<double>(search_.upper() - search_.lower());
  return gap * effort <= 5 * limit * gain;
}

std::uint64_t CorePhase::effort() const {
  const SolverStats s = search_.solver.stats();
  return s.conflicts + s.solves * (s.clauses / 2000);
}

// Closed: go on (or the bounds have met).
PhaseEnd CorePhase::collect_and_reformulate() {
  for (;;) {
    if (search_.stopping() || control_.stopping() || !worth_going_on()) return PhaseEnd::stopped;
    harden();
    const Answer answer = next_core();
    if (answer == Answer::unknown) return PhaseEnd::stopped;
    if (search_.closed()) return PhaseEnd::closed;
    if (answer == Answer::satisfiable) break;
  }
  if (!pending_.empty() || !pending_outputs_.empty())
    reformulate();
  else
    lower_level();
  return PhaseEnd::closed;
}

Answer CorePhase::next_core() {
  const std::uint64_t conflicts = search_.options.core_conflicts / (1 + search_.solver.stats().clauses / 100'000);
  const auto limit = search_.options.linear_phase ? std::optional(conflicts) : std::nullopt;
  const Answer answer = search_.solver.solve(assumptions(), control_, limit);
  if (answer == Answer::satisfiable) {
    search_.take_model("cores");
    if (pending_.empty() && pending_outputs_.empty() && level_ == 1) search_.close();
  }
  if (answer != Answer::unsatisfiable) return answer;
  std::vector<Lit> core = search_.solver.failed();
  if (core.empty())
    search_.close();  // hardening left no better model
  else
    take_core(std::move(core));
  return answer;
}

std::vector<Lit> CorePhase::assumptions() const {
  std::vector<Lit> out;
  for (const auto& [soft, weight] : weights_)
    if (weight >= level_) out.push_back(soft);
  std::stable_sort(out.begin(), out.end(), [&](Lit a, Lit b) { return weights_.at(a) > weights_.at(b); });
  return out;
}

void CorePhase::take_core(std::vector<Lit> core) {
  if (search_.options.minimise_cores) {
    trim(core);
    minimise(core);
  }
  Weight least = kMaxWeight;
  for (const Lit l : core) least = std::min(least, weights_.at(l));
  std::vector<Lit> clause;
  for (const Lit l : core) {
    clause.push_back(~l);
    if ((weights_[l] -= least) == 0) weights_.erase(l);
    if (const auto o = outputs_.find(l); o != outputs_.end()) pending_outputs_.emplace_back(o->second, least);
  }
  search_.solver.add_clause(clause);
  ++search_.stats.cores;
  search_.stats.core_literals += core.size();
  if (core.size() > 1) pending_.push_back({std::move(core), least});
  search_.raise_lower(search_.lower() + least, "cores");
}

void CorePhase::trim(std::vector<Lit>& core) {
  for (int round = 0; round < 5 && core.size() > 1; ++round) {
    if (search_.solver.solve(core, control_, kMinimiseConflicts) != Answer::unsatisfiable) return;
    std::vector<Lit> smaller = search_.solver.failed();
    if (smaller.empty() || smaller.size() == core.size()) return;
    core = std::move(smaller);
  }
}

// Drops one literal after the other; what a refutation does not need goes with it. Light softs are dropped
// first, so that the least weight of the core grows.
void CorePhase::minimise(std::vector<Lit>& core) {
  if (core.size() > kMinimiseLargest) return;
  std::stable_sort(core.begin(), core.end(), [&](Lit a, Lit b) { return weights_.at(a) < weights_.at(b); });
  for (std::size_t i = 0; i < core.size() && core.size() > 1 && !control_.stopping();) {
    std::vector<Lit> rest = core;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (search_.solver.solve(rest, control_, kMinimiseConflicts) != Answer::unsatisfiable) {
      ++i;
      continue;
    }
    const std::vector<Lit> needed = search_.solver.failed();
    if (needed.empty()) return;
    std::vector<Lit> next(core.begin(), core.begin() + static_cast<std::ptrdiff_t>(i));
    std::erase_if(next, [&](Lit l) { return std::find(needed.begin(), needed.end(), l) == needed.end(); });
    const std::size_t kept = next.size();
    for (const Lit l : needed)
      if (std::find(next.begin(), next.end(), l) == next.end()) next.push_back(l);
    core = std::move(next);
    i = kept;
  }
}

void CorePhase::reformulate() {
  for (const auto& [output, weight] : std::exchange(pending_outputs_, {})) {
    Counter& c = counters_[output.counter];
    const std::size_t index = output.k - c.first;
    if (c.consumed.size() <= index) c.consumed.resize(index + 1);
    c.consumed[index] += weight;
    add_output(output.counter, output.k + 1, weight);
  }
  for (const Core& core : std::exchange(pending_, {})) count_core(core);
}

void CorePhase::count_core(const Core& core) {
  std::vector<Lit> falsified;
  for (const Lit l : core.softs) falsified.push_back(~l);
  counters_.push_back({Totalizer(falsified), core.weight, 2, {}});
  Counter& c = counters_.back();
  if (search_.options.exhaust_cores) c.first = exhaust(c.totalizer, core.weight);
  add_output(counters_.size() - 1, c.first, core.weight);
}

// How many of the core must be false? Returns the first output that is not known to be forced.
std::size_t CorePhase::exhaust(Totalizer& t, Weight weight) {
  std::size_t k = 2;
  for (; k <= t.num_inputs() && !search_.closed() && !control_.stopping(); ++k) {
    t.extend(search_.solver, k);
    const Lit bound = ~t.at_least(k);
    if (search_.solver.solve({&bound, 1}, control_, kExhaustConflicts) != Answer::unsatisfiable) break;
    search_.solver.add_clause({~bound});
    search_.raise_lower(search_.lower() + weight, "cores");
  }
  return k;
}

void CorePhase::add_output(std::size_t counter, std::size_t k, Weight weight) {
  Totalizer& t = counters_[counter].totalizer;
  if (k > t.num_inputs()) return;
  t.extend(search_.solver, k);
  const Lit soft = ~t.at_least(k);
  outputs_.insert_or_assign(soft, Output{counter, k});
  add_soft(soft, weight);
}

void CorePhase::add_soft(Lit soft, Weight weight) {
  search_.solver.freeze(soft);
  search_.solver.phase(soft);
  weights_[soft] += weight;
}

void CorePhase::harden() {
  if (!search_.has_model() || search_.closed()) return;
  const Weight gap = search_.upper() - search_.lower();
  for (auto i = weights_.begin(); i != weights_.end();) {
    if (i->second >= gap) {
      search_.solver.add_clause({i->first});
      i = weights_.erase(i);
    } else {
      ++i;
    }
  }
}

// The next level brings in enough new softs to be worth a call (the diversity rule of RC2, simplified).
void CorePhase::lower_level() {
  std::map<Weight, std::size_t, std::greater<>> counts;
  for (const auto& [soft, weight] : weights_) ++counts[weight];
  std::size_t above = 0, fresh = 0;
  for (const auto& [weight, count] : counts) {
    if (weight >= level_) {
      above += count;
      continue;
    }
    fresh += count;
    level_ = weight;
    if (4 * fresh >= above) return;
  }
  level_ = 1;
}

std::vector<CorePhase::Run> CorePhase::remainder(Weight gap) {
  std::vector<Run> runs;
  for (const auto& [soft, weight] : weights_)
    if (!outputs_.contains(soft)) runs.push_back({{~soft}, {weight}});
  for (Counter& c : counters_) {
    Run run;
    Weight sum = 0;
    for (std::size_t k = c.first; k <= c.totalizer.num_inputs() && sum < gap; ++k) {
      const std::size_t index = k - c.first;
      const Weight rest = c.weight - (index < c.consumed.size() ? c.consumed[index] : 0);
      if (rest == 0) continue;
      c.totalizer.extend(search_.solver, k);
      run.literals.push_back(c.totalizer.at_least(k));
      run.weights.push_back(rest);
      sum += rest;
    }
    if (!run.literals.empty()) runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace beadwork
