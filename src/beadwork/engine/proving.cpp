#include <beadwork/engine/maxsat_solving.hpp>
#include <beadwork/engine/proving.hpp>
#include <beadwork/proof.hpp>
#include <beadwork/sat.hpp>

#include <fmt/format.h>

namespace beadwork {
namespace {

Error no_proof(bool limit, std::string why) {
  return {limit ? ErrorCode::limit : ErrorCode::internal, std::move(why), "proof", true};
}

}  // namespace

Result<DratProof> prove(const Cnf& refuted, bool check, const FormulaOptions& how, const Control& control) {
  TRY(auto solver, Solver::make({.keep_proof = true}));
  for (std::size_t i = 0; i < refuted.clauses().size(); ++i) solver.add_clause(refuted.clauses()[i]);
  const Answer answer = solver.solve({}, control);
  if (answer == Answer::unknown) return no_proof(true, "stopped by a limit before the proof was complete");
  if (answer != Answer::unsatisfiable)
    return how.solver.empty() ? no_proof(false, "the formula of the proof is satisfiable") : wrong_answer(how);
  TRY(auto lines, solver.take_proof());
  DratProof proof{to_dimacs(refuted), std::move(lines)};
  if (!check) return proof;
  TRY(auto verdict, check_proof(refuted, proof.lines, "proof", control));
  if (!verdict.refuted)
    return verdict.complete ? no_proof(false, "the proof is wrong: " + verdict.reason)
                            : no_proof(true, "stopped by a limit before the proof was checked");
  control.note(fmt::format("proof checked: {} clauses added, {} deleted", verdict.added, verdict.deleted));
  return proof;
}

}  // namespace beadwork
