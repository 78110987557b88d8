#include <beadwork/smallest/diagram_flow.hpp>

#include <algorithm>
#include <bit>

namespace beadwork {

DiagramFlow::DiagramFlow(const Condensed& data, std::span<const std::int64_t> costs)
    : data_(data), words_(words_for(data.num_rows)), planes_(data.num_classes), all_(words_), now_(words_) {
  half_ = edge_ = now_;
  for (std::size_t r = 0; r < data.num_rows; ++r) all_[r / 64] |= std::uint64_t{1} << r % 64;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    auto& planes = planes_[i % data.num_classes];
    const std::size_t r = i / data.num_classes;
    for (auto left = static_cast<std::uint64_t>(costs[i]); left != 0; left &= left - 1) {
      const auto b = static_cast<std::size_t>(std::countr_zero(left));
      if (planes.size() <= b) planes.resize(b + 1);
      if (planes[b].empty()) planes[b].resize(words_);
      planes[b][r / 64] |= std::uint64_t{1} << r % 64;
    }
  }
}

void DiagramFlow::set(const DiagramShape& shape) {
  shape_ = shape;
  const std::size_t n = shape.nodes.size();
  reach_.assign(n * words_, 0);
  leave_.resize(n * words_);
  come_.resize(n * words_);
  marked_.assign(n, false);
  ends_.assign(2 * n, {});
  value_ = {};
  if (n == 0) return void(value_ = end(all_.data()));
  std::copy(all_.begin(), all_.end(), reach_.begin());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t side = 0; side < 2; ++side) {
      rows_of({i, side}, half_.data());
      const std::size_t to = shape.nodes[i].to[side];
      if (to == kEnd) value_ += ends_[2 * i + side] = end(half_.data());
      for (std::size_t w = 0; w < words_ && to != kEnd; ++w) at(reach_, to)[w] |= half_[w];
    }
}

void DiagramFlow::rows_of(const Edge& edge, std::uint64_t* out) {
  if (edge.node == kEnd) return void(std::copy(all_.begin(), all_.end(), out));
  const std::uint64_t* rows = at(reach_, edge.node);
  const std::uint64_t* col = column(shape_.places[shape_.nodes[edge.node].level]);
  const std::uint64_t flip = edge.side == 1 ? 0 : ~std::uint64_t{0};
  for (std::size_t w = 0; w < words_; ++w) out[w] = rows[w] & (col[w] ^ flip);
  steps_ += words_ + kCall;
}

Class DiagramFlow::answer(const Edge& edge) {
  rows_of(edge, half_.data());
  sum(half_.data(), sums_);
  return Class{answers_[static_cast<std::size_t>(std::min_element(sums_.begin(), sums_.end()) - sums_.begin())]};
}

DiagramValue DiagramFlow::with_edge(const Edge& edge, std::size_t to) {
  DiagramValue out = value_;
  const std::size_t before = shape_.end_of(edge);
  rows_of(edge, half_.data());
  if (before == kEnd) out -= ends_[2 * edge.node + edge.side];
  if (to == kEnd) out += end(half_.data());
  if (before != kEnd) mark(before);
  if (to != kEnd) mark(to);
  for (std::size_t w = 0; w < words_ && before != kEnd; ++w) at(leave_, before)[w] |= half_[w];
  for (std::size_t w = 0; w < words_ && to != kEnd; ++w) at(come_, to)[w] |= half_[w];
  return out += settle(edge.node + 1);
}

DiagramValue DiagramFlow::with_feature(std::size_t level, std::size_t place) {
  DiagramValue out = value_;
  const std::uint64_t *was = column(shape_.places[level]), *is = column(place);
  std::size_t i = 0;
  while (shape_.nodes[i].level < level) ++i;
  for (; i < shape_.nodes.size() && shape_.nodes[i].level == level; ++i)
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t to = shape_.nodes[i].to[side];
      const std::uint64_t flip = side == 1 ? 0 : ~std::uint64_t{0};
      const std::uint64_t* rows = at(reach_, i);
      steps_ += 2 * (words_ + kCall);
      if (to == kEnd) {
        for (std::size_t w = 0; w < words_; ++w) half_[w] = rows[w] & (is[w] ^ flip);
        out -= ends_[2 * i + side];
        out += end(half_.data());
        continue;
      }
      mark(to);
      std::uint64_t *leave = at(leave_, to), *come = at(come_, to);
      for (std::size_t w = 0; w < words_; ++w) {
        const std::uint64_t other = rows[w] & (was[w] ^ is[w]);
        leave[w] |= other & (was[w] ^ flip);
        come[w] |= other & (is[w] ^ flip);
      }
    }
  return out += settle(i);
}

