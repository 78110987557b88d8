#pragma once
#include <beadwork/base.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// An interval [from, to) of sets in lexicographic order of search positions. The ends are prefixes of
// positions: `14` is the place before all sets whose first position is 14, `30,45` the place before those
// that start with 30 and 45. An empty prefix is the beginning (from) or the end (to).
struct SearchRange {
  std::vector<std::uint32_t> from, to;
  friend bool operator==(const SearchRange&, const SearchRange&) = default;
};

// Where a search stands: every set in a done range has an error of at least the incumbent's.
struct SearchState {
  std::string problem;                // hash of the data and of the options that decide the answer
  std::vector<Feature> order;         // the feature of each search position
  std::optional<std::int64_t> error;  // of the incumbent
  std::vector<Feature> incumbent;     // increasing
  bool ties_complete = true;          // the incumbent is also the least of equal error in the done ranges
  std::int64_t lower_bound = 0;
  std::vector<SearchRange> done;  // increasing, neighbours merged
  friend bool operator==(const SearchState&, const SearchState&) = default;
};

// Lines of text with a checksum at the end; parse refuses anything that is damaged. For files: write_file and
// read_file.
std::string to_text(const SearchState& state);
Result<SearchState> parse_state(std::string_view text);

// "-" for an empty prefix, else positions with commas.
std::string to_string(const SearchRange& range);
std::optional<SearchRange> parse_range(std::string_view from, std::string_view to);
// Do the ranges cover everything?
bool tiles(const std::vector<SearchRange>& done);
// A prefix in its shortest form, for so many positions: `3,4` is the place `3`, and the place behind the last position
// after 3 is `4`. At the beginning of all, and as an end (`to`) behind all, it is empty.
std::vector<std::uint32_t> canonical_place(std::vector<std::uint32_t> prefix, std::uint32_t num_positions, bool to);
// The parts of increasing ranges that lie in `window`.
std::vector<SearchRange> clipped(const std::vector<SearchRange>& ranges, const SearchRange& window);
// Increasing, neighbours merged. Nothing if two of them overlap.
std::optional<std::vector<SearchRange>> united(std::vector<SearchRange> ranges);

}  // namespace beadwork
