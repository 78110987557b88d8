#pragma once
// Tables that do not fit in memory.
#include "input_flags.hpp"

namespace beadwork {

bool long_table(const std::string& path);

// The table with equal rows merged as they are read. Nothing where the rows are needed: by the request or its options,
// by other outputs (`needs_rows`), or by weights that are not whole. With --in-passes that is an Error.
Result<std::optional<LoadedData>> load_in_passes(const InputFlags& flags, const Request& request, bool needs_rows,
                                                 const Control& control);

}  // namespace beadwork
