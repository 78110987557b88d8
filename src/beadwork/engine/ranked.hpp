#pragma once
// Learning from a dataset that holds sorted columns in place of features: over every threshold.
#include <beadwork/engine/task.hpp>

namespace beadwork {

// Are the features of this dataset yet to be made from its ranks?
bool holds_ranks_alone(const Dataset& dataset);

// Is the request answered by the search over sorted columns? It is a fixed function of rows, thresholds, depth and
// options, the same on every machine. If not, the features are made and searched one by one.
bool goes_by_ranks(const RankedData& data, const Request& request);

// What a request asks of the search over sorted columns.
struct RankedTask {
  OrderedOptions options;
  Prices cost;
  std::size_t num_allowed = 0;  // cuts
  Requirements asked;
};
Result<RankedTask> make_ranked_task(const RankedData& data, const Request& request);

// By the search over sorted columns: engines search and local. The outcome speaks of an excerpt: the features of its
// answers.
Result<Outcome> learn_by_ranks(const std::shared_ptr<const RankedData>& data, const Request& request,
                               const Exchange& exchange, const Control& control);

// learn.cpp: the claim of an engine, checked on the rows themselves.
Result<Outcome> believe_nothing(const Task& task, Found found, const Control& control);

}  // namespace beadwork
