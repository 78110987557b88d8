#pragma once
// formula: propositional formulas, their files, and the encodings every model needs.
//
//   Var, Lit            strong types; Lit::from_dimacs(-3), l.dimacs(), ~l
//   Cnf, Wcnf           clauses; hard clauses and weighted soft ones; names of variables
//   Assignment, cost    values, and what they are worth: cost(wcnf, a), satisfies(a, cnf)
//   parse_, read_       DIMACS CNF; WCNF in the old `p wcnf` form and in the 2022 `h` form
//   parse_opb           linear pseudo-Boolean problems; to_wcnf, to_cnf make clauses of them
//   kind_of             is a text CNF, WCNF or OPB?
//   to_dimacs           the same out; DimacsFile streams clauses to a file without holding them
//   ClauseSink          anything that takes clauses: encoders take a ClauseSinkRef and do not care which
//   at_most_one_...     pairwise, sequential counter (as the paper has it, and a lean one)
//   Totalizer           unary counter that grows with its bound; bounds usable as assumptions
//   WeightedBound       at most b for a weighted sum: generalized totalizer or adder
//
// Example (compiled in tests/unit/formula):
//
//   Cnf cnf;
//   const Lit tie = cnf.fresh_var("tie"), shirt = cnf.fresh_var("shirt");
//   cnf.add_clause({~tie, shirt});
//   exactly_one_sequential(cnf, std::vector{tie, shirt});
//   write_file("clothes.cnf", to_dimacs(cnf));
//
// DIMACS, read strictly. Comments (lines that start with c) may stand anywhere; a clause may span lines and
// ends with its 0; the empty clause is welcome. Refused with file:line:column: a missing or wrong header, a
// clause count that is not the header's, a variable above the header's or above 2^30, numbers that overflow,
// a missing last 0, a weight that is 0, negative, above top, or whose sum reaches 2^63. In the old form a
// weight equal to top is hard and without a top all clauses are soft. `c var 7 name` names variable 7; the
// writers write it and the readers give it back.

#include <beadwork/base.hpp>
#include <beadwork/formula/assignment.hpp>
#include <beadwork/formula/cardinality.hpp>
#include <beadwork/formula/cnf.hpp>
#include <beadwork/formula/dimacs.hpp>
#include <beadwork/formula/literal.hpp>
#include <beadwork/formula/opb.hpp>
#include <beadwork/formula/pseudo_boolean.hpp>
#include <beadwork/formula/sink.hpp>
#include <beadwork/formula/totalizer.hpp>
