#pragma once
#include <beadwork/formula/cnf.hpp>

#include <optional>
#include <vector>

namespace beadwork {

// A value for every variable; variables beyond its size are false.
class Assignment {
 public:
  Assignment() = default;
  explicit Assignment(std::size_t num_vars) : values_(num_vars, false) {}

  std::size_t num_vars() const { return values_.size(); }
  bool operator[](Var v) const { return v() < values_.size() && values_[v()]; }
  bool satisfies(Lit l) const { return (*this)[l.var()] == l.positive(); }
  bool satisfies(Clause clause) const;
  void set(Lit l);  // makes l true
  void set(Var v, bool value) { set(Lit(v, value)); }
  friend bool operator==(const Assignment&, const Assignment&) = default;

 private:
  std::vector<bool> values_;
};

// The first clause that does not hold, if any.
std::optional<std::size_t> first_falsified(const ClauseList& clauses, const Assignment& a);
inline bool satisfies(const Assignment& a, const Cnf& cnf) {
  return !first_falsified(cnf.clauses(), a);
}

// The weight of the falsified soft clauses; nothing if a hard clause is falsified.
std::optional<Weight> cost(const Wcnf& wcnf, const Assignment& a);

}  // namespace beadwork
