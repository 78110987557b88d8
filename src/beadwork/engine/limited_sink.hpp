#pragma once
#include <beadwork/base.hpp>
#include <beadwork/formula.hpp>

namespace beadwork {

// Thrown out of an encoder, and caught right behind it, when its time or memory is over.
struct LimitReached {};

// A formula that takes clauses as long as the limits of `control` allow.
template <class Formula>
struct LimitedSink {
  Formula& formula;
  const Control& control;
  std::size_t clauses = 0;

  Var fresh_var() { return formula.fresh_var(); }
  void add_clause(Clause clause) {
    look_up();
    formula.add_clause(clause);
  }
  void look_up() {
    if ((++clauses & 0xFFF) != 0) return;
    const bool too_large = control.memory_limit != 0 && current_memory() > control.memory_limit;
    if (control.stopping() || too_large) throw LimitReached{};
  }
};

}  // namespace beadwork
