#pragma once
#include <beadwork/base.hpp>
#include <beadwork/formula.hpp>

namespace beadwork {

// Thrown out of an encoder, and caught right behind it, when its time or memory is over.
struct LimitReached {};

// Asks for the time now and then.
struct PollCounter {
  const Control& control;
  std::size_t steps = 0;
  void poll() {
    if ((++steps & 0x3FFF) == 0 && control.stopping()) throw LimitReached{};
  }
};

// A formula that takes clauses as long as the limits of `control` allow.
template <class Formula>
struct LimitedSink {
  Formula& formula;
  const Control& control;
  std::size_t clauses = 0;
  std::size_t bytes = 0, room = 4096;  // taken so far, and before the formula's arrays double

  Var fresh_var() {
    look_up(1);
    return formula.fresh_var();
  }
  void add_clause(Clause clause) {
    look_up(clause.size());
    formula.add_clause(clause);
  }
  void look_up(std::size_t literals = 8) {
    bytes += literals * sizeof(Lit) + sizeof(std::size_t);
    if (bytes > room) {  // the doubled arrays stand beside the old ones for a moment
      if (control.no_room_for(2 * bytes)) throw LimitReached{};
      room *= 2;
    }
    if ((++clauses & 0x3FF) == 0 && (control.stopping() || control.no_room_for(0))) throw LimitReached{};
  }
};

}  // namespace beadwork
