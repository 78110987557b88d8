#pragma once
// A plan's parts, handed out to the ranks of an MPI job as they become free. Rank 0 keeps the plan's folder and
// searches as well; the others need the table alone. What a rank finds is known to all of them within a second or so.
#include "../beadwork/fit_plan.hpp"
#include "ranks.hpp"

namespace beadwork {

struct Division {
  const Ranks& ranks;
  std::string folder;                    // rank 0 alone writes there
  std::optional<std::size_t> num_parts;  // of a new plan; a folder that has one keeps it
  bool quiet = false;
};

// On every rank, with the same data and request. Returns 0 when all parts are done, kStopped where a limit or a signal
// came first; the folder then holds what is done. An Error that only one rank has ends the job.
int search_over_ranks(const Division& division, const LoadedData& data, const Request& request, Kept kept,
                      const Control& control);

}  // namespace beadwork
