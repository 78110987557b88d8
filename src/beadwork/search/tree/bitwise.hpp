#pragma once
// Nodes of the search tree for two channels: bit rows and the kernels over them. Rowwise is its general
// counterpart; both offer the same members, and tree.hpp is written over either.

#include <beadwork/search/kernel/table.hpp>
#include <beadwork/search/problem/problem.hpp>
#include <beadwork/search/tree/arena.hpp>

#include <span>

namespace beadwork::detail {

template <class Lane>
class Bitwise {
 public:
  using Weight = Lane;

  // T is fixed; its mixed cells; the candidates that may join it.
  struct Node {
    kernel::Layout layout;
    kernel::Cell<Lane>* cells = nullptr;
    std::uint32_t num_cells = 0;
    std::uint32_t num_candidates = 0;
    const std::uint32_t* ids = nullptr;  // search position of each lane
    std::int64_t base = 0;               // error outside these cells
    std::int64_t error = 0;              // of T, base included
    std::int64_t cap = INT64_MAX;        // sets of this error or more are settled
    std::uint32_t open = 0;              // groups that T lacks a member of; the tree keeps it
    Lane* ones = nullptr;                // after open()
    Lane* weights = nullptr;             // linear caps W, after open()
  };

  struct Scratch {
    Lane* with = nullptr;
    Lane* weights = nullptr;  // of candidates after t
    Lane* errors = nullptr;
    std::uint32_t* chunks = nullptr;
    std::uint32_t num_chunks = 0;
    std::uint32_t* all = nullptr;  // 0 .. chunks - 1
    kernel::PairJob<Lane> job;     // r == 3
    bool pairs = false;
  };

  Bitwise(const Problem& problem, const Control& control, const kernel::Table<Lane>& table, const Bounds& bounds)
      : problem_(&problem), control_(&control), table_(&table), bounds_(bounds) {}

  // Whether the totals of this problem fit the lanes.
  static bool fits(const Problem& p) {
    return p.num_channels == 2 && p.total <= (sizeof(Lane) == 2 ? 32767 : 2147483647) - 1;
  }

  // `order`: the candidate of each search position. Throws Stopped.
  Node root(Arena& arena, std::span<const std::uint32_t> order) const;
  void open(Arena& arena, Node& node, std::uint32_t r) const;
  Scratch scratch(Arena& arena, const Node& node, std::uint32_t r) const;

  void errors(const Node& n, Lane* out) const { table_->errors(counts(n, nullptr), out); }
  std::size_t row_size(const Node& n) const { return n.layout.stride; }

  std::int64_t top(const Node& n, const Lane* weights, std::uint32_t q) const {
    return table_->top(weights, n.layout.chunks, q);
  }
  std::uint32_t eliminate_all(const Node& n, const Scratch& s, Lane* weights, std::uint32_t r,
                              std::int64_t slack) const {
    return table_->eliminate(weights, s.all, n.layout.chunks, r, slack);
  }
  // s.weights = the living candidates of `rest` above `least`.
  std::uint32_t above(const Node& n, Scratch& s, const Lane* rest, std::int64_t least) const {
    return table_->above(rest, s.weights, n.layout.chunks, least, s.chunks, &s.num_chunks);
  }
  std::int64_t error_after(const Node& n, std::uint32_t t) const;
  // Counts t against the candidates living in s.weights, weighs them with r to choose, eliminates.
  std::uint32_t extend(const Node& n, Scratch& s, std::uint32_t t, std::uint32_t r, std::int64_t error,
                       std::int64_t limit) const;
  void errors_with(const Node& n, Scratch& s, std::uint32_t t) const {
    table_->errors_with(counts(n, s.with), t, s.chunks, s.num_chunks, s.errors);
  }
  Node child(Arena& arena, const Node& n, std::uint32_t t, std::span<const std::uint32_t> source) const;

  // Cancellation: rows of opposite kinds that agree on all candidates stay together whatever is chosen. Takes them out
  // of the cells of a node that is not open yet; their errors go to the base. Pays from five features to
  // choose on.
  void cancel(Arena& arena, Node& n, std::uint32_t r) const;

  // All pairs of candidates living in s.weights; r == 3 and s.pairs.
  template <class Offer, class Stop>
  std::uint64_t pairs(Arena& arena, const Node& n, Scratch& s, std::uint32_t t, std::int64_t error, std::int64_t limit,
                      Offer& offer, Stop& stop) const;

