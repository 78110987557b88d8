#pragma once
#include <beadwork/formula/pseudo_boolean.hpp>

namespace beadwork {

// The weighted sum in binary, lowest bit first, by full adders (Warners 1998). Both directions are encoded.
std::vector<Lit> add_up(ClauseSinkRef sink, const std::vector<Term>& terms);

// The clauses of "number <= bound".
void compare_at_most(ClauseSinkRef sink, const std::vector<Lit>& number, Weight bound);

}  // namespace beadwork
