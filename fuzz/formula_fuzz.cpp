// Any bytes as CNF or WCNF: refused in one line, or a formula that its own text gives back. OPB: refused in one line,
// or clauses over its variables. CNF, form feed, DRAT: what the checker calls refuted has no model, by trying all
// assignments.
#include "fuzz.hpp"
#include <beadwork/formula.hpp>
#include <beadwork/proof.hpp>

#include <cctype>

namespace {

using namespace beadwork;
using fuzz::insist;

// A number of more digits than this would ask for gigabytes of variables.
constexpr std::size_t kMostDigits = 5;

bool has_large_number(std::string_view text, std::size_t most_digits) {
  std::size_t run = 0;
  for (const char c : text) {
    run = std::isdigit(static_cast<unsigned char>(c)) != 0 ? run + 1 : 0;
    if (run > most_digits) return true;
  }
  return false;
}

bool holds(Clause clause, unsigned assignment) {
  for (const Lit literal : clause)
    if ((assignment >> literal.var()() & 1U) == (literal.positive() ? 1U : 0U)) return true;
  return false;
}

bool satisfiable(const Cnf& cnf) {
  for (unsigned assignment = 0; assignment < 1U << cnf.num_vars(); ++assignment) {
    bool all = true;
    for (std::size_t i = 0; i < cnf.clauses().size() && all; ++i) all = holds(cnf.clauses()[i], assignment);
    if (all) return true;
  }
  return false;
}

void try_cnf(std::string_view text) {
  const auto cnf = parse_cnf(text, "fuzz");
  if (!cnf) return fuzz::insist_one_line(cnf.error());
  const auto again = parse_cnf(to_dimacs(*cnf), "again");
  insist(static_cast<bool>(again), "our own CNF is accepted");
  insist(again->num_vars() == cnf->num_vars() && again->clauses() == cnf->clauses(),
         "our own CNF gives the formula back");
}

void try_wcnf(std::string_view text) {
  const auto wcnf = parse_wcnf(text, "fuzz");
  if (!wcnf) return fuzz::insist_one_line(wcnf.error());
  for (const WcnfForm form : {WcnfForm::modern, WcnfForm::classic}) {
    const auto again = parse_wcnf(to_dimacs(*wcnf, form), "again");
    insist(static_cast<bool>(again), "our own WCNF is accepted");
    insist(
        again->hard() == wcnf->hard() && again->soft() == wcnf->soft() && again->total_weight() == wcnf->total_weight(),
        "our own WCNF gives the formula back");
  }
}

void try_opb(std::string_view text) {
  const auto problem = parse_opb(text, "fuzz");
  if (!problem) return fuzz::insist_one_line(problem.error());
  insist(problem->names().size() == problem->num_vars(), "every variable has its name");
  for (const auto& c : problem->constraints)
    for (const Term& t : c.terms) insist(t.weight >= 1 && t.weight <= c.least, "weights are from 1 to the bound");
  const Wcnf wcnf = to_wcnf(*problem);
  insist(wcnf.num_vars() >= problem->num_vars(), "the formula has the problem's variables");
  insist(wcnf.hard() == to_cnf(*problem).clauses(), "the same constraints with and without the objective");
}

void try_proof(std::string_view text) {
  const auto cnf = parse_cnf(fuzz::cut(text, '\f'), "fuzz");
  if (!cnf || cnf->num_vars() > 10) return;
  const auto verdict = check_proof(*cnf, text, "proof");
  if (!verdict) return fuzz::insist_one_line(verdict.error());
  if (verdict->refuted) insist(!satisfiable(*cnf), "a refuted formula has no model");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  (void)kind_of(text, "fuzz");
  const unsigned kind = data[0] % 3;
  if (data[0] == 'o') {
    try_opb(text);
  } else if (kind == 1) {
    // Weights may be large; in the old form the header has both.
    const bool old = text.find("p wcnf") != std::string_view::npos;
    if (!has_large_number(text, old ? kMostDigits : 22)) try_wcnf(text);
  } else if (!has_large_number(text, kMostDigits)) {
    kind == 0 ? try_cnf(text) : try_proof(text);
  }
  return 0;
}
