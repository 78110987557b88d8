#pragma once
// From ranked data and options to what the search sees.
//
// Channels. Predicting class k in a cell costs the sum of c_k(row) over its rows, and the cell costs the least of
// these. So a row is a vector of costs, one for each prediction; classes, weights and cost matrices need no further
// mention. Taking min_k c_k(row) off all channels of a row lowers the cost of every set alike: it goes into `base`.
// Rows that no allowed cut tells apart are added up first, and rows that then cost nothing are dropped.
//
// Ranks are counted anew: a column's rank here is the number of allowed cuts below the row. So every cut between two
// neighbouring ranks is allowed, and restrictions need no further mention either. Required cuts split the rows into
// cells before the search begins.

#include <beadwork/ordered/options.hpp>

namespace beadwork::ordered {

struct WorkColumn {
  std::uint32_t column = 0;              // of the ranked data
  std::vector<std::uint32_t> cuts;       // cut k here is this rank there; num_ranks = cuts.size() + 1
  std::vector<std::uint32_t> own;        // ranks that are not those of the data
  std::span<const std::uint32_t> ranks;  // one a row of the problem: of the data, or own
  std::vector<std::uint32_t> order;      // rows by rank, then by number

  explicit WorkColumn(std::uint32_t c) : column(c) {}
  WorkColumn(WorkColumn&&) = default;  // no copies: ranks may point to own
  WorkColumn& operator=(WorkColumn&&) = default;
};

// Cuts lo..hi of a work column; what may be chosen of it in a node's last box is places lo..hi of the node's rows.
struct Range {
  std::uint32_t column, lo, hi;
};

struct Problem {
  std::vector<WorkColumn> columns;  // those with an allowed cut, increasing
  std::vector<Cut> required;        // always in the set, increasing
  std::vector<std::uint32_t> must;  // work columns that need a cut yet, increasing
  std::size_t choose = 0;           // cuts to choose beside the required ones, at most
  std::size_t num_rows = 0;
  std::size_t num_channels = 0;
  std::vector<std::int64_t> costs;  // row * num_channels + channel; each row has a 0 and a positive one
  std::vector<std::uint32_t> cell;  // of each row: its side of the required cuts, numbered densely
  std::size_t num_cells = 1;
  std::int64_t base = 0;   // cost of every set beyond `costs`
  std::int64_t total = 0;  // upper bound on any cell sum
  std::vector<Cut> cart;   // CART's tests as cuts of the work columns (cart.cpp)
  bool feasible = true;
  bool complete = true;  // false: stopped, and only the fields up to `choose` are there
};

// Which cuts of each column are allowed; required ones are not among them.
std::vector<std::vector<bool>> allowed_cuts(const RankedData& data, const OrderedOptions& options);

// It points into the data.
Result<Problem> make_problem(const RankedData& data, const OrderedOptions& options, const Control& control);

// Cuts of work columns as those of the data, required ones added, increasing; and back, those left out that are not
// allowed.
std::vector<Cut> in_data(const Problem& problem, const std::vector<Cut>& set);
std::vector<Cut> in_work(const Problem& problem, const std::vector<Cut>& set);
// Error of a set of cuts of work columns, without the base, by plain partitioning.
std::int64_t evaluate(const Problem& problem, const std::vector<Cut>& set);
// For a node's rows along all columns, at every level of every thread's tree?
bool enough_memory(const Problem& problem, const Control& control);
// As many threads as asked for, or as have room: each has nodes of its own.
unsigned threads_with_room(const Problem& problem, unsigned asked, const Control& control);

// Work columns and their ranks over all rows of the data: for CART, which looks at rows as they are.
void grow_cart(const RankedData& data, const std::vector<WorkColumn>& columns, std::size_t choose,
               const Control& control, std::vector<Cut>& tests);

}  // namespace beadwork::ordered
