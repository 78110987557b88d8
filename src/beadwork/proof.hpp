#pragma once
// proof: checks that a DRAT proof refutes a formula. It is small and shares only the type of a formula with the
// solver and the encoders, so it can check their answer "unsatisfiable" independently.
//
//   auto cnf = read_cnf("claim.cnf");
//   auto verdict = check_proof(*cnf, *read_file("claim.drat"), "claim.drat");
//   verdict->refuted;      // the empty clause follows
//   verdict->reason;       // otherwise: which step does not, or that no step is the empty clause
//
// The proof is text: a line `1 -2 0` adds a clause, `d 1 -2 0` deletes one, `c ...` is a comment. It is checked
// forwards. Each added clause must be RUP (assume it false: unit propagation finds a conflict) or RAT on its first
// literal (every resolvent with a clause that has the negation of that literal is RUP); the check ends at the first
// conflict at the root. Deleting a clause that is unit under the root assignment, or is not there, is ignored, as
// drat-trim does; the number of such lines is reported. An unreadable proof (a binary one, a literal out of range, a
// missing 0) is an Error with its place; a proof that is readable and wrong is a verdict.

#include <beadwork/base.hpp>
#include <beadwork/formula.hpp>

#include <string>
#include <string_view>

namespace beadwork {

struct ProofVerdict {
  bool refuted = false;
  std::string reason;       // why not
  std::size_t added = 0;    // clauses of the proof that were checked
  std::size_t deleted = 0;  // deletions that were carried out
  std::size_t ignored = 0;  // deletions that were not
  std::size_t rat = 0;      // added clauses that needed RAT
  bool complete = true;     // false: stopped by the control
};

// A limit in the control ends the check undecided: refuted is false and complete is false.
Result<ProofVerdict> check_proof(const Cnf& cnf, std::string_view proof, const std::string& name,
                                 const Control& control = {});

}  // namespace beadwork
