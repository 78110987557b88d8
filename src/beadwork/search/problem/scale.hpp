#pragma once
// A problem in coarser units: costs divided by `unit` and rounded down, so that they fit narrow lanes.
//
// A cell's coarse cost times the unit is at most its cost, in every channel and so for the best one: a set of coarse
// error e errs by at least base + unit * e. A search for the sets below coarse(limit) therefore misses none below
// `limit`; what it finds has to be evaluated in full, unless the unit divides all costs.

#include <beadwork/search/problem/problem.hpp>

namespace beadwork::detail {

struct Scale {
  std::int64_t unit = 1;
  std::int64_t base = 0;
  bool exact = true;  // the unit divides every cost

  // What a coarse error proves; INT64_MAX (nothing left) stays.
  std::int64_t fine(std::int64_t error) const { return error == INT64_MAX ? error : base + unit * error; }
  // Sets with an error below `limit` have a coarse error below this.
  std::int64_t coarse(std::int64_t limit) const {
    return limit == INT64_MAX ? limit : limit <= base ? 0 : (limit - 1 - base) / unit + 1;
  }
};

// The scales to search a problem in, one after the other, should one be too coarse to tell sets apart; the last is
// exact. Of several channels, which no lanes hold, and of light rows: the problem itself, unit 1.
std::vector<Scale> scales_for(const Problem& problem);

Problem scaled(const Problem& problem, const Scale& scale);

}  // namespace beadwork::detail
