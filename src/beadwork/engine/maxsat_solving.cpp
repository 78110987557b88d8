#include <beadwork/engine/maxsat_solving.hpp>

#include <fmt/format.h>

namespace beadwork {

Result<MaxsatOutcome> solve_as_asked(const Wcnf& wcnf, std::optional<Assignment> start, const FormulaOptions& options,
                                     const Control& control) {
  MaxsatOptions ours;
  ours.initial = std::move(start);
  auto outcome = options.solver.empty() ? solve(wcnf, control, ours)
                                        : solve_external(wcnf, options.solver, control, options.wcnf_format);
  if (outcome && outcome->status == MaxsatStatus::infeasible) return wrong_answer(options);
  return outcome;
}

std::optional<std::string> solver_named(const FormulaOptions& options) {
  return options.solver.empty() ? std::nullopt : std::optional(options.solver);
}

Error wrong_answer(const FormulaOptions& options) {
  if (options.solver.empty()) return {ErrorCode::internal, "the MaxSAT search gave a wrong answer"};
  return input_error("its answer contradicts itself: is it a MaxSAT solver?",
                     fmt::format("solver '{}'", printable(options.solver)));
}

std::optional<Assignment> model_with(const Wcnf& wcnf, const std::vector<Lit>& literals, const Control& control) {
  if (control.no_room_for(solver_bytes(size_of(wcnf)))) return std::nullopt;
  Solver solver;
  solver.ensure_vars(wcnf.num_vars());
  for (std::size_t i = 0; i < wcnf.hard().size(); ++i) {
    if (i % 4096 == 0 && control.stopping()) return std::nullopt;
    solver.add_clause(wcnf.hard()[i]);
  }
  if (solver.solve(literals, control) != Answer::satisfiable) return std::nullopt;
  return solver.model();
}

Control with_base(const Control& control, std::int64_t base_errors) {
  Control out = control;
  if (control.progress)
    out.progress = [report = control.progress, base_errors](const Progress& p) {
      Progress shifted = p;
      shifted.lower_bound += base_errors;
      if (p.upper_bound) shifted.upper_bound = *p.upper_bound + base_errors;
      return report(shifted);
    };
  return out;
}

}  // namespace beadwork
