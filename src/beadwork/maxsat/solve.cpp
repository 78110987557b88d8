#include "beadwork/maxsat/core_phase.hpp"
#include "beadwork/maxsat/linear_phase.hpp"
#include "beadwork/maxsat/sampled_descent.hpp"
#include <beadwork/maxsat.hpp>

namespace beadwork {

namespace {

// Core-boosted linear search (Berg, Demirovic, Stuckey 2019).
void run_phases(Search& search) {
  if (search.first_model() == PhaseEnd::closed || !search.has_model()) return;
  if (search.options.sampled_descent) sampled_descent(search);
  if (search.closed() || search.stopping()) return;
  CorePhase cores(search);
  if (cores.run() == PhaseEnd::closed || search.stopping()) return;
  linear_phase(search, cores);
}

}  // namespace

Result<MaxsatOutcome> solve(const Wcnf& wcnf, const Control& control, const MaxsatOptions& options) {
  if (control.no_room_for(solver_bytes(size_of(wcnf)))) {
    MaxsatOutcome nothing;
    nothing.stopped_by = Stop::memory;
    return nothing;
  }
  TRY(auto solver, Solver::make(options.solver));
  Search search(wcnf, control, options, std::move(solver));
  run_phases(search);
  return search.outcome();
}

Cnf at_most_cost(const Wcnf& wcnf, Weight bound) {
  Cnf cnf;
  cnf.ensure_vars(wcnf.num_vars());
  for (const auto& [v, name] : wcnf.names()) cnf.set_name(v, name);
  const SoftObjective objective = relax(wcnf, cnf, true);
  if (objective.base > bound) {
    cnf.add_clause(Clause{});
    return cnf;
  }
  std::vector<Term> terms;
  for (const Term& soft : objective.softs) terms.push_back({~soft.lit, soft.weight});
  WeightedBound(cnf, terms, bound - objective.base).at_most(cnf, bound - objective.base);
  return cnf;
}

std::string status_line(MaxsatStatus s) {
  switch (s) {
    case MaxsatStatus::optimal:
      return "s OPTIMUM FOUND";
    case MaxsatStatus::feasible:
      return "s SATISFIABLE";
    case MaxsatStatus::infeasible:
      return "s UNSATISFIABLE";
    case MaxsatStatus::unknown:
      break;
  }
  return "s UNKNOWN";
}

int exit_code(MaxsatStatus s) {
  switch (s) {
    case MaxsatStatus::optimal:
      return 30;
    case MaxsatStatus::feasible:
      return 10;
    case MaxsatStatus::infeasible:
      return 20;
    case MaxsatStatus::unknown:
      break;
  }
  return 0;
}

}  // namespace beadwork
