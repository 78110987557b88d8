#include <beadwork/formula.hpp>

#include <algorithm>

namespace beadwork {

bool Assignment::satisfies(Clause clause) const {
  return std::any_of(clause.begin(), clause.end(), [&](Lit l) { return satisfies(l); });
}

void Assignment::set(Lit l) {
  if (l.var()() >= values_.size()) values_.resize(l.var()() + 1, false);
  values_[l.var()()] = l.positive();
}

std::optional<std::size_t> first_falsified(const ClauseList& clauses, const Assignment& a) {
  for (std::size_t i = 0; i < clauses.size(); ++i)
    if (!a.satisfies(clauses[i])) return i;
  return {};
}

std::optional<Weight> cost(const Wcnf& wcnf, const Assignment& a) {
  if (first_falsified(wcnf.hard(), a)) return {};
  Weight sum = 0;
  for (std::size_t i = 0; i < wcnf.soft().size(); ++i)
    if (!a.satisfies(wcnf.soft()[i])) sum += wcnf.weight(i);
  return sum;
}

}  // namespace beadwork
