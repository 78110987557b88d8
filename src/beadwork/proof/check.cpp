#include "beadwork/proof/checker.hpp"
#include "beadwork/proof/lines.hpp"
#include <beadwork/proof.hpp>

#include <fmt/format.h>

namespace beadwork {

namespace {

// One line of the proof; false if an added clause does not follow.
bool step(Checker& checker, const ProofLine& line, ProofVerdict& v) {
  if (line.deletes) {
    ++(checker.remove(line.clause) ? v.deleted : v.ignored);
    return true;
  }
  ++v.added;
  if (!checker.is_rup(line.clause)) {
    if (!checker.is_rat(line.clause)) {
      v.reason = fmt::format("line {}: the clause is neither RUP nor RAT on its first literal", line.number);
      return false;
    }
    ++v.rat;
  }
  checker.add(line.clause);
  return true;
}

}  // namespace

Result<ProofVerdict> check_proof(const Cnf& cnf, std::string_view proof, const std::string& name,
                                 const Control& control) {
  ProofVerdict v;
  Checker checker(cnf);
  ProofLines lines(proof, name);
  ProofLine line;
  while (!checker.refuted()) {
    TRY(const auto more, lines.next(line));
    if (!more) {
      v.reason = "the proof ends without the empty clause";
      return v;
    }
    v.complete = !control.stopping();
    if (!v.complete) v.reason = "stopped before the end";
    if (!v.complete || !step(checker, line, v)) return v;
  }
  v.refuted = true;
  return v;
}

}  // namespace beadwork
