#pragma once
#include <optional>
#include <string_view>

namespace beadwork {

// How far a computation came. A limit is not an error: it leaves the best so far, and bounds that hold.
enum class SolveStatus {
  optimal,     // proven: nothing in the scope is better
  feasible,    // an answer, not proven
  infeasible,  // proven: there is no answer
  unknown,     // stopped before there was one
};
std::string_view to_string(SolveStatus status);
std::optional<SolveStatus> parse_status(std::string_view text);

}  // namespace beadwork
