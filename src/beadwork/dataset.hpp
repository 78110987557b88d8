#pragma once
// dataset: from typed columns to the 0/1 matrix that is learnt from, with the way back.
//
//   auto binarizer = Binarizer::fit(table, {});           // which tests on which columns
//   auto dataset = binarizer->apply(table);               // bit columns, classes, integer weights
//   Condensed c = condense(*dataset);                     // distinct features and rows, aliases kept
//
// Binarizer  the tests, each on one raw column, named as a person would write them:
//              age <= 37.5      numeric, thresholds chosen by BinarizeOptions
//              size <= medium   words with an order, which are cut like numbers
//              color = red      nominal, one per value; a column of two values gives one feature, for the value that
//                               comes second in order; a column of 0 and 1 is named by itself
//              income is missing   where training values are missing
//            A missing value, a category never seen in training and a word that has no place in the order fail every
//            other test on the column.
// Dataset    the unmerged 0/1 matrix: what `binarize` writes and what a certificate is about. Immutable.
// Condensed  what exact engines work on: constant features gone, features equal up to complement represented once,
//            equal rows merged into weights per class.
// RankedData the table with its numeric columns sorted instead of cut: all thresholds, and no matrix of them. A Dataset
//            may hold one of these in place of bits (ranked_dataset), and makes the bits of a feature when they are
//            asked for.
// merged     a file that does not fit in memory as a Dataset: equal rows become weights while they are read.
// TableSurvey  the binarizer of a table that comes in parts: that of the whole.
// Prices     what answers cost, in integers: where weights, costs and scales are multiplied and added, checked.
// cells      what the rows of a set of features' cells weigh and cost.
// occupied   what classes weigh in the cells of some features, of those that hold rows.
// splits     k-fold (plain or stratified) and hold-out, by seed.

#include <beadwork/base.hpp>
#include <beadwork/dataset/binarizer.hpp>
#include <beadwork/dataset/cells.hpp>
#include <beadwork/dataset/condensed.hpp>
#include <beadwork/dataset/fingerprint.hpp>
#include <beadwork/dataset/match.hpp>
#include <beadwork/dataset/matrix.hpp>
#include <beadwork/dataset/meaning.hpp>
#include <beadwork/dataset/merged.hpp>
#include <beadwork/dataset/occupied.hpp>
#include <beadwork/dataset/prices.hpp>
#include <beadwork/dataset/ranked.hpp>
#include <beadwork/dataset/split.hpp>
#include <beadwork/dataset/survey.hpp>
#include <beadwork/dataset/thresholds.hpp>
#include <beadwork/dataset/weights.hpp>
