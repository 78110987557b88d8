#include <beadwork/formula.hpp>

#include <algorithm>

namespace beadwork {

Var Variables::fresh_var() {
  require(num_vars_ < kMaxVars, "Variables: too many variables");
  return Var(num_vars_++);
}

Var Variables::fresh_var(std::string name) {
  const Var v = fresh_var();
  names_[v] = std::move(name);
  return v;
}

void Variables::ensure_vars(std::size_t count) {
  require(count <= kMaxVars, "Variables: too many variables");
  num_vars_ = std::max(num_vars_, count);
}

void Variables::cover(Clause clause) {
  for (const Lit l : clause) ensure_vars(l.var()() + 1);
}

void Wcnf::add_soft(Clause clause, Weight weight) {
  require(weight >= 1 && weight <= kMaxWeight - total_, "Wcnf: weights are at least 1 and add up to less than 2^63");
  cover(clause);
  soft_.add(clause);
  weights_.push_back(weight);
  total_ += weight;
}

FormulaSize size_of(const Cnf& cnf) {
  return {cnf.num_vars(), cnf.clauses().size(), cnf.clauses().num_literals()};
}

FormulaSize size_of(const Wcnf& wcnf) {
  return {wcnf.num_vars(), wcnf.hard().size() + wcnf.soft().size(),
          wcnf.hard().num_literals() + wcnf.soft().num_literals()};
}

std::size_t solver_bytes(const FormulaSize& size) {
  return 6 * size.literals + 48 * size.clauses + 200 * size.variables;
}

}  // namespace beadwork
