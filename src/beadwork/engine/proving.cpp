#include <fmt/format.h>

#include <beadwork/engine/proving.hpp>
#include <beadwork/proof.hpp>
#include <beadwork/sat.hpp>
#include <cstdio>

namespace beadwork {

Status write_proof(const Cnf& refuted, const Options& options, const Control& control) {
  if (auto ok = write_file(options.proof + ".cnf", to_dimacs(refuted)); !ok) return ok;
  const std::string unfinished = options.proof + ".part";
  auto solver = Solver::make({unfinished, {}});
  if (!solver) return solver.error();
  const auto fail = [&](Error error) -> Status {
    std::remove(unfinished.c_str());
    return error;
  };
  for (std::size_t i = 0; i < refuted.clauses().size(); ++i) solver->add_clause(refuted.clauses()[i]);
  const Answer answer = solver->solve({}, control);
  if (auto ok = solver->close_proof(); !ok) return fail(ok.error());
  if (answer != Answer::unsatisfiable)
    return fail({answer == Answer::unknown ? ErrorCode::limit : ErrorCode::internal,
                 answer == Answer::unknown ? "the limit came before the proof was complete"
                                           : "the formula of the proof is satisfiable",
                 options.proof});
  auto text = read_file(unfinished);
  if (!text) return fail(text.error());
  if (options.check_proof) {
    auto verdict = check_proof(refuted, *text, options.proof, control);
    if (!verdict) return fail(verdict.error());
    if (!verdict->refuted)
      return fail({verdict->complete ? ErrorCode::internal : ErrorCode::limit,
                   verdict->complete ? "the proof does not check: " + verdict->reason
                                     : "the limit came before the proof was checked",
                   options.proof});
    control.note(
        fmt::format("proof checked: {} clauses added, {} deleted", verdict->added, verdict->deleted));
  }
  if (std::rename(unfinished.c_str(), options.proof.c_str()) != 0)
    return fail(input_error("cannot write the proof", options.proof));
  return Done{};
}

}  // namespace beadwork
