#pragma once
// maxsat: satisfy all hard clauses and falsify as little soft weight as possible.
//
//   solve(wcnf, control, options)      our own core-boosted linear search on layer sat's Solver
//   solve_external(wcnf, "loandra")    any program that speaks WCNF and answers with o, s and v lines
//   at_most_cost(wcnf, bound)          the CNF "some model costs at most bound": refuted, it proves
//   optimality
//
// Example (compiled in tests/unit/maxsat):
//
//   auto wcnf = parse_wcnf("h 1 2 0\n3 -1 0\n4 -2 0\n", "example");
//   auto out = solve(*wcnf);
//   out->status;                // MaxsatStatus::optimal
//   out->lower, out->upper;     // 3, 3
//   out->model[Var(0)];         // true
//
// Anytime: a limit in Control is not an error. `lower` holds for every model of the hard clauses and `upper` is the
// cost of `model`, whenever the search is stopped; each improvement goes to Control::progress, and a sink that returns
// false stops the search. Every model is priced by cost(wcnf, model) of layer formula, which knows nothing of the
// search; that the lower bound is right is checkable with at_most_cost and a proof (layers sat and proof).

#include <beadwork/base.hpp>
#include <beadwork/formula.hpp>
#include <beadwork/sat.hpp>

#include <functional>
#include <optional>
#include <string>

namespace beadwork {

enum class MaxsatStatus {
  optimal,     // lower == upper, model
  feasible,    // lower <= upper, model
  infeasible,  // the hard clauses contradict each other
  unknown,     // stopped before a model was found; lower holds
};

struct MaxsatStats {
  std::size_t softs = 0;  // after grouping: literals assumed
  std::size_t cores = 0;  // found in the core phase
  std::size_t core_literals = 0;
  std::size_t improvements = 0;  // models better than the one before
  double core_seconds = 0, linear_seconds = 0;
  SolverStats solver;
};

struct MaxsatOutcome {
  MaxsatStatus status = MaxsatStatus::unknown;
  Weight lower = 0;
  Weight upper = 0;  // meaningless without a model
  Assignment model;
  Stop stopped_by = Stop::none;
  MaxsatStats stats;
  std::string prover;  // whose word `lower` and "infeasible" are: the other solver's command; empty: our own search's
};

struct MaxsatOptions {
  std::optional<Assignment>
      initial;  // a model to start from: its phases, and its cost if it satisfies the hard clauses
  std::uint64_t core_conflicts = 10'000;  // for the core phase, more while it is about to close the gap
  double core_share = shares::kCores;     // of the time to the deadline, at most, for the core phase
  bool group_clashing = true;             // one relaxation for soft clauses of which at most one can be falsified
  bool sampled_descent = true;            // with many softs: first a model that suits a sample of them
  bool minimise_cores = true;
  bool exhaust_cores = true;
  bool stratify = true;
  bool linear_phase = true;  // off: cores to the end
  SolverOptions solver;
  // Called with each better model and its cost (a command that prints `o` lines wants it).
  std::function<void(const Assignment&, Weight)> on_model;
};

Result<MaxsatOutcome> solve(const Wcnf& wcnf, const Control& control = {}, const MaxsatOptions& options = {});

// `form` is what the program reads. Its model is priced here; an `o` line or an optimality claim is the
// program's word, and a claim that contradicts its own model is an error.
Result<MaxsatOutcome> solve_external(const Wcnf& wcnf, std::string_view command, const Control& control = {},
                                     WcnfForm form = WcnfForm::modern);

// Hard clauses, softs relaxed, and an encoding of "cost <= bound". Its first variables are those of the formula.
Cnf at_most_cost(const Wcnf& wcnf, Weight bound);

// What a command that speaks as a MaxSAT solver says: "s OPTIMUM FOUND" and 30, "s UNSATISFIABLE" and 20,
// "s SATISFIABLE" and 10, "s UNKNOWN" and 0.
std::string status_line(MaxsatStatus s);
int exit_code(MaxsatStatus s);

}  // namespace beadwork
