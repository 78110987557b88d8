#pragma once
// Nodes of the search tree for any number of channels and any weights: rows one by one, sums in 64 bits. The
// members are those of Bitwise. Slower by an order of magnitude, and the only path for several classes and,
// where coarser units do not tell sets apart (problem/scale.hpp), for totals past 2^31.
//
// W is the linear cap of docs/search.md, in its general form.

#include <beadwork/search/kernel/table.hpp>
#include <beadwork/search/problem/problem.hpp>
#include <beadwork/search/tree/arena.hpp>

#include <span>

namespace beadwork::detail {

class Rowwise {
 public:
  using Weight = std::int64_t;

  struct Node {
    std::uint32_t* rows = nullptr;   // of all cells, one after the other
    std::uint32_t* first = nullptr;  // num_cells + 1
    std::int64_t* costs = nullptr;   // cell * channels + channel
    std::uint32_t num_cells = 0;
    std::uint32_t num_candidates = 0;
    const std::uint32_t* ids = nullptr;
    std::int64_t base = 0;
    std::int64_t error = 0;
    std::int64_t cap = INT64_MAX;
    std::uint32_t open = 0;
    std::int64_t* ones = nullptr;  // (cell * channels + channel) * num_candidates + candidate
    std::int64_t* weights = nullptr;
  };

  struct Job {  // stands in for the kernels' pair job
    kernel::PairStats* stats = nullptr;
  };
  struct Scratch {
    std::int64_t* with = nullptr;
    std::int64_t* weights = nullptr;
    std::int64_t* errors = nullptr;
    Job job;
    bool pairs = false;
  };

  Rowwise(const Problem& problem, const Control& control, const Bounds& bounds)
      : problem_(&problem), control_(&control), bounds_(bounds) {}

  Node root(Arena& arena, std::span<const std::uint32_t> order);
  void open(Arena& arena, Node& node, std::uint32_t r) const;
  Scratch scratch(Arena& arena, const Node& node, std::uint32_t r) const;
  void errors(const Node& n, std::int64_t* out) const;
  std::size_t row_size(const Node& n) const { return n.num_candidates; }
  std::int64_t top(const Node& n, const std::int64_t* weights, std::uint32_t q) const;
  std::uint32_t eliminate_all(const Node& n, const Scratch& s, std::int64_t* weights, std::uint32_t r,
                              std::int64_t slack) const;
  std::uint32_t above(const Node& n, Scratch& s, const std::int64_t* rest, std::int64_t least) const;
  std::int64_t error_after(const Node& n, std::uint32_t t) const;
  std::uint32_t extend(const Node& n, Scratch& s, std::uint32_t t, std::uint32_t r, std::int64_t error,
                       std::int64_t limit) const;
  void errors_with(const Node& n, Scratch& s, std::uint32_t t) const;
  Node child(Arena& arena, const Node& n, std::uint32_t t, std::span<const std::uint32_t> source) const;
  void cancel(Arena&, Node&, std::uint32_t) const {}
  template <class Offer, class Stop>
  std::uint64_t pairs(Arena&, const Node&, Scratch&, std::uint32_t, std::int64_t, std::int64_t, Offer&, Stop&) const {
    return 0;
  }
  std::uint64_t size(const Node& n) const {
    return (std::uint64_t{n.first[n.num_cells]} + 1) * n.num_candidates * problem_->num_channels;
  }
  std::uint64_t effort(const Node& n) const {
    return 1 + std::uint64_t{n.first[n.num_cells]} * n.num_candidates * problem_->num_channels / 4;
  }

 private:
  bool value(std::uint32_t row, std::uint32_t position) const {
    return (bits_[row * words_ + position / 64] >> (position % 64) & 1) != 0;
  }
  void count(const Node& n, std::uint32_t cell, std::int64_t t, const std::int64_t* alive, std::int64_t* out) const;
  std::int64_t cost(const std::int64_t* channels) const;
  void finish(Node& n) const;

  const Problem* problem_;
  const Control* control_;
  Bounds bounds_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;  // row by row, in search positions
};

}  // namespace beadwork::detail
