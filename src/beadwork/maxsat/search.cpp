#include "beadwork/maxsat/search.hpp"

#include <algorithm>

namespace beadwork {

Search::Search(const Wcnf& w, const Control& c, const MaxsatOptions& o, Solver s)
    : wcnf(w), control(c), options(o), solver(std::move(s)) {
  solver.ensure_vars(wcnf.num_vars());
  objective = relax(wcnf, solver, options.group_clashing);
  for (const Term& soft : objective.softs) solver.freeze(soft.lit);
  stats.softs = objective.softs.size();
  lower_ = objective.base;
}

PhaseEnd Search::first_model() {
  for (const Term& soft : objective.softs) solver.phase(soft.lit);
  if (options.initial) take(*options.initial, "initial");
  if (has_model()) return PhaseEnd::stopped;
  const Answer answer = solver.solve({}, control);
  if (answer == Answer::satisfiable) take_model("first model");
  infeasible_ = answer == Answer::unsatisfiable;
  return infeasible_ || closed() ? PhaseEnd::closed : PhaseEnd::stopped;
}

void Search::report(std::string_view phase) {
  Progress p;
  p.phase = phase;
  p.lower_bound = static_cast<std::int64_t>(lower_);
  if (upper_) p.upper_bound = static_cast<std::int64_t>(*upper_);
  p.share = upper_ && *upper_ > 0 ? static_cast<double>(lower_) / static_cast<double>(*upper_) : 0;
  p.seconds = watch_.seconds();
  if (!control.report(p)) stopped_ = true;
}

// Once softs were hardened, a core says what a model better than the best one would cost: that may be more
// than the best.
void Search::raise_lower(Weight lower, std::string_view phase) {
  if (upper_) lower = std::min(lower, *upper_);
  if (lower <= lower_) return;
  lower_ = lower;
  report(phase);
}

bool Search::take_model(std::string_view phase) {
  Assignment model(wcnf.num_vars());
  for (std::size_t v = 0; v < wcnf.num_vars(); ++v) model.set(Var(v), solver.value(Var(v)));
  return take(model, phase);
}

// The phases of the best model make the next search start beside it (solution-guided search).
bool Search::take(const Assignment& model, std::string_view phase) {
  const auto price = cost(wcnf, model);
  if (!price || (upper_ && *price >= *upper_)) return false;
  upper_ = *price;
  best_ = model;
  ++stats.improvements;
  for (std::size_t v = 0; v < wcnf.num_vars(); ++v) solver.phase(Lit(Var(v), model[Var(v)]));
  if (options.on_model) options.on_model(best_, *upper_);
  report(phase);
  return true;
}

MaxsatOutcome Search::outcome() const {
  MaxsatOutcome out;
  out.lower = lower_;
  out.upper = upper_.value_or(0);
  out.model = best_;
  out.status = infeasible_   ? MaxsatStatus::infeasible
               : closed()    ? MaxsatStatus::optimal
               : has_model() ? MaxsatStatus::feasible
                             : MaxsatStatus::unknown;
  if (out.status == MaxsatStatus::feasible || out.status == MaxsatStatus::unknown)
    out.stopped_by = solver.stopped_by() != Stop::none && solver.stopped_by() != Stop::conflicts ? solver.stopped_by()
                     : control.deadline.passed()                                                 ? Stop::deadline
                                                                                                 : Stop::interrupt;
  out.stats = stats;
  out.stats.solver = solver.stats();
  return out;
}

}  // namespace beadwork