  // Rows times candidates.
  std::uint64_t size(const Node& n) const {
    std::uint64_t rows = 1;
    for (std::uint32_t i = 0; i < n.num_cells; ++i)
      for (int kind = 0; kind < 2; ++kind)
        for (std::uint32_t g = 0; g < n.layout.groups; ++g) rows += n.cells[i].rows[kind][g];
    return rows * n.num_candidates;
  }
  // The work of one pass over a node, in 512-bit steps: how often to look at the clock.
  std::uint64_t effort(const Node& n) const {
    std::uint64_t words = 1;
    for (std::uint32_t i = 0; i < n.num_cells; ++i)
      for (int kind = 0; kind < 2; ++kind) words += num_words(n.layout, n.cells[i].rows[kind]);
    return words * n.layout.chunks;
  }

 private:
  static constexpr std::uint32_t rows_per_word = 8 * sizeof(Lane);
  static std::uint32_t words(std::uint32_t rows) { return (rows + rows_per_word - 1) / rows_per_word; }
  static std::size_t num_words(const kernel::Layout& l, const std::uint32_t* rows) {
    std::size_t n = 0;
    for (std::uint32_t g = 0; g < l.groups; ++g) n += words(rows[g]);
    return n;
  }
  kernel::Layout layout_for(std::size_t num_candidates, const kernel::Layout& like) const {
    kernel::Layout l = like;
    l.chunks = static_cast<std::uint32_t>((num_candidates + table_->lanes - 1) / table_->lanes);
    l.stride = std::size_t{l.chunks} * table_->lanes;
    return l;
  }
  kernel::Counts<Lane> counts(const Node& n, Lane* with) const {
    return {n.layout, n.cells, n.num_cells, n.ones, with};
  }
  void finish(Node& n) const;
  std::uint32_t cancel(Arena& arena, const kernel::Layout& layout, kernel::Cell<Lane>& cell) const;
  kernel::Layout groups_for(std::span<const std::int64_t> weights) const;

  const Problem* problem_;
  const Control* control_;
  const kernel::Table<Lane>* table_;
  Bounds bounds_;
};

template <class Lane>
template <class Offer, class Stop>
std::uint64_t Bitwise<Lane>::pairs(Arena& arena, const Node& n, Scratch& s, std::uint32_t t, std::int64_t error,
                                   std::int64_t limit, Offer& offer, Stop& stop) const {
  const ArenaScope scope(arena);
  const kernel::Counts<Lane> c = counts(n, s.with);
  kernel::PairJob<Lane>& job = s.job;
  Lane** sub = arena.get<Lane*>(2 * n.num_cells);
  std::uint32_t** rows = arena.get<std::uint32_t*>(2 * n.num_cells);
  for (std::uint32_t i = 0; i < 2 * n.num_cells; ++i) {
    // A group never has more rows with t = 1 than it has rows, nor than its weight with t = 1.
    std::size_t most = 0;
    for (std::uint32_t g = 0; g < n.layout.groups; ++g)
      most +=
          words(std::min(n.cells[i / 2].rows[i % 2][g], static_cast<std::uint32_t>(n.ones[i * n.layout.stride + t])));
    sub[i] = arena.get<Lane>(most * n.layout.stride);
    rows[i] = arena.get<std::uint32_t>(n.layout.groups);
  }
  struct Context {
    Offer* offer;
    Stop* stop;
    std::int64_t base, most;
  } context{&offer, &stop, n.base, job.total + 1};
  job.counts = &c;
  job.t = t;
  job.weights = s.weights;
  job.error = error - n.base;
  job.limit = std::min(limit - n.base, job.total + 1);
  job.room.sub = sub;
  job.room.sub_rows = rows;
  job.taker.context = &context;
  job.taker.offer = [](void* p, std::uint32_t f, std::uint32_t g, std::int64_t e) {
    Context& x = *static_cast<Context*>(p);
    return std::min((*x.offer)(f, g, e + x.base) - x.base, x.most);
  };
  job.taker.stopping = [](void* p) { return (*static_cast<Context*>(p)->stop)(); };
  const std::uint64_t before = job.evaluated;
  table_->pairs(job);
  return job.evaluated - before;
}

extern template class Bitwise<std::int16_t>;
extern template class Bitwise<std::int32_t>;

}  // namespace beadwork::detail
