#pragma once
// heuristic: fast learners that prove nothing; the paper compares with them.
//
//   CartTree tree = cart(dataset, {.depth = 3});                  // Breiman et al. 1984: a decision tree, as a Diagram
//   auto odt = grow_odt(values_of(dataset), {.depth = 3});        // Kohavi and Li 1995: one feature per level
//   ObliviousGraph oodg = merge_subtrees(odt, 0);                 // ... its compatible subtrees merged
//   Diagram d = diagram_of(oodg);                                 // where every feature has two values
//   ObliviousGraph other = hoodg(values, order);                  // Kohavi 1994: from the classes up
//
// cart         splits each node by the feature that leaves least impurity, also where that is no less than before (so
// an
//              exclusive or is found), until the node is pure, too deep or too small. Nothing is pruned. Every leaf is
//              a node of its own: size and features are counted as in the paper's Table 4.
// grow_odt     chooses for each level the feature that says most about the class given the levels above (least
//              conditional entropy, divided by the logarithm of the number of values), and splits every bag of rows by
//              it. An empty bag is an unknown leaf. Ends after `depth` levels, or when no feature splits an impure bag.
// merge_subtrees  from the root down. Two subtrees are compatible if one is unknown, if both are leaves of one class,
// or
//              if their children are in pairs; merging them changes no answer that any training row gets. With z > 0
//              also subtrees that disagree are merged where the pessimistic estimate of errors (upper limit of a
//              confidence interval of z deviations) does not grow; 1.65 is what the authors used.
// hoodg        takes features away from the last level up, each time the one that leaves fewest nodes.
//
// Features of several values are welcome in ODT and OODG (ValueTable); a Dataset has two values each.
// Ties: the first feature for seed 0, for other seeds one drawn by the seed. A leaf whose largest classes tie takes the
// one of them that is largest on the nearest branch above, else the first.
// Limits: Control stops growing and merging where they are; what there is by then is a valid answer.

#include <beadwork/heuristic/cart.hpp>
#include <beadwork/heuristic/oblivious.hpp>
