#pragma once
#include <beadwork/sat/answer.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace beadwork {

struct SolverOptions {
  std::string proof = {};                                  // file for a text DRAT proof; empty: none
  bool keep_proof = false;                                 // take_proof() hands one over instead
  std::vector<std::pair<std::string, int>> settings = {};  // CaDiCaL's own options, such as {"seed", 7}
};

struct SolverStats {
  std::size_t variables = 0, clauses = 0, solves = 0;
  std::uint64_t conflicts = 0;  // learned clauses
  double seconds = 0;           // inside solve()
};

class Solver {
 public:
  Solver();
  // An unwritable proof file or an unknown setting is an error.
  static Result<Solver> make(const SolverOptions& options);
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;
  ~Solver();

  std::size_t num_vars() const;
  Var fresh_var();
  void ensure_vars(std::size_t count);
  void add_clause(Clause clause);
  void add_clause(std::initializer_list<Lit> clause) { add_clause(Clause(clause.begin(), clause.size())); }

  Answer solve(Clause assumptions = {}, const Control& control = {}, std::optional<std::uint64_t> conflicts = {});
  Stop stopped_by() const;                 // why the last answer was unknown
  bool value(Lit l) const;                 // contract: the last answer was satisfiable
  Assignment model() const;                // the same for all variables
  std::vector<Lit> failed() const;         // contract: unsatisfiable; assumptions that cannot hold together
  std::optional<bool> fixed(Lit l) const;  // its value at the root, where known

  void phase(Lit l);   // try l true first
  void freeze(Lit l);  // will be assumed or used in clauses again: do not eliminate it

  SolverStats stats() const;
  Status close_proof();
  Result<std::string> take_proof();  // contract: keep_proof was set
  static std::string name();         // "CaDiCaL 1.5.3"

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// One formula, one answer. The model has been checked; a solver that gave a wrong one is an internal error.
Result<SatOutcome> solve(const Cnf& cnf, const Control& control = {}, const SolverOptions& options = {});

}  // namespace beadwork
