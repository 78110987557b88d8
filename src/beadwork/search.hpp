#pragma once
// search: which features? The set of at most H features with least training error, with proof.
//
//   Condensed data = condense(dataset);
//   SearchOptions options;
//   options.depth = 5;
//   auto outcome = search(data, options, {});
//   if (outcome->status == SearchStatus::optimal) use(outcome->features, outcome->error);
#include <beadwork/dataset.hpp>
#include <beadwork/search/options.hpp>
#include <beadwork/search/outcome.hpp>
#include <beadwork/search/state.hpp>
