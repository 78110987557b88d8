#pragma once
// search: which features? The set of at most H features with least training error, with proof.
//
//   Condensed data = condense(dataset);
//   SearchOptions options;
//   options.depth = 5;
//   auto outcome = search(data, options, {});
//   if (outcome && outcome->status == SearchStatus::optimal) use(outcome->features, outcome->error);
//
// Training error depends on the SET of features alone: rows that agree on it share a cell, and a cell is
// charged what its best prediction costs. It never grows when features are added, so all sets compared have
// min(depth, distinct features allowed) members. Errors are integers, in the units of Dataset's weights
// (times the costs, if there are any).
//
//   search          the best set
//   local_search    a good set, without proof
//   search_front    the best set for every depth up to H
//   least_depth     the least depth with error 0
//   search_near     the k best sets, or all sets within epsilon of the optimum, counted
//   set_error       the error of a given set
//   certificate     an outcome as text for the independent checker
//
// What it handles: any number of classes, integer weights, cost matrices, required and forbidden features.
// Features that are equal up to complement are one candidate, named by the least of them that is allowed;
// `copies` in search_near counts the others. A required feature is reported as it was named. Constant
// features are never chosen.
//
// The answer. Among sets of least error, the one whose increasing list of dataset features is
// lexicographically least. It is the same for all seeds, kernels, numbers of threads, bounds switched off,
// and after interruptions. One exception: when sets tie by the ten thousand, the least is found by a second
// search, and a deadline that falls into it leaves an optimal set that may not be the least.
//
// Limits. search honours Control: deadline, interrupt and a progress sink that returns false stop it within
// about the time of one pass over a node (reading the problem in is not interrupted); the memory limit covers
// what the search itself takes. The outcome is then `feasible`, with a lower bound that holds: the least,
// over the units of work not done, of what L6 proves for them. `unknown`: stopped before any set was seen.
// Limits are no errors; bad options are.
//
// Going on later. A unit of work is what lies below a prefix of search positions, places in `state.order`.
// The done ranges of a SearchState tile the space when the search is complete (see state.hpp, and
// certificates). A state is text with a checksum: give options.checkpoint a function that writes
// to_text(state) by write_file, and put the parsed state into options.resume; states of other data or options
// are refused, and the incumbent is evaluated anew.
//
// How it works, by file:
//   problem.hpp      classes, weights and costs become cost channels of rows; required features become cells
//   local.hpp        greedy and best swap, for the first incumbent
//   tree.hpp         the search tree and its elimination; sink.hpp: what it looks for
//   run.hpp          units of work, threads (oneTBB), checkpoints, lower bounds
//   bitwise.hpp      nodes over bit rows for two channels; kernel_body.hpp: the loops over them, written once for all
//                    instruction sets (AVX-512, AVX2, the compilers' vectors elsewhere), chosen at run time;
//                    16-bit lanes up to a total weight of 32766, 32-bit lanes up to 2^31 - 2
//   certificate.cpp  an outcome for the checker
//   rowwise.hpp      nodes over rows one by one, for several classes and for larger totals; the proof of L6 for channels
//
// What paid, what did not (one core, AVX-512, user time on a busy machine; L numbers as in the design notes):
//   counting the cells with most error first and stopping once they alone prove a branch dead: splice-1 H=6 3.03 -> 2.57 s;
//     dead branches are seen after 60 % of the words with three features to go, 50 % with two
//   looking through ties in the same pass (limit = best + 1) and branching on the first two levels in one fixed order,
//     so that units are intervals: together 4 % more branches on splice-1 H=6 than the prototype, which did neither
//   L7 (cancellation) from five features to go: 3 % fewer nodes on australian and cleveland at H=7, 6 to 7 % at H=8; no
//     change in time that could be told from noise
//   not tried: a terminal for four features, bounds on a subset of the rows, L5, an enumeration without bounds (small
//     problems take the same tree with one start of the local search)

#include <beadwork/dataset.hpp>
#include <beadwork/search/options.hpp>
#include <beadwork/search/outcome.hpp>
#include <beadwork/search/state.hpp>
