#pragma once
#include <beadwork/formula/literal.hpp>

#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace beadwork {

using Clause = std::span<const Lit>;
using Weight = std::uint64_t;

// The weights of one formula add up to at most this, so that every cost and bound is an int64 too.
inline constexpr Weight kMaxWeight = (Weight{1} << 63) - 1;

// Clauses, stored one behind the other.
class ClauseList {
 public:
  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  std::size_t num_literals() const { return literals_.size(); }
  Clause operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return Clause(literals_).subspan(begin, ends_[i] - begin);
  }
  void add(Clause clause) {
    literals_.insert(literals_.end(), clause.begin(), clause.end());
    ends_.push_back(literals_.size());
  }
  friend bool operator==(const ClauseList&, const ClauseList&) = default;

 private:
  std::vector<Lit> literals_;
  std::vector<std::size_t> ends_;
};

// Variables and what they are called. Names are for people: they end up as comments in a written file.
class Variables {
 public:
  std::size_t num_vars() const { return num_vars_; }
  Var fresh_var();
  Var fresh_var(std::string name);
  void ensure_vars(std::size_t count);
  void set_name(Var v, std::string name) {
    ensure_vars(v() + 1);
    names_[v] = std::move(name);
  }
  const std::map<Var, std::string>& names() const { return names_; }
  friend bool operator==(const Variables&, const Variables&) = default;

 protected:
  void cover(Clause clause);

 private:
  std::size_t num_vars_ = 0;
  std::map<Var, std::string> names_;
};

// A conjunction of clauses. A clause may name variables that do not exist yet; they come into being.
class Cnf : public Variables {
 public:
  const ClauseList& clauses() const { return clauses_; }
  void add_clause(Clause clause) {
    cover(clause);
    clauses_.add(clause);
  }
  void add_clause(std::initializer_list<Lit> clause) { add_clause(Clause(clause.begin(), clause.size())); }
  friend bool operator==(const Cnf&, const Cnf&) = default;

 private:
  ClauseList clauses_;
};

// Hard clauses, which must hold, and soft clauses, each of which costs its weight when it does not.
class Wcnf : public Variables {
 public:
  const ClauseList& hard() const { return hard_; }
  const ClauseList& soft() const { return soft_; }
  Weight weight(std::size_t soft) const { return weights_[soft]; }
  Weight total_weight() const { return total_; }
  void add_clause(Clause clause) {
    cover(clause);
    hard_.add(clause);
  }
  void add_clause(std::initializer_list<Lit> clause) { add_clause(Clause(clause.begin(), clause.size())); }
  // Contract: weight >= 1 and the total stays within kMaxWeight.
  void add_soft(Clause clause, Weight weight);
  void add_soft(std::initializer_list<Lit> clause, Weight weight) {
    add_soft(Clause(clause.begin(), clause.size()), weight);
  }
  friend bool operator==(const Wcnf&, const Wcnf&) = default;

 private:
  ClauseList hard_;
  ClauseList soft_;
  std::vector<Weight> weights_;
  Weight total_ = 0;
};

struct FormulaSize {
  std::size_t variables = 0;
  std::size_t clauses = 0;
  std::size_t literals = 0;
  friend bool operator==(const FormulaSize&, const FormulaSize&) = default;
};
// About what a solver takes for it.
std::size_t solver_bytes(const FormulaSize& size);
FormulaSize size_of(const Cnf& cnf);
FormulaSize size_of(const Wcnf& wcnf);  // hard and soft together

}  // namespace beadwork
