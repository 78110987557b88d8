#include "beadwork/formula/adder.hpp"

#include <deque>

namespace beadwork {

namespace {

Lit exclusive_or(ClauseSinkRef sink, Lit a, Lit b) {
  const Lit s = sink.fresh_var();
  sink.add_clause({~s, a, b});
  sink.add_clause({~s, ~a, ~b});
  sink.add_clause({s, ~a, b});
  sink.add_clause({s, a, ~b});
  return s;
}

Lit conjunction(ClauseSinkRef sink, Lit a, Lit b) {
  const Lit c = sink.fresh_var();
  sink.add_clause({~c, a});
  sink.add_clause({~c, b});
  sink.add_clause({c, ~a, ~b});
  return c;
}

Lit majority(ClauseSinkRef sink, Lit a, Lit b, Lit c) {
  const Lit m = sink.fresh_var();
  sink.add_clause({m, ~a, ~b});
  sink.add_clause({m, ~a, ~c});
  sink.add_clause({m, ~b, ~c});
  sink.add_clause({~m, a, b});
  sink.add_clause({~m, a, c});
  sink.add_clause({~m, b, c});
  return m;
}

Lit pop(std::deque<Lit>& queue) {
  const Lit l = queue.front();
  queue.pop_front();
  return l;
}

// Adds the literals of one column until one is left; carries go to the next column.
Lit add_column(ClauseSinkRef sink, std::deque<Lit>& column, std::deque<Lit>& next) {
  while (column.size() > 2) {
    const Lit a = pop(column), b = pop(column), c = pop(column);
    column.push_back(exclusive_or(sink, exclusive_or(sink, a, b), c));
    next.push_back(majority(sink, a, b, c));
  }
  if (column.size() == 2) {
    const Lit a = pop(column), b = pop(column);
    column.push_back(exclusive_or(sink, a, b));
    next.push_back(conjunction(sink, a, b));
  }
  return pop(column);
}

}  // namespace

std::vector<Lit> add_up(ClauseSinkRef sink, const std::vector<Term>& terms) {
  std::deque<std::deque<Lit>> columns;
  for (const Term& t : terms)
    for (std::size_t bit = 0; bit < 64; ++bit)
      if ((t.weight >> bit & 1U) != 0) {
        if (columns.size() <= bit) columns.resize(bit + 1);
        columns[bit].push_back(t.lit);
      }
  std::vector<Lit> bits;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].size() > 1 && i + 1 == columns.size()) columns.emplace_back();
    if (columns[i].empty()) {  // a constant 0 bit
      const Lit zero = sink.fresh_var();
      sink.add_clause({~zero});
      bits.push_back(zero);
    } else if (columns[i].size() == 1) {
      bits.push_back(columns[i].front());
    } else {
      bits.push_back(add_column(sink, columns[i], columns[i + 1]));
    }
  }
  return bits;
}

// The number exceeds the bound exactly if, at some 0 bit of the bound, it has a 1 and above it is nowhere smaller.
void compare_at_most(ClauseSinkRef sink, const std::vector<Lit>& number, Weight bound) {
  if (number.size() < 64 && bound >> number.size() != 0) return;
  std::vector<Lit> clause;
  for (std::size_t i = number.size(); i-- > 0;) {
    clause.push_back(~number[i]);
    if ((bound >> i & 1U) != 0) continue;
    sink.add_clause(clause);
    clause.pop_back();
  }
}

}  // namespace beadwork
