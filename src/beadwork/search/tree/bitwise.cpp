#include <beadwork/search/tree/bitwise.hpp>

#include <algorithm>
#include <numeric>

namespace beadwork::detail {

// Rows heavier than 1 can be repeated, or written in base 2^step with one group of rows for each digit place.
// Each group wastes half a word a block; with about eight cells below, that is the price of a group.
template <class Lane>
kernel::Layout Bitwise<Lane>::groups_for(std::span<const std::int64_t> weights) const {
  kernel::Layout best;
  double least = -1;
  const std::int64_t heaviest = weights.empty() ? 1 : *std::max_element(weights.begin(), weights.end());
  for (const std::uint32_t step : {0u, 1u, 2u, 3u, 4u, 6u, 8u}) {
    kernel::Layout l;
    l.step = step;
    for (std::int64_t w = step == 0 ? 0 : heaviest >> step; w > 0; w >>= step) ++l.groups;
    double cost = 16.0 * rows_per_word * l.groups;
    for (std::int64_t w : weights) {
      if (step == 0) cost += static_cast<double>(w);
      for (; step != 0 && w > 0; w >>= step) cost += static_cast<double>(w & ((1 << step) - 1));
    }
    if (least < 0 || cost < least) {
      least = cost;
      best = l;
    }
  }
  return best;
}

template <class Lane>
void Bitwise<Lane>::finish(Node& n) const {
  n.error = n.base;
  for (std::uint32_t i = 0; i < n.num_cells; ++i) n.error += std::min(n.cells[i].weight[0], n.cells[i].weight[1]);
  // Most error first: sums that stop early stop sooner.
  std::sort(n.cells, n.cells + n.num_cells, [](const auto& a, const auto& b) {
    return std::min(a.weight[0], a.weight[1]) > std::min(b.weight[0], b.weight[1]);
  });
}

namespace {

// Where the rows of a problem go in the blocks of a root: one block for each cell and kind, in weight groups.
template <class Lane>
struct Blocks {
  static constexpr std::uint32_t rows_per_word = 8 * sizeof(Lane);
  struct Place {
    Lane* word;
    std::uint32_t bit;
  };

  Blocks(const Problem& p, const kernel::Layout& l, std::span<const std::int64_t> w, std::size_t num_cells)
      : problem(p), layout(l), weights(w), rows(num_cells * 2 * l.groups), sums(num_cells * 2) {
    start.assign(rows.size(), nullptr);
    filled.assign(rows.size(), 0);
    for (std::size_t r = 0; r < p.num_rows; ++r) {
      sums[block_of(r)] += weights[r];
      for (std::uint32_t g = 0; g < l.groups; ++g)
        rows[block_of(r) * l.groups + g] += static_cast<std::uint32_t>(digit(weights[r], g));
    }
  }

  std::size_t block_of(std::size_t r) const {
    return std::size_t{problem.cell[r]} * 2 + (problem.costs[2 * r] > 0 ? 0 : 1);
  }
  std::int64_t digit(std::int64_t w, std::uint32_t g) const {
    if (layout.step == 0) return w;
    return w >> (layout.step * (layout.groups - 1 - g)) & ((std::int64_t{1} << layout.step) - 1);
  }

  // The places of 64 rows from `from` on: those of row r are [first[r - from], first[r - from + 1]).
  void place(std::size_t from, std::vector<Place>& places, std::uint32_t (&first)[65]) {
    const std::size_t end = std::min(from + 64, problem.num_rows);
    places.clear();
    for (std::size_t r = from; r < end; ++r) {
      first[r - from] = static_cast<std::uint32_t>(places.size());
      if (start[block_of(r) * layout.groups] == nullptr) continue;
      for (std::uint32_t g = 0; g < layout.groups; ++g)
        for (std::int64_t copy = digit(weights[r], g); copy > 0; --copy) {
          const std::size_t at = block_of(r) * layout.groups + g;
          const std::uint32_t row = filled[at]++;
          places.push_back({start[at] + std::size_t{row / rows_per_word} * layout.stride, row % rows_per_word});
        }
    }
    first[end - from] = static_cast<std::uint32_t>(places.size());
  }

