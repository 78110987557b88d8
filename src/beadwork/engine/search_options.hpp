#pragma once
#include <beadwork/engine.hpp>

namespace beadwork {

// Options of the search layer from those of an engine: names become features. An Error names the flag.
Result<SearchOptions> search_options(const Dataset& dataset, const Options& options, const Control& control);

// Sets near the best that are asked for; nothing if none are.
Result<std::optional<NearOptions>> near_options(const Dataset& dataset, const Options& options,
                                                std::int64_t cost_scale);

}  // namespace beadwork
