#pragma once
// Learning from a dataset that holds sorted columns in place of features: over every threshold.
#include <beadwork/engine/task.hpp>

namespace beadwork {

// Is the request answered by the search over sorted columns? It is a fixed function of rows, thresholds, depth and
// options, the same on every machine. If not, the features are searched one by one; those of sorted columns are made.
bool goes_by_ranks(const Dataset& dataset, const Request& request);

// What a request asks of the search over sorted columns.
struct RankedTask {
  OrderedOptions options;
  Prices cost;
  std::size_t num_allowed = 0;  // cuts
  Requirements asked;
};
Result<RankedTask> make_ranked_task(const RankedData& data, const Request& request);
// The same for what looks at answers: in features. Allowed are those of the answers; nobody lists all others.
Task task_over(const Dataset& dataset, const Request& request, const Exchange& exchange, const RankedTask& ranked,
               std::vector<Feature> of_answers);

// By the search over sorted columns: engines search and local.
Result<Outcome> learn_by_ranks(const Dataset& dataset, const Request& request, const Exchange& exchange,
                               const Control& control);

// learn.cpp: the claim of an engine, checked on the rows themselves.
Result<Outcome> believe_nothing(const Task& task, EngineAnswer found, const Control& control);

}  // namespace beadwork
