#pragma once
// sat: is a set of clauses satisfiable?
//
//   Solver           CaDiCaL, incremental: clauses, assumptions, failed cores, phases, limits, a DRAT proof
//   solve(cnf)       one formula, one answer, the model checked against the formula
//   solve_external   the same by any program that speaks DIMACS: solve_external(cnf, "kissat -q")
//   run_solver       what the previous needs, for other layers that call solvers
//
// Example (compiled in tests/unit/sat):
//
//   Solver solver;
//   const Lit tie = solver.fresh_var(), shirt = solver.fresh_var();
//   solver.add_clause({~tie, shirt});
//   solver.add_clause({tie, shirt});
//   solver.add_clause({~tie, ~shirt});
//   solver.solve();                    // Answer::satisfiable
//   solver.value(tie);                 // false
//   solver.solve(std::vector{tie});    // Answer::unsatisfiable
//   solver.failed();                   // {tie}
//
// A Solver is a ClauseSink, so every encoder writes into it. States: after solve() said satisfiable, value()
// and model() may be asked; after it said unsatisfiable, failed(); both until the next add_clause() or
// solve().
//
// Limits come through Control: deadline, interrupt flag and memory limit are looked at several thousand times
// a second; a limit is not an error, the answer is `unknown` and stopped_by() says why.
//
// Proofs: with options.proof set, a text DRAT proof of the clauses as added goes to that file; it is complete
// once the answer to a solve() WITHOUT assumptions was unsatisfiable and close_proof() was called. (What is
// unsatisfiable under assumptions only is not refuted by the proof.) Layer `proof` checks it.
//
// This is the only layer that includes CaDiCaL's header.

#include <beadwork/base.hpp>
#include <beadwork/formula.hpp>
#include <beadwork/sat/answer.hpp>
#include <beadwork/sat/external.hpp>
#include <beadwork/sat/solver.hpp>
