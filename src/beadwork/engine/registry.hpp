#pragma once
#include <beadwork/engine.hpp>

namespace beadwork {

// What is left when a limit comes before anything was found: the class of most weight for every row.
Found constant_answer(const Dataset& dataset, std::int64_t lower_bound);

Result<Found> learn_by_enumeration(const Dataset& dataset, const Options& options, const Control& control);

Result<Found> learn_by_maxsat(const Dataset& dataset, const Options& options, const Control& control);

Result<Found> learn_by_maxsat_dt(const Dataset& dataset, const Options& options, const Control& control);

Result<Found> learn_by_cart(const Dataset& dataset, const Options& options, const Control& control);
Result<Found> learn_by_odt(const Dataset& dataset, const Options& options, const Control& control);
Result<Found> learn_by_oodg(const Dataset& dataset, const Options& options, const Control& control);
Result<Found> learn_by_hoodg(const Dataset& dataset, const Options& options, const Control& control);

Result<Found> learn_by_search(const Dataset& dataset, const Options& options, const Control& control);
Result<Found> learn_by_local_search(const Dataset& dataset, const Options& options, const Control& control);

// Engine search with options.max_nodes or options.node_penalty.
Result<Found> learn_by_size(const Dataset& dataset, const Options& options, const Control& control);

}  // namespace beadwork
