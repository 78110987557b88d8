#pragma once
#include <beadwork/engine/task.hpp>

namespace beadwork {

// What is left when a limit comes before anything was found: the class of most weight for every row, or where errors
// have costs the one that costs least.
EngineAnswer constant_answer(const Task& task, std::int64_t lower_bound);
// Not even the data could be prepared. Nothing under the paper's reading, of which no constant is a diagram.
EngineAnswer constant_answer(const Task& task, const Control& control);

Result<EngineAnswer> learn_by_search(const Task& task, const Control& control);
Result<EngineAnswer> learn_by_local_search(const Task& task, const Control& control);
Result<EngineAnswer> learn_by_enumeration(const Task& task, const Control& control);
Result<EngineAnswer> learn_by_maxsat(const Task& task, const Control& control);
Result<EngineAnswer> learn_by_maxsat_dt(const Task& task, const Control& control);
Result<EngineAnswer> learn_by_cart(const Task& task, const Control& control);
Result<EngineAnswer> learn_by_odt(const Task& task, const Control& control);
Result<EngineAnswer> learn_by_oodg(const Task& task, const Control& control);
Result<EngineAnswer> learn_by_hoodg(const Task& task, const Control& control);

// Engine search with max_nodes or node_penalty.
Result<EngineAnswer> learn_by_size(const Task& task, const Control& control);

}  // namespace beadwork
