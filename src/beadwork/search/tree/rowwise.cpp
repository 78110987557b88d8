#include <beadwork/search/tree/rowwise.hpp>

#include <algorithm>

namespace beadwork::detail {

std::int64_t Rowwise::cost(const std::int64_t* channels) const {
  return *std::min_element(channels, channels + problem_->num_channels);
}

// Keeps the cells that cost something, with their channel sums.
void Rowwise::finish(Node& n) const {
  const std::size_t k = problem_->num_channels;
  n.error = n.base;
  std::uint32_t cells = 0, rows = 0;
  for (std::uint32_t c = 0; c < n.num_cells; ++c) {
    const std::uint32_t begin = n.first[c], end = n.first[c + 1];
    std::int64_t* sums = n.costs + cells * k;
    std::fill(sums, sums + k, 0);
    for (std::uint32_t i = begin; i < end; ++i)
      for (std::size_t ch = 0; ch < k; ++ch) sums[ch] += problem_->costs[n.rows[i] * k + ch];
    if (cost(sums) == 0) continue;
    n.error += cost(sums);
    n.first[cells++] = rows;
    rows = static_cast<std::uint32_t>(std::copy(n.rows + begin, n.rows + end, n.rows + rows) - n.rows);
  }
  n.first[cells] = rows;
  n.num_cells = cells;
}

Rowwise::Node Rowwise::root(Arena& arena, std::span<const std::uint32_t> order) {
  const Problem& p = *problem_;
  words_ = (order.size() + 63) / 64;
  bits_.assign(p.num_rows * words_, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    poll(*control_);
    for (std::size_t r = 0; r < p.num_rows; ++r)
      if (bit(p.columns[order[i]], r)) bits_[r * words_ + i / 64] |= std::uint64_t{1} << i % 64;
  }
  Node n;
  n.base = p.base;
  n.num_candidates = static_cast<std::uint32_t>(order.size());
  std::uint32_t* ids = arena.get<std::uint32_t>(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) ids[i] = i;
  n.ids = ids;
  n.num_cells = p.cell.empty() ? 0 : *std::max_element(p.cell.begin(), p.cell.end()) + 1;
  n.rows = arena.get<std::uint32_t>(p.num_rows);
  n.first = arena.zeroed<std::uint32_t>(n.num_cells + std::size_t{1});
  n.costs = arena.get<std::int64_t>(n.num_cells * p.num_channels);
  for (const std::uint32_t c : p.cell) ++n.first[c + 1];
  for (std::uint32_t c = 0; c < n.num_cells; ++c) n.first[c + 1] += n.first[c];
  std::vector<std::uint32_t> at(n.first, n.first + n.num_cells);
  for (std::uint32_t r = 0; r < p.num_rows; ++r) n.rows[at[p.cell[r]]++] = r;
  finish(n);
  return n;
}

// Channel sums of the rows of a cell (those with t = 1, if t is given) where each living candidate is 1.
void Rowwise::count(const Node& n, std::uint32_t cell, std::int64_t t, const std::int64_t* alive,
                    std::int64_t* out) const {
  const std::size_t k = problem_->num_channels, width = n.num_candidates;
  std::fill(out, out + k * width, 0);
  for (std::uint32_t i = n.first[cell]; i < n.first[cell + 1]; ++i) {
    const std::uint32_t row = n.rows[i];
    if (t >= 0 && !value(row, n.ids[t])) continue;
    const std::uint64_t* bits = bits_.data() + row * words_;
    for (std::size_t ch = 0; ch < k; ++ch) {
      const std::int64_t c = problem_->costs[row * k + ch];
      if (c == 0) continue;
      std::int64_t* sum = out + ch * width;
      for (std::size_t f = 0; f < width; ++f) {
        if (alive != nullptr && alive[f] < 0) continue;
        sum[f] += c & -static_cast<std::int64_t>(bits[n.ids[f] / 64] >> (n.ids[f] % 64) & 1);
      }
    }
  }
}

namespace {

// w of one cell with channel sums `all`, of which `one` (channel * width apart) have the feature at 1.
std::int64_t linear_cap(const std::int64_t* all, const std::int64_t* one, std::size_t width, std::size_t channels,
                        std::int64_t r) {
  const std::int64_t least = *std::min_element(all, all + channels);
  std::int64_t v1 = 0, v0 = 0;
  for (std::size_t ch = 0; ch < channels; ++ch) {
    const std::int64_t slack = (all[ch] - least) / r;
    v1 = std::max(v1, one[ch * width] - slack);
    v0 = std::max(v0, all[ch] - one[ch * width] - slack);
  }
  return std::min({least, v0, v1});
}

}  // namespace

void Rowwise::open(Arena& arena, Node& n, std::uint32_t r) const {
  const std::size_t k = problem_->num_channels, width = n.num_candidates;
  n.ones = arena.get<std::int64_t>(n.num_cells * k * width);
  n.weights = arena.zeroed<std::int64_t>(width);
  for (std::uint32_t c = 0; c < n.num_cells; ++c) {
    count(n, c, -1, nullptr, n.ones + c * k * width);
    for (std::size_t f = 0; f < width; ++f)
      n.weights[f] += linear_cap(n.costs + c * k, n.ones + c * k * width + f, width, k, r);
  }
  if (!bounds_.linear_cap) std::fill(n.weights, n.weights + width, n.error - n.base);
}

Rowwise::Scratch Rowwise::scratch(Arena& arena, const Node& n, std::uint32_t) const {
  Scratch s;
  s.with = arena.get<std::int64_t>(n.num_cells * problem_->num_channels * n.num_candidates);
  s.weights = arena.get<std::int64_t>(n.num_candidates);
  s.errors = arena.get<std::int64_t>(n.num_candidates);
  return s;
}

void Rowwise::errors(const Node& n, std::int64_t* out) const {
  const std::size_t k = problem_->num_channels, width = n.num_candidates;
  std::fill(out, out + width, 0);
  for (std::uint32_t c = 0; c < n.num_cells; ++c)
    for (std::size_t f = 0; f < width; ++f) {
      std::int64_t one = INT64_MAX, zero = INT64_MAX;
      for (std::size_t ch = 0; ch < k; ++ch) {
        const std::int64_t x = n.ones[(c * k + ch) * width + f];
        one = std::min(one, x);
        zero = std::min(zero, n.costs[c * k + ch] - x);
      }
      out[f] += one + zero;
    }
}

std::int64_t Rowwise::error_after(const Node& n, std::uint32_t t) const {
  const std::size_t k = problem_->num_channels, width = n.num_candidates;
  std::int64_t sum = n.base;
  for (std::uint32_t c = 0; c < n.num_cells; ++c) {
    std::int64_t one = INT64_MAX, zero = INT64_MAX;
    for (std::size_t ch = 0; ch < k; ++ch) {
      const std::int64_t x = n.ones[(c * k + ch) * width + t];
      one = std::min(one, x);
      zero = std::min(zero, n.costs[c * k + ch] - x);
    }
    sum += one + zero;
  }
  return sum;
}

namespace {

// The q largest living weights: their sum, and the next one.
std::pair<std::int64_t, std::int64_t> largest(const std::int64_t* w, std::size_t n, std::uint32_t q) {
  std::vector<std::int64_t> top(q + std::size_t{1}, -1);  // decreasing
  for (std::size_t i = 0; i < n; ++i) {
    if (w[i] <= top.back()) continue;
    top.back() = w[i];
    for (std::size_t j = q; j > 0 && top[j] > top[j - 1]; --j) std::swap(top[j], top[j - 1]);
  }
  std::int64_t sum = 0;
  for (std::size_t j = 0; j < q; ++j) sum += std::max<std::int64_t>(0, top[j]);
  return {sum, top.back()};
}

std::uint32_t eliminate(std::int64_t* w, std::size_t n, std::uint32_t r, std::int64_t slack) {
  for (;;) {
    const auto alive = static_cast<std::uint32_t>(std::count_if(w, w + n, [](std::int64_t x) { return x >= 0; }));
    if (alive < r) return 0;
    const auto [sum, next] = largest(w, n, r - 1);
    if (slack - sum - next >= 0) return 0;
    bool changed = false;
    for (std::size_t i = 0; i < n; ++i)
      if (w[i] >= 0 && slack - sum - w[i] >= 0) {
        w[i] = -1;
        changed = true;
      }
    if (!changed) return alive;
  }
}

}  // namespace

std::int64_t Rowwise::top(const Node& n, const std::int64_t* weights, std::uint32_t q) const {
  return largest(weights, n.num_candidates, q).first;
}

std::uint32_t Rowwise::eliminate_all(const Node& n, const Scratch&, std::int64_t* weights, std::uint32_t r,
                                     std::int64_t slack) const {
  return eliminate(weights, n.num_candidates, r, slack);
}

std::uint32_t Rowwise::above(const Node& n, Scratch& s, const std::int64_t* rest, std::int64_t least) const {
  std::uint32_t alive = 0;
  for (std::uint32_t f = 0; f < n.num_candidates; ++f) {
    s.weights[f] = rest[f] > std::max<std::int64_t>(least, -1) ? rest[f] : -1;
    alive += s.weights[f] >= 0;
  }
  return alive;
}

std::uint32_t Rowwise::extend(const Node& n, Scratch& s, std::uint32_t t, std::uint32_t r, std::int64_t error,
                              std::int64_t limit) const {
  const std::size_t k = problem_->num_channels, width = n.num_candidates;
  std::vector<std::int64_t> sums(width, 0), one(k), zero(k), rest(k);
  for (std::uint32_t c = 0; c < n.num_cells; ++c) {
    std::int64_t* with = s.with + c * k * width;
    const std::int64_t* ones = n.ones + c * k * width;
    count(n, c, t, s.weights, with);
    for (std::size_t ch = 0; ch < k; ++ch) {
      one[ch] = ones[ch * width + t];
      zero[ch] = n.costs[c * k + ch] - one[ch];
    }
    for (std::size_t f = 0; f < width; ++f) {
      if (s.weights[f] < 0) continue;
      for (std::size_t ch = 0; ch < k; ++ch) rest[ch] = ones[ch * width + f] - with[ch * width + f];
      sums[f] += linear_cap(one.data(), with + f, width, k, r) + linear_cap(zero.data(), rest.data(), 1, k, r);
    }
  }
  for (std::size_t f = 0; f < width; ++f)
    if (s.weights[f] >= 0) s.weights[f] = bounds_.linear_cap ? sums[f] : error - n.base;
  return eliminate(s.weights, width, r, error - limit);
}

void Rowwise::errors_with(const Node& n, Scratch& s, std::uint32_t t) const {
  const std::size_t k = problem_->num_channels, width = n.num_candidates;
  std::fill(s.errors, s.errors + width, 0);
  for (std::uint32_t c = 0; c < n.num_cells; ++c)
    for (std::size_t f = 0; f < width; ++f) {
      if (s.weights[f] < 0) continue;
      std::int64_t corner[4] = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
      for (std::size_t ch = 0; ch < k; ++ch) {
        const std::size_t at = (c * k + ch) * width;
        const std::int64_t both = s.with[at + f], with_t = n.ones[at + t], with_f = n.ones[at + f];
        corner[0] = std::min(corner[0], both);
        corner[1] = std::min(corner[1], with_t - both);
        corner[2] = std::min(corner[2], with_f - both);
        corner[3] = std::min(corner[3], n.costs[c * k + ch] - with_t - with_f + both);
      }
      s.errors[f] += corner[0] + corner[1] + corner[2] + corner[3];
    }
}

Rowwise::Node Rowwise::child(Arena& arena, const Node& n, std::uint32_t t,
                             std::span<const std::uint32_t> source) const {
  Node out;
  out.base = n.base;
  out.cap = n.cap;
  out.num_candidates = static_cast<std::uint32_t>(source.size());
  std::uint32_t* ids = arena.get<std::uint32_t>(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) ids[i] = n.ids[source[i]];
  out.ids = ids;
  out.rows = arena.get<std::uint32_t>(n.first[n.num_cells]);
  out.first = arena.get<std::uint32_t>(2 * std::size_t{n.num_cells} + 1);
  out.costs = arena.get<std::int64_t>(2 * std::size_t{n.num_cells} * problem_->num_channels);
  out.num_cells = 2 * n.num_cells;
  std::copy(n.rows, n.rows + n.first[n.num_cells], out.rows);
  for (std::size_t c = 0; c < n.num_cells; ++c) {
    out.first[2 * c] = n.first[c];
    out.first[2 * c + 1] =
        static_cast<std::uint32_t>(std::stable_partition(out.rows + n.first[c], out.rows + n.first[c + 1],
                                                         [&](std::uint32_t row) { return value(row, n.ids[t]); }) -
                                   out.rows);
  }
  out.first[out.num_cells] = n.first[n.num_cells];
  finish(out);
  return out;
}

}  // namespace beadwork::detail
