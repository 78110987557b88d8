#pragma once
// ordered: which tests, over every cut point? The set of at most H tests with least training error, with proof.
//
//   auto data = rank(table);                              // ranks of every column, no thresholds chosen
//   OrderedOptions options;
//   options.depth = 3;
//   auto outcome = search_ordered(*data, options, {});
//   if (outcome && outcome->status == OrderedStatus::optimal)
//     for (const Cut& cut : outcome->cuts) use(to_test(*data, cut));
//
// A cut is (column, rank): rows whose rank in the column is at most that pass. A numeric column has one rank for each
// distinct value, and missing values rank last, so they fail every cut but the last, which is `is missing` turned
// round. A nominal column gives one column of two ranks for each test that a Binarizer makes of it. The number of
// cuts does not matter: nothing here is of size cuts x rows.
//
//   search_ordered  the best set of cuts
//   local_ordered   a good set, without proof
//   near_ordered    the sets near the best one
//   OrderedSets     the sets of so many cuts that a judge of their cells wants: for what is more than errors
//   plan_ordered, search_part, merge_parts   one search in many parts (plan.hpp)
//   cuts_error      the error of a given set, by plain partitioning
//
// What it handles: any number of classes, integer weights, cost matrices, missing values, nominal columns mixed with
// numeric ones; columns or single cuts forbidden, required, or named as the only candidates. A required column must
// have at least one cut in the set. Errors are integers, in the units of the weights (times the costs).
//
// The answer. The fewest cuts that reach the least error and, among those sets, the one whose increasing list of
// (column, rank) is lexicographically least: the same for all seeds and numbers of threads. It is found by a search of
// its own, whose budget is a fixed number of row steps; `first` says whether that was enough. If it was not, the set is
// optimal all the same, but another run may give another one.
//
// Limits. Deadline, interrupt and a progress sink that returns false stop the search within a pass over some million
// rows, also while it prepares. The outcome is then `feasible`. Its lower bound comes from passes with rising limits: a
// pass with limit t that ends without a find proves that no set errs by less than t. A run that is not over within 3e8
// row steps, about half a second, takes low limits first, so there is a bound to show after a few seconds. Where the
// memory limit leaves no room for the tree, the incumbent is all there is.
//
// States. OrderedOptions::checkpoint is given an OrderedState now and then, and `resume` goes on from one: the answer
// is the same, where `first` says that it is the first set. to_text and parse_ordered_state make files of them.
//
// How it works, by file (the bounds and their proofs are in docs/ordered.md):
//   problem.hpp   restrictions, costs and equal rows are settled; what is left is ranks and cost channels
//   cells.hpp     costs of the cells of a node while a cut moves along a column: the two sweeps; lanes.hpp: eight cells
//                 at a time
//   node.hpp      what some chosen cuts leave to be split; box.hpp: an interval of cuts of one column of it
//   tree.hpp      boxes of cuts, halved until each is dead or a single cut
//   local.hpp     the incumbent: CART's tests, greedy, and the best change of one cut until none helps
//   run.hpp       passes, threads, limits; first.hpp: the first set
//   ledger.hpp    what of a run is done; session.hpp: between that and states
//   families.hpp  cuts that are equal or opposite on all rows count as one
//   near.hpp      all sets below a limit; gathering.hpp counts them and keeps the best
//   judged.hpp    the tree of boxes once more, for a judge; judged_leaf.cpp: the last cut

#include <beadwork/dataset.hpp>
#include <beadwork/ordered/options.hpp>
#include <beadwork/ordered/outcome.hpp>
#include <beadwork/ordered/plan.hpp>
#include <beadwork/ordered/sets.hpp>
#include <beadwork/ordered/state.hpp>
