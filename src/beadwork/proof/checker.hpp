#pragma once
#include <beadwork/formula.hpp>

#include <unordered_map>
#include <vector>

namespace beadwork {

// Clauses under the root assignment, with two watched literals each.
class Checker {
 public:
  explicit Checker(const Cnf& cnf);

  bool refuted() const { return refuted_; }
  bool is_rup(const std::vector<Lit>& clause);
  bool is_rat(const std::vector<Lit>& clause);
  void add(std::vector<Lit> clause);
  bool remove(std::vector<Lit> clause);  // false: ignored

 private:
  using Id = std::uint32_t;
  struct WatchedClause {
    Id clause;
    Lit other;  // some literal of the clause: if it is true there is nothing to do
  };

  void cover(const std::vector<Lit>& clause);
  bool is_true(Lit l) const { return values_[l.code()] > 0; }
  bool is_false(Lit l) const { return values_[l.code()] < 0; }
  void assign(Lit l);
  bool propagate();  // false: conflict
  bool visit(Lit falsified);
  void undo(std::size_t trail_size);
  bool assume_false(const std::vector<Lit>& clause, Lit except, bool has_except);
  bool is_root_unit(const std::vector<Lit>& clause) const;
  static std::uint64_t hash(const std::vector<Lit>& sorted);

  std::vector<std::vector<Lit>> clauses_;  // the first two are watched; empty: deleted
  std::vector<std::vector<WatchedClause>> watches_;
  std::vector<signed char> values_;
  std::vector<Lit> trail_;
  std::size_t propagated_ = 0;
  std::unordered_multimap<std::uint64_t, Id> by_hash_;
  bool refuted_ = false;
};

}  // namespace beadwork
