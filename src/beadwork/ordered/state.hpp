#pragma once
#include <beadwork/dataset.hpp>

#include <string>
#include <string_view>

namespace beadwork {

// The order of columns gives the sets of cuts a first cut: the least of the first column that the set has a cut of.
// Cuts of columns that are not listed are in no set better than the incumbent.
struct OrderedLevel {
  struct Range {
    std::uint32_t column = 0, from = 0, to = 0;  // cuts `from` to `to`
    friend bool operator==(const Range&, const Range&) = default;
  };
  std::optional<Cut> below;          // of the sets with this first cut, without it; else of all sets
  std::vector<std::uint32_t> order;  // columns of RankedData
  std::vector<Range> done;           // increasing
  friend bool operator==(const OrderedLevel&, const OrderedLevel&) = default;
};

// Where a search over sorted columns stands: sets whose first cut lies in a done range err by at least as much as the
// incumbent. In a required column `to`, or the rank of `below`, may be the number of its cuts: there stands a cut that
// parts no rows.
struct OrderedState {
  std::string problem;         // hash of the data and of the options that decide the answer
  std::int64_t error = 0;      // of the incumbent
  std::vector<Cut> incumbent;  // increasing
  std::int64_t lower_bound = 0;
  std::vector<OrderedLevel> levels;  // the one of all sets first
  friend bool operator==(const OrderedState&, const OrderedState&) = default;
};

// Lines of text with a checksum at the end; parse refuses anything that is damaged.
std::string to_text(const OrderedState& state);
Result<OrderedState> parse_ordered_state(std::string_view text);

}  // namespace beadwork
