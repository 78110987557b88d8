#pragma once
#include <beadwork/formula/sink.hpp>

#include <vector>

namespace beadwork {

// Pairwise: n(n-1)/2 binary clauses, no variables.
void at_most_one_pairwise(ClauseSinkRef sink, Clause xs);
void exactly_one_pairwise(ClauseSinkRef sink, Clause xs);

// The sequential counter with full equivalences, as the paper writes it: s_1 <-> x_1 (4 literals), s_i <-> s_{i-1} or
// x_i (7), not x_i or not s_{i-1} (2); 9n-5 literals for n >= 3. Two literals are one binary clause and one needs
// nothing. Returns s_1..s_n ("some x up to i is true"), empty for n < 3. exactly_one adds the unit s_n: 9n-4 literals
// for n >= 3 (n = 2: two binary clauses, n = 1: a unit, n = 0: the empty clause).
std::vector<Lit> at_most_one_sequential(ClauseSinkRef sink, Clause xs);
std::vector<Lit> exactly_one_sequential(ClauseSinkRef sink, Clause xs);

// At most k, one direction only (Sinz, CP 2005): n*k variables at most, 2nk clauses of at most three literals.
void at_most_sequential(ClauseSinkRef sink, Clause xs, std::size_t k);

}  // namespace beadwork