  const Problem& problem;
  const kernel::Layout& layout;
  std::span<const std::int64_t> weights;
  std::vector<std::uint32_t> rows;  // of each block and group
  std::vector<std::int64_t> sums;   // weight of each block
  std::vector<Lane*> start;         // of each block and group; null: the cell is pure
  std::vector<std::uint32_t> filled;
};

}  // namespace

template <class Lane>
typename Bitwise<Lane>::Node Bitwise<Lane>::root(Arena& arena, std::span<const std::uint32_t> order) const {
  const Problem& p = *problem_;
  Node n;
  n.base = p.base;
  n.num_candidates = static_cast<std::uint32_t>(order.size());
  std::vector<std::int64_t> weights(p.num_rows);
  for (std::size_t r = 0; r < p.num_rows; ++r) weights[r] = std::max(p.costs[2 * r], p.costs[2 * r + 1]);
  const std::uint32_t num_cells = p.cell.empty() ? 0 : *std::max_element(p.cell.begin(), p.cell.end()) + 1;
  n.layout = layout_for(order.size(), groups_for(weights));
  const kernel::Layout& l = n.layout;
  Blocks<Lane> blocks(p, l, weights, num_cells);
  n.cells = arena.get<kernel::Cell<Lane>>(num_cells);
  for (std::uint32_t c = 0; c < num_cells; ++c) {
    if (blocks.sums[2 * c] == 0 || blocks.sums[2 * c + 1] == 0) continue;
    kernel::Cell<Lane>& cell = n.cells[n.num_cells++];
    for (std::uint32_t kind = 0; kind < 2; ++kind) {
      const std::size_t block = std::size_t{c} * 2 + kind;
      std::uint32_t* counts = arena.get<std::uint32_t>(l.groups);
      std::copy_n(blocks.rows.begin() + static_cast<std::ptrdiff_t>(block * l.groups), l.groups, counts);
      Lane* bits = arena.zeroed<Lane>(num_words(l, counts) * l.stride);
      cell.weight[kind] = blocks.sums[block];
      cell.rows[kind] = counts;
      cell.bits[kind] = bits;
      for (std::uint32_t g = 0; g < l.groups; ++g) {
        blocks.start[block * l.groups + g] = bits;
        bits += std::size_t{words(counts[g])} * l.stride;
      }
    }
  }
  // 64 rows at a time, so that the words they go to stay in the cache over all columns.
  std::vector<typename Blocks<Lane>::Place> places;
  std::uint32_t first[65];
  for (std::size_t from = 0; from < p.num_rows; from += 64) {
    if (from % 16384 == 0) poll(*control_);
    blocks.place(from, places, first);
    for (std::size_t lane = 0; lane < order.size(); ++lane)
      for (std::uint64_t bits = p.columns[order[lane]][from / 64]; bits != 0; bits &= bits - 1) {
        const int r = __builtin_ctzll(bits);
        for (std::uint32_t i = first[r]; i < first[r + 1]; ++i) {
          Lane& word = places[i].word[lane];
          word = static_cast<Lane>(word | static_cast<Lane>(std::uint32_t{1} << places[i].bit));
        }
      }
  }
  std::uint32_t* ids = arena.get<std::uint32_t>(order.size());
  std::iota(ids, ids + order.size(), 0u);
  n.ids = ids;
  finish(n);
  return n;
}

template <class Lane>
void Bitwise<Lane>::open(Arena& arena, Node& n, std::uint32_t r) const {
  n.ones = arena.get<Lane>(2 * std::size_t{n.num_cells} * n.layout.stride);
  n.weights = arena.get<Lane>(n.layout.stride);
  const auto c = counts(n, nullptr);
  table_->ones(c);
  if (bounds_.linear_cap)
    table_->weigh(c, r, n.weights);
  else
    std::fill(n.weights, n.weights + n.layout.stride, static_cast<Lane>(n.error - n.base));
  std::fill(n.weights + n.num_candidates, n.weights + n.layout.stride, Lane{-1});
}

template <class Lane>
typename Bitwise<Lane>::Scratch Bitwise<Lane>::scratch(Arena& arena, const Node& n, std::uint32_t r) const {
  const kernel::Layout& l = n.layout;
  Scratch s;
  s.with = arena.get<Lane>(2 * std::size_t{n.num_cells} * l.stride);
  s.weights = arena.get<Lane>(l.stride);
  s.errors = arena.get<Lane>(l.stride);
  s.chunks = arena.get<std::uint32_t>(l.chunks);
  s.all = arena.get<std::uint32_t>(l.chunks);
  for (std::uint32_t i = 0; i < l.chunks; ++i) s.all[i] = i;
  const std::size_t diff = std::size_t{n.num_cells} * n.num_candidates * l.stride;
  s.pairs = r == 3 && n.num_cells > 0 && n.num_cells <= kernel::kMaxPairCells &&
            diff * sizeof(Lane) <= (std::size_t{1} << 28);
  if (!s.pairs) return s;
  kernel::PairJob<Lane>& job = s.job;
  job.num_features = n.num_candidates;
  for (std::uint32_t i = 0; i < n.num_cells; ++i) job.total += n.cells[i].weight[0] + n.cells[i].weight[1];
  job.gain_cap = bounds_.gain_cap;
  job.cell_bound = bounds_.cell_bound;
  job.room.diff = arena.get<Lane>(diff);
  job.room.diff_done = arena.zeroed<std::uint8_t>(std::size_t{n.num_candidates} * l.chunks);
  const std::size_t table = (2 * std::size_t{n.num_cells} + 1) * l.stride;
  job.room.e = arena.get<Lane>(table);
  job.room.m = arena.get<Lane>(table);
  job.room.w = arena.get<Lane>(table);
  job.room.list = arena.get<std::uint32_t>(l.chunks);
  return s;
}

template <class Lane>
std::int64_t Bitwise<Lane>::error_after(const Node& n, std::uint32_t t) const {
  std::int64_t sum = n.base;
  for (std::uint32_t i = 0; i < n.num_cells; ++i) {
    const std::int64_t p = n.ones[2 * i * n.layout.stride + t];
    const std::int64_t q = n.ones[(2 * i + 1) * n.layout.stride + t];
    sum += std::min(p, q) + std::min(n.cells[i].weight[0] - p, n.cells[i].weight[1] - q);
  }
  return sum;
}

template <class Lane>
std::uint32_t Bitwise<Lane>::extend(const Node& n, Scratch& s, std::uint32_t t, std::uint32_t r, std::int64_t error,
                                    std::int64_t limit) const {
  const std::int64_t target = bounds_.linear_cap ? limit - n.base : INT64_MAX;
  if (!table_->extend(counts(n, s.with), t, s.chunks, s.num_chunks, r, target, s.weights)) return 0;
  if (!bounds_.linear_cap) {
    const Lane all = static_cast<Lane>(error - n.base);
    for (std::uint32_t i = 0; i < n.layout.stride; ++i)
      if (s.weights[i] >= 0) s.weights[i] = all;
  }
  return table_->eliminate(s.weights, s.chunks, s.num_chunks, r, error - limit);
}

template <class Lane>
typename Bitwise<Lane>::Node Bitwise<Lane>::child(Arena& arena, const Node& n, std::uint32_t t,
                                                  std::span<const std::uint32_t> source) const {
  Node out;
  out.layout = layout_for(source.size(), n.layout);
  out.base = n.base;
  out.cap = n.cap;
  out.num_candidates = static_cast<std::uint32_t>(source.size());
  std::uint32_t* ids = arena.get<std::uint32_t>(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) ids[i] = n.ids[source[i]];
  out.ids = ids;
  out.cells = arena.get<kernel::Cell<Lane>>(2 * std::size_t{n.num_cells});
  void* plan = arena.get<char>(table_->plan_bytes(out.num_candidates));
  table_->plan(n.layout, source.data(), out.num_candidates, plan);
  const std::size_t stride = n.layout.stride, groups = n.layout.groups;
  for (std::uint32_t i = 0; i < n.num_cells; ++i) {
    const kernel::Cell<Lane>& cell = n.cells[i];
    kernel::Cell<Lane> side[2];
    for (std::uint32_t kind = 0; kind < 2; ++kind) {
      side[1].weight[kind] = n.ones[(2 * i + kind) * stride + t];
      side[0].weight[kind] = cell.weight[kind] - side[1].weight[kind];
    }
    const bool mixed[2] = {side[0].weight[0] > 0 && side[0].weight[1] > 0,
                           side[1].weight[0] > 0 && side[1].weight[1] > 0};
    if (!mixed[0] && !mixed[1]) continue;
    for (std::uint32_t kind = 0; kind < 2; ++kind) {
      std::uint32_t* rows[2] = {arena.get<std::uint32_t>(groups), arena.get<std::uint32_t>(groups)};
      const Lane* x = cell.bits[kind];
      for (std::size_t g = 0; g < groups; ++g) {
        std::uint32_t ones = 0;
        if (groups == 1)
          ones = static_cast<std::uint32_t>(side[1].weight[kind]);
        else
          for (std::uint32_t w = words(cell.rows[kind][g]); w > 0; --w, x += stride)
            ones += static_cast<std::uint32_t>(__builtin_popcount(static_cast<std::make_unsigned_t<Lane>>(x[t])));
        rows[1][g] = ones;
        rows[0][g] = cell.rows[kind][g] - ones;
      }
      for (std::uint32_t v = 0; v < 2; ++v) {
        side[v].rows[kind] = rows[v];
        if (mixed[v]) side[v].bits[kind] = arena.get<Lane>(num_words(n.layout, rows[v]) * out.layout.stride);
      }
    }
    table_->split(n.layout, cell, t, out.layout, source.data(), out.num_candidates, plan, mixed[1] ? &side[1] : nullptr,
                  mixed[0] ? &side[0] : nullptr);
    for (std::uint32_t v = 2; v-- > 0;)
      if (mixed[v]) out.cells[out.num_cells++] = side[v];
  }
  finish(out);
  return out;
}

template <class Lane>
std::uint32_t Bitwise<Lane>::cancel(Arena& arena, const kernel::Layout& l, kernel::Cell<Lane>& cell) const {
  const ArenaScope scope(arena);
  const std::uint32_t few = cell.weight[0] <= cell.weight[1] ? 0 : 1, many = 1 - few;
  std::uint32_t rows[2] = {cell.rows[0][0], cell.rows[1][0]};
  std::uint64_t* keys[2];
  std::uint32_t* keep[2];
  for (std::uint32_t kind = 0; kind < 2; ++kind) {
    keys[kind] = arena.get<std::uint64_t>(words(rows[kind]) * std::size_t{rows_per_word});
    table_->row_keys(l, cell.bits[kind], rows[kind], keys[kind]);
    keep[kind] = arena.get<std::uint32_t>(words(rows[kind]));
    for (std::uint32_t w = 0; w < words(rows[kind]); ++w) {
      const std::uint32_t left = std::min(rows[kind] - w * rows_per_word, rows_per_word);
      keep[kind][w] = static_cast<std::uint32_t>((std::uint64_t{1} << left) - 1);
    }
  }
  // A hash table of chains of rows of the rarer kind.
  constexpr std::uint32_t none = UINT32_MAX;
  std::uint32_t log = 4;
  while ((std::size_t{1} << log) < 2 * std::size_t{rows[few]}) ++log;
  std::uint32_t* head = arena.get<std::uint32_t>(std::size_t{1} << log);
  std::fill(head, head + (std::size_t{1} << log), none);
  std::uint32_t* next = arena.get<std::uint32_t>(rows[few]);
  const auto slot = [&](std::uint64_t key) { return (key * 0x9e3779b97f4a7c15ULL) >> (64 - log); };
  for (std::uint32_t i = 0; i < rows[few]; ++i) {
    std::uint32_t& h = head[slot(keys[few][i])];
    next[i] = h;
    h = i;
  }
  std::uint32_t gone = 0;
  for (std::uint32_t j = 0; j < rows[many]; ++j)
    for (std::uint32_t* at = &head[slot(keys[many][j])]; *at != none; at = &next[*at]) {
      const std::uint32_t i = *at;
      if (keys[few][i] != keys[many][j]) continue;
      *at = next[i];
      keep[few][i / rows_per_word] &= ~(std::uint32_t{1} << i % rows_per_word);
      keep[many][j / rows_per_word] &= ~(std::uint32_t{1} << j % rows_per_word);
      ++gone;
      break;
    }
  if (gone == 0) return 0;
  for (std::uint32_t kind = 0; kind < 2; ++kind) {
    table_->keep_rows(l, const_cast<Lane*>(cell.bits[kind]), rows[kind], keep[kind]);
    const_cast<std::uint32_t*>(cell.rows[kind])[0] -= gone;
    cell.weight[kind] -= gone;
  }
  return gone;
}

template <class Lane>
void Bitwise<Lane>::cancel(Arena& arena, Node& n, std::uint32_t r) const {
  if (!bounds_.cancellation || r < 5 || n.num_candidates > 64 || n.layout.groups != 1) return;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < n.num_cells; ++i) {
    n.base += cancel(arena, n.layout, n.cells[i]);
    if (n.cells[i].weight[0] > 0 && n.cells[i].weight[1] > 0) n.cells[kept++] = n.cells[i];
  }
  n.num_cells = kept;
  finish(n);
}

template class Bitwise<std::int16_t>;
template class Bitwise<std::int32_t>;

}  // namespace beadwork::detail
