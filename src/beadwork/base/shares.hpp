#pragma once
// Of the time that is left when a step begins: how much of it the step may take, at most. All such shares stand here,
// in the order in which a fit comes by them, so that one can see what is left for the last of them.

namespace beadwork::shares {

// A fit: what a table is made into comes first.
inline constexpr double kSorting = 0.6;       // sorting columns; what is sorted by then is searched
inline constexpr double kDescription = 0.25;  // telling of the table before the search

// The choice of a size or a depth.
inline constexpr double kFolds = 0.6;         // fits on folds, by the clock
inline constexpr double kCountedFolds = 0.8;  // fits whose work is counted, which hardly takes that long
inline constexpr double kLeastDepth = 0.5;    // the look for the least depth, before its fit
inline constexpr double kWorkOfFold = 0.08;   // what the work of one of these may be, of a time limit,
inline constexpr double kWorkOfFit = 0.15;    // and that of the fit at the size chosen
inline constexpr double kFitOfFolds = 0.2;    // the same, of the work of all folds, where they have proven nothing

// A search for the best set.
inline constexpr double kLocal = 0.1;        // local search before the proof
inline constexpr double kCart = 0.5;         // CART's tests over sorted columns
inline constexpr double kBeforeFront = 0.6;  // the best set, before a front that gains by it

// Errors against nodes.
inline constexpr double kFeatureClimb = 1.0 / 6;  // climbing from set to set,
inline constexpr double kDiagramClimb = 0.5;      // and from diagram to diagram
inline constexpr double kBestSet = 0.6;           // over sorted columns the best set at the largest depth,
inline constexpr double kOnlyBestSet = 0.8;       // also where cuts are too many for anything else,
inline constexpr double kSetOfDepth = 0.3;        // that of a smaller depth,
inline constexpr double kCutClimb = 0.2;          // and climbing from cuts to cuts

inline constexpr double kCores = 0.1;  // of MaxSAT: cores, before the linear search
inline constexpr double kValidation =
    0.75;  // of what a page tells beside a model: fits on folds, whose answers take time, too

}  // namespace beadwork::shares
