#pragma once
#include <beadwork/encoding.hpp>

#include <vector>

// What bdd1, bdd2 and the lift of bdd2 share: constraints (1), (2) and (3).
//
// | paper      | here                                                                  |
// |------------|-----------------------------------------------------------------------|
// | a_r^i      | place[i][r]: feature r is the i-th of the order                        |
// | c_j        | cell[j]: value of cell j (from 0 here, from 1 there)                   |
// | rel(i, j)  | branch(depth, i, j): value of the i-th feature in cell j               |
// | sigma(r,q) | examples.value(r, q)                                                   |

namespace beadwork {

inline bool branch(std::size_t depth, std::size_t i, std::size_t j) {
  return (j >> (depth - 1 - i) & 1) != 0;
}

// Variables a and c, with constraints (1): each feature at most once, (2): one feature for each place, both by the
// sequential counter with full equivalences, and (3): the root is a bead.
BddVariables encode_structure(const Examples& examples, std::size_t depth, const NamedSink& sink);

// The variables only.
BddVariables make_variables(const Examples& examples, std::size_t depth, const NamedSink& sink);

// Variables d_i^q with constraint (7): the value of the i-th feature in example q, indexed [i].
std::vector<Var> encode_values(const Examples& examples, std::size_t q, const BddVariables& v, const NamedSink& sink);

// The literals of encode_structure.
std::uint64_t structure_literals(std::uint64_t features, std::size_t depth);

}  // namespace beadwork