void DiagramFlow::look_at(const Edge& edge) {
  rows_of(edge, edge_.data());
  sum(edge_.data(), edge_sums_);
  edge_to_ = shape_.end_of(edge);
  edge_worth_ = worth(edge_sums_);
}

DiagramValue DiagramFlow::with_test(std::size_t place, std::size_t ends) {
  const std::uint64_t* col = column(place);
  const std::uint64_t flip = ends == 1 ? 0 : ~std::uint64_t{0};
  for (std::size_t w = 0; w < words_; ++w) half_[w] = edge_[w] & (col[w] ^ flip);
  steps_ += words_ + kCall;
  sum(half_.data(), sums_);
  DiagramValue out = value_;
  out += worth(sums_);
  if (edge_to_ == kEnd) {
    other_sums_.resize(sums_.size());
    for (std::size_t k = 0; k < sums_.size(); ++k) other_sums_[k] = edge_sums_[k] - sums_[k];
    out -= edge_worth_;
    return out += worth(other_sums_);
  }
  mark(edge_to_);
  std::copy(half_.begin(), half_.end(), at(leave_, edge_to_));
  return out += settle(edge_to_);
}

void DiagramFlow::mark(std::size_t node) {
  if (marked_[node]) return;
  marked_[node] = true;
  std::fill_n(at(leave_, node), words_, 0);
  std::fill_n(at(come_, node), words_, 0);
}

// The rest of a change, from a node on: what it adds to the diagram's value.
DiagramValue DiagramFlow::settle(std::size_t from) {
  DiagramValue out;
  for (std::size_t i = from; i < shape_.nodes.size(); ++i) {
    if (!marked_[i]) continue;
    marked_[i] = false;
    const std::uint64_t* was = at(reach_, i);
    std::uint64_t *leave = at(leave_, i), *come = at(come_, i), any = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t now = (was[w] & ~leave[w]) | come[w];
      now_[w] = now;
      leave[w] = was[w] & ~now;
      come[w] = now & ~was[w];
      any |= now ^ was[w];
    }
    steps_ += 2 * (words_ + kCall);
    if (any != 0) out += pass_on(i, now_.data());
  }
  return out;
}

DiagramValue DiagramFlow::pass_on(std::size_t node, const std::uint64_t* now) {
  DiagramValue out;
  const std::uint64_t* col = column(shape_.places[shape_.nodes[node].level]);
  const std::uint64_t *leave = at(leave_, node), *come = at(come_, node);
  for (std::size_t side = 0; side < 2; ++side) {
    const std::size_t to = shape_.nodes[node].to[side];
    const std::uint64_t flip = side == 1 ? 0 : ~std::uint64_t{0};
    steps_ += words_ + kCall;
    if (to == kEnd) {
      for (std::size_t w = 0; w < words_; ++w) half_[w] = now[w] & (col[w] ^ flip);
      out += end(half_.data());
      out -= ends_[2 * node + side];
      continue;
    }
    mark(to);
    std::uint64_t *leaves = at(leave_, to), *comes = at(come_, to);
    for (std::size_t w = 0; w < words_; ++w) {
      leaves[w] |= leave[w] & (col[w] ^ flip);
      comes[w] |= come[w] & (col[w] ^ flip);
    }
  }
  return out;
}

void DiagramFlow::sum(const std::uint64_t* rows, Sums& out) {
  out.assign(answers_.size(), 0);
  for (std::size_t k = 0; k < answers_.size(); ++k)
    for (std::size_t b = 0; b < planes_[answers_[k]].size(); ++b) {
      const Words& plane = planes_[answers_[k]][b];
      if (plane.empty()) continue;
      out[k] += static_cast<std::int64_t>(count_ones_of_and(rows, plane.data(), words_) << b);
      steps_ += words_ + kCall;
    }
}

DiagramValue DiagramFlow::worth(const Sums& sums) {
  DiagramValue out{*std::min_element(sums.begin(), sums.end()), 0};
  double all = 0, squares = 0;
  for (const std::int64_t s : sums) {
    const auto x = static_cast<double>(s);
    all += x;
    squares += x * x;
  }
  if (all > 0) out.impurity = all - squares / all;
  return out;
}

DiagramValue DiagramFlow::end(const std::uint64_t* rows) {
  sum(rows, sums_);
  return worth(sums_);
}

}  // namespace beadwork
