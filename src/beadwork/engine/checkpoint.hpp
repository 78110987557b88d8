#pragma once
#include <beadwork/search.hpp>

namespace beadwork {

// Writes states to a file, all or nothing. A whole file that is there becomes `path`.old first, so that at any moment one
// of the two is whole. A failure to write is a warning: the search goes on.
std::function<void(const SearchState&)> checkpoint_to(const std::string& path, const Control& control);

// The state in that file or, with a warning, in `path`.old where it is missing or damaged. An Error if there is none, or
// if it belongs to other data or options.
Result<SearchState> read_checkpoint(const std::string& path, const Condensed& data,
                                    const SearchOptions& options, const Control& control);

}  // namespace beadwork
