#pragma once
// From a condensed dataset and options to what the search sees. The depth is not part of it, so that searches
// of several depths share one.
//
// Channels. Predicting class k in a cell costs c_k = sum over its rows of c_k(row), c_k(row) = sum_j C[j][k]
// W_j(row) with cost matrix C; the cell costs min_k c_k. So a row is a vector of costs, one for each
// prediction, and classes, weights and cost matrices need no further mention. Taking min_k c_k(row) off all
// channels of a row lowers the cost of every cell that holds it, for every set of features, by that number:
// it goes into `base` (the weight nobody gets right), and each row is left with a channel at 0. With two
// classes a row then has one cost at most, "kind 0" or "kind 1", whatever the cost matrix: the bit-parallel
// kernels handle that. Rows at 0 in all channels are dropped; rows that all candidates and required features
// agree on are added up first (unavoidable errors).
//
// Groups. Where one of some features is required, a family is a candidate for each group that it has members in, and
// one for the members that are in none: so each candidate is in one group at most. A group without a candidate (its
// features are constant, or copies of required ones) requires its least feature, which costs a place and tells nothing.

#include <beadwork/search/options.hpp>

#include <bit>
#include <memory>
#include <span>

namespace beadwork::detail {

// Thrown inside the search layer, where a limit ends work that has no answer yet.
struct Stopped {};
struct MemoryLimitReached {};
inline void poll(const Control& control) {
  if (control.stopping()) throw Stopped{};
}

using Candidates = std::vector<std::uint32_t>;  // indices into Problem::candidates, increasing

struct Candidate {
  Feature feature;           // the least allowed feature of its family of equal or complementary ones, in its group
  std::uint32_t column = 0;  // of the condensed data
  std::uint64_t copies = 1;  // allowed features of the family, in its group
  std::uint32_t group = 0;   // the bit of its group, where one of a group is required
};

struct Problem {
  std::shared_ptr<const Condensed> data;
  std::vector<std::int64_t> cost_matrix;        // as in the options
  std::vector<Feature> required;                // as named, increasing
  std::vector<Feature> asked;                   // of these, what the options require
  std::vector<std::vector<Feature>> asked_any;  // groups, as increasing_groups has them
  std::uint32_t groups = 0;                     // the bits of those that a set of candidates must meet
  std::vector<Feature> forbidden;               // increasing
  std::vector<Candidate> candidates;            // by feature

  std::size_t num_channels = 0;
  std::size_t num_rows = 0;
  std::vector<BitColumn> columns;   // of each candidate, over these rows, the rarer value as 1
  std::vector<std::uint32_t> cell;  // of each row: its values of the required features, numbered densely
  std::vector<std::int64_t> costs;  // row * num_channels + channel; each row has a 0 and a positive one
  std::int64_t base = 0;            // cost of every set beyond `costs`
  std::int64_t total = 0;           // upper bound on any cell sum

  std::size_t num_groups() const { return static_cast<std::size_t>(std::popcount(groups)); }
  // How many candidates to choose: all sets of a search have this size.
  std::size_t choose(std::size_t depth) const { return std::min(depth - required.size(), candidates.size()); }
};

// Throws Stopped or MemoryLimitReached.
Result<Problem> make_problem(std::shared_ptr<const Condensed> data, const SearchOptions& options,
                             const Control& control);

// Hash of the data and of the options that decide the answer; reads all of the data.
std::string fingerprint(const Problem& problem, std::size_t depth);

// Cost of a set of candidates (indices), base included; by plain partitioning, shared with no kernel.
std::int64_t evaluate(const Problem& problem, std::span<const std::uint32_t> candidates);

// The groups that still lack a member beside these.
std::uint32_t open_groups(const Problem& problem, std::span<const std::uint32_t> candidates);
// At most `choose` of these, as they are ordered, with room for what the groups still lack.
Candidates with_room(const Problem& problem, const Candidates& set, std::size_t choose);
std::vector<std::vector<Feature>> increasing_groups(std::vector<std::vector<Feature>> groups);

// Dataset features of a set, the required ones among them, increasing.
std::vector<Feature> to_features(const Problem& problem, const Candidates& set);
// The first `most` candidates among these features.
Candidates to_candidates(const Problem& problem, const std::vector<Feature>& features, std::size_t most);

}  // namespace beadwork::detail
