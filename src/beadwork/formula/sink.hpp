#pragma once
#include <beadwork/formula/cnf.hpp>

#include <concepts>
#include <initializer_list>
#include <type_traits>

namespace beadwork {

// Anything that takes clauses: a Cnf, the hard part of a Wcnf, a file being written, a live solver, a counter.
template <class S>
concept ClauseSink = requires(S& sink, Clause clause) {
  { sink.fresh_var() } -> std::same_as<Var>;
  sink.add_clause(clause);
};

// A reference to some sink, so that an encoder is a plain function in a .cpp file and not a template.
class ClauseSinkRef {
 public:
  template <ClauseSink S>
  requires(!std::is_same_v<S, ClauseSinkRef>) ClauseSinkRef(S& sink)
      : sink_(&sink),
        fresh_([](void* s) { return static_cast<S*>(s)->fresh_var(); }),
        add_([](void* s, Clause c) { static_cast<S*>(s)->add_clause(c); }) {}

  Var fresh_var() const { return fresh_(sink_); }
  void add_clause(Clause clause) const { add_(sink_, clause); }
  void add_clause(std::initializer_list<Lit> clause) const { add_(sink_, Clause(clause.begin(), clause.size())); }

 private:
  void* sink_;
  Var (*fresh_)(void*);
  void (*add_)(void*, Clause);
};

// Counts what an encoder would write. Start `variables` at the number that exist already.
struct CountingSink {
  FormulaSize size;
  Var fresh_var() { return Var(size.variables++); }
  void add_clause(Clause clause) {
    ++size.clauses;
    size.literals += clause.size();
  }
};

}  // namespace beadwork
