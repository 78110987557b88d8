#pragma once
// search: which features? The set of at most H features with least training error, with proof.
//
//   SearchOptions options;
//   options.depth = 5;
//   auto problem = prepare(dataset, options, control);
//   auto outcome = search(*problem, options, control);
//   if (outcome && outcome->status == SolveStatus::optimal) use(outcome->features, outcome->error);
//
// Training error depends on the SET of features alone: rows that agree on it share a cell, and a cell is
// charged what its best prediction costs. It never grows when features are added, so all sets compared have
// min(depth, distinct features allowed) members. Errors are integers, in the units of Dataset's weights
// (times the costs, if there are any).
//
//   search          the best set
//   local_search    a good set, without proof
//   least_depth     the least depth without avoidable errors
//   search_near     the k best sets, or all sets within epsilon of the optimum, counted
//   plan_search, search_part, merge_parts   one search in many parts (plan.hpp)
//   certificate     an outcome as text for the independent checker
//
// What it handles: any number of classes, integer weights, cost matrices, required and forbidden features.
// Features that are equal up to complement are one candidate, named by the least of them that is allowed;
// `copies` in search_near counts the others. A required feature is reported as it was named. Constant
// features are never chosen.
//
// The answer. Among sets of least error, the one whose increasing list of dataset features is
// lexicographically least. It is the same for all seeds, kernels, numbers of threads, bounds switched off,
// and after interruptions: SearchOutcome::tie_canonical says so. The search ends as soon as no earlier set can
// be as good. Where sets tie by the ten thousand this is limited (options.effort.tie_work, and the deadline); if it
// is not settled by then, the outcome is optimal and tie_canonical is false: another run may name another set.
//
// Several questions about the same data. prepare makes a SearchProblem once; search, local_search and the
// others take it as often as wanted, with other depths, starts and limits:
//
//   auto problem = prepare(dataset, options, control);
//   for (options.depth = 1; problem && options.depth <= 5; ++options.depth) search(*problem, options, control);
//
// Limits. All of them honour Control: deadline, interrupt and a progress sink that returns false stop the
// search within about the time of one pass over a node, and the preparation within one pass over a column; the
// memory limit is on the process. The outcome is then `feasible`, with a lower bound that holds: the least,
// over the units of work not done, of what the linear cap proves for them, or what probes with low limits proved,
// which a long run makes now and then. `unknown`: stopped before any set was seen,
// with lower bound 0 where the preparation did not end. Limits are no errors; bad options are.
//
// Going on later. A unit of work is what lies below a prefix of search positions, places in `state.order`.
// The done ranges of a SearchState tile the space when the search is complete (see state.hpp, and
// certificates). A state is text with a checksum: give options.checkpoint a function that writes
// to_text(state) by write_file, and put the parsed state into options.resume; states of other data or options
// are refused, and the incumbent is evaluated anew.
//
// How it works, by folder (the bounds and their proofs are in docs/search.md):
//   problem/         classes, weights and costs become cost channels of rows; required features become cells;
//                    scale.hpp: heavy rows are searched in coarser units, and what that finds is evaluated in full
//   tree/            tree.hpp: the search tree and its elimination; sink.hpp: what it looks for; local.hpp: greedy and
//                    best swap, for the first incumbent; bitwise.hpp: nodes over bit rows for two channels, in 16-bit
//                    lanes up to a total weight of 32766, in 32-bit lanes up to 2^31 - 2; rowwise.hpp: nodes over rows
//                    one by one, for several classes and for larger totals
//   kernel/          the loops over bit rows, written once (body.hpp) for all instruction sets: AVX-512, AVX2, the
//                    compilers' vectors elsewhere; choose.hpp picks one at run time
//   run/             ledger.hpp: units of work and their ranges; run.hpp: threads, checkpoints, lower bounds,
//                    ties; probes.hpp: lower bounds by low limits; phase.hpp: one run on the backend that fits
//                    estimate.hpp: how much work lies where
//   search.cpp, plan.cpp, depths.cpp, near.cpp, certificate.cpp   the functions above
//
// What paid, what did not (one core, AVX-512, user time on a busy machine):
//   counting the cells with most error first and stopping once they alone prove a branch dead: splice-1 H=6 3.03 ->
//     2.57 s; dead branches are seen after 60 % of the words with three features to go, 50 % with two
//   looking through ties in the same pass (limit = best + 1) and branching on the first two levels in one fixed order,
//     so that units are intervals: together 4 % more branches on splice-1 H=6 than the prototype, which did neither
//   cancellation from five features to go: 3 % fewer nodes on australian and cleveland at H=7, 6 to 7 % at H=8; no
//     change in time that could be told from noise
//   coarser units for heavy rows (16 units a row): random weights of 10^12 in all take 2 to 3 times as long as unit
//     weights, where exact sums took 10 to 60 times as long, and even 10^6 in all took 3 to 4 times
//   not tried: a terminal for four features, bounds on a subset of the rows, an enumeration without bounds (small
//     problems take the same tree with one start of the local search)

#include <beadwork/dataset.hpp>
#include <beadwork/search/options.hpp>
#include <beadwork/search/outcome.hpp>
#include <beadwork/search/plan.hpp>
#include <beadwork/search/state.hpp>
