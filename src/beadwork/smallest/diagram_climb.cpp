#include <beadwork/smallest/diagram_climb.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

namespace beadwork {

Best DiagramClimb::run(std::size_t tests, std::size_t features, std::size_t answers, std::uint64_t steps,
                       const Control& control) {
  constexpr std::size_t kPatience = 60;  // rounds without a better diagram before it starts again from the best
  tests_ = tests;
  features_ = features;
  control_ = &control;
  most_steps_ = steps_ + steps;
  std::vector<std::int64_t> lost(data_.num_classes);
  for (std::size_t i = 0; i < costs_.size(); ++i) lost[i % lost.size()] += costs_[i];
  answers_.resize(lost.size());
  std::iota(answers_.begin(), answers_.end(), std::size_t{0});
  std::stable_sort(answers_.begin(), answers_.end(), [&](std::size_t a, std::size_t b) { return lost[a] < lost[b]; });
  answers_.resize(std::min(answers_.size(), answers));

  forbidden_.assign(data_.columns.size(), false);
  Shape now = best_.nodes.size() <= tests && best_.places.size() <= features ? best_ : Shape{};
  Value value = value_of(now);
  improve(now, value);
  Shape best = now;
  Value least = value;
  for (std::size_t idle = 0; !over(); ++idle) {
    Shape next = now;
    for (std::uint64_t n = 1 + rng_.below(3); n > 0; --n) take_out(next);
    if (idle == kPatience) {
      next = {};
      for (const std::size_t place : rng_.below(2) == 0 ? allowed_ : best.places)
        forbidden_[place] = rng_.below(2) == 0;
      value = {INT64_MAX / 2, 0};
      idle = 0;
    }
    Value found = value_of(next);
    improve(next, found);
    std::fill(forbidden_.begin(), forbidden_.end(), false);
    if (found.errors > value.errors + static_cast<std::int64_t>(rng_.below(2)) * (1 + value.errors / 50)) continue;
    now = std::move(next);
    value = found;
    if (value.errors < least.errors) idle = 0;
    if (value < least) best = now, least = value;
  }
  best_ = best;
  return {least.errors, table_of(best)};
}

void DiagramClimb::improve(Shape& shape, Value& value) {
  for (bool better = true; better && !over();) {
    better = false;
    while (shape.nodes.size() < tests_ && !over() && insert(shape, value)) better = true;
    better = change_features(shape, value) || better;
    better = redirect(shape, value) || better;
  }
}

bool DiagramClimb::change_features(Shape& shape, Value& value) {
  bool better = false;
  for (std::size_t l = 0; l < shape.places.size() && !over(); ++l) {
    const Scanned s = scan(shape, l);
    if (s.value >= value) continue;
    shape.places[l] = s.place;
    value = s.value;
    better = true;
  }
  return better;
}

bool DiagramClimb::redirect(Shape& shape, Value& value) {
  for (std::size_t i = 0; i < shape.nodes.size(); ++i)
    for (std::size_t side = 0; side < 2; ++side)
      for (std::size_t j = i + 1; j <= shape.nodes.size() && !over(); ++j) {
        const std::size_t to = j == shape.nodes.size() ? kLeaf : j;
        if (to != kLeaf && shape.nodes[to].level <= shape.nodes[i].level) continue;
        Shape next = shape;
        next.nodes[i].to[side] = to;
        const Value found = value_of(next);
        if (found >= value) continue;
        value = found;
        shape = std::move(next);
        tidy(shape);
        return true;
      }
  return false;
}

// A test in an edge: one way goes on as before, the other ends.
DiagramClimb::Shape DiagramClimb::with_test(const Shape& shape, std::size_t node, std::size_t side, std::size_t level,
                                            bool new_level, bool low) const {
  Shape out = shape;
  if (new_level) {
    out.places.insert(out.places.begin() + static_cast<std::ptrdiff_t>(level), SIZE_MAX);
    for (Node& n : out.nodes) n.level += n.level >= level ? 1 : 0;
  }
  const auto at = static_cast<std::size_t>(
      std::find_if(out.nodes.begin(), out.nodes.end(), [&](const Node& n) { return n.level >= level; }) -
      out.nodes.begin());
  for (Node& n : out.nodes)
    for (std::size_t& to : n.to) to += to != kLeaf && to >= at ? 1 : 0;
  Node made{level, {kLeaf, kLeaf}};
  const bool top = node == kLeaf;
  std::size_t before = kLeaf;
  if (top) before = out.nodes.empty() ? kLeaf : 1;
  if (!top) before = out.nodes[node].to[side];
  made.to[low ? 0 : 1] = before;
  if (!top) out.nodes[node].to[side] = at;
  out.nodes.insert(out.nodes.begin() + static_cast<std::ptrdiff_t>(at), made);
  return out;
}

// The best of all edges and features.
bool DiagramClimb::insert(Shape& shape, Value& value) {
  Shape best;
  Value least = value;
  const auto look = [&](std::size_t node, std::size_t side, std::size_t level, bool new_level) {
    for (const bool low : {false, true}) {
      if (over()) return;
      Shape next = with_test(shape, node, side, level, new_level, low);
      const Scanned s = new_level ? scan(next, level) : Scanned{next.places[level], value_of(next)};
      if (s.value < least) {
        next.places[level] = s.place;
        least = s.value;
        best = std::move(next);
      }
      if (node != kLeaf && shape.nodes[node].to[side] == kLeaf) return;  // both ways end
    }
  };
  const bool more = shape.places.size() < features_;
  if (more) look(kLeaf, 0, 0, true);
  for (std::size_t i = 0; i < shape.nodes.size(); ++i)
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t to = shape.nodes[i].to[side];
      const std::size_t end = to == kLeaf ? shape.places.size() : shape.nodes[to].level;
      if (more) look(i, side, shape.nodes[i].level + 1, true);
      for (std::size_t l = shape.nodes[i].level + 1; l < end; ++l) look(i, side, l, false);
    }
  if (least >= value) return false;
  shape = std::move(best);
  value = least;
  tidy(shape);
  return true;
}

void DiagramClimb::take_out(Shape& shape) {
  if (shape.nodes.empty()) return;
  const std::size_t i = rng_.below(shape.nodes.size());
  const std::size_t to = shape.nodes[i].to[rng_.below(2)];
  for (Node& n : shape.nodes)
    for (std::size_t& t : n.to)
      if (t == i) t = to;
  if (i == 0 && to == kLeaf) shape = {};
  if (i == 0 && to != kLeaf) {
    shape.nodes[0] = shape.nodes[to];
    for (Node& n : shape.nodes)
      for (std::size_t& t : n.to)
        if (t == to) t = 0;
  }
  tidy(shape);
}

// Without nodes that nothing reaches and levels that have none; the nodes by level.
void DiagramClimb::tidy(Shape& shape) {
  if (shape.nodes.empty()) return void(shape.places.clear());
  std::vector<bool> reached(shape.nodes.size());
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    if (reached[i]) continue;
    reached[i] = true;
    for (const std::size_t to : shape.nodes[i].to)
      if (to != kLeaf) open.push_back(to);
  }
  std::vector<std::size_t> order, number(shape.nodes.size(), kLeaf), level(shape.places.size());
  for (std::size_t i = 0; i < shape.nodes.size(); ++i)
    if (reached[i]) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shape.nodes[a].level < shape.nodes[b].level; });
  Shape out;
  for (std::size_t k = 0; k < order.size(); ++k) {
    number[order[k]] = k;
    const std::size_t l = shape.nodes[order[k]].level;
    if (k == 0 || l != shape.nodes[order[k - 1]].level) out.places.push_back(shape.places[l]);
    level[l] = out.places.size() - 1;
  }
  for (const std::size_t i : order) {
    Node n = shape.nodes[i];
    n.level = level[n.level];
    for (std::size_t& to : n.to) to = to == kLeaf ? kLeaf : number[to];
    out.nodes.push_back(n);
  }
  shape = std::move(out);
}

DiagramClimb::Value DiagramClimb::value_of(const Shape& shape) {
  Rows rows(std::max<std::size_t>(1, shape.nodes.size()), BitColumn(words_for(data_.num_rows)));
  for (std::size_t r = 0; r < data_.num_rows; ++r) set_bit(rows[0], r);
  return shape.nodes.empty() ? end(rows[0]) : pass(shape, rows, 0, shape.nodes.size());
}

DiagramClimb::Scanned DiagramClimb::scan(const Shape& shape, std::size_t level) {
  Shape next = shape;
  Rows rows(shape.nodes.size(), BitColumn(words_for(data_.num_rows)));
  for (std::size_t r = 0; r < data_.num_rows; ++r) set_bit(rows[0], r);
  std::size_t first = 0;
  while (first < shape.nodes.size() && shape.nodes[first].level < level) ++first;
  const Value before = pass(shape, rows, 0, first);
  Scanned best{shape.places[level], {INT64_MAX, 0}};
  for (const std::size_t place : allowed_) {
    if (place != shape.places[level] &&
        std::find(shape.places.begin(), shape.places.end(), place) != shape.places.end())
      continue;
    if (over()) break;
    next.places[level] = place;
    Rows copy = rows;
    Value value = before;
    value += pass(next, copy, first, shape.nodes.size());
    if (value < best.value) best = {place, value};
  }
  return best;
}

// Sends the rows of some nodes on; what those that end there cost.
DiagramClimb::Value DiagramClimb::pass(const Shape& shape, Rows& rows, std::size_t from, std::size_t to) {
  Value cost;
  halves_.resize(words_for(data_.num_rows));
  for (std::size_t i = from; i < to; ++i) {
    const BitColumn& column = data_.columns[shape.places[shape.nodes[i].level]];
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t w = 0; w < halves_.size(); ++w) halves_[w] = rows[i][w] & (side == 1 ? column[w] : ~column[w]);
      const std::size_t next = shape.nodes[i].to[side];
      if (next == kLeaf) cost += end(halves_);
      if (next != kLeaf)
        for (std::size_t w = 0; w < halves_.size(); ++w) rows[next][w] |= halves_[w];
    }
  }
  steps_ += 4 * halves_.size() * (to - from);
  return cost;
}

// Rows that end here get the cheapest answer; impurity is Gini's, of costs.
DiagramClimb::Value DiagramClimb::end(const BitColumn& rows) {
  sums_.assign(answers_.size(), 0);
  for (std::size_t w = 0; w < rows.size(); ++w)
    for (std::uint64_t bits = rows[w]; bits != 0; bits &= bits - 1) {
      const std::size_t first = (64 * w + static_cast<std::size_t>(std::countr_zero(bits))) * data_.num_classes;
      for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += costs_[first + answers_[k]];
      ++steps_;
    }
  Value out{*std::min_element(sums_.begin(), sums_.end()), 0};
  double all = 0, squares = 0;
  for (const std::int64_t s : sums_) {
    const auto x = static_cast<double>(s);
    all += x;
    squares += x * x;
  }
  if (all > 0) out.impurity = all - squares / all;
  return out;
}

Class DiagramClimb::answer(const BitColumn& rows) const {
  std::vector<std::int64_t> sums(data_.num_classes);
  for (std::size_t r = 0; r < data_.num_rows; ++r)
    for (std::size_t k = 0; k < sums.size() && bit(rows, r); ++k) sums[k] += costs_[r * sums.size() + k];
  return Class{*std::min_element(answers_.begin(), answers_.end(),
                                 [&](std::size_t a, std::size_t b) { return sums[a] < sums[b]; })};
}

TruthTable DiagramClimb::table_of(const Shape& shape) {
  std::vector<Feature> order;
  for (const std::size_t p : shape.places) order.push_back(data_.features[p]);
  TruthTable table(order, data_.num_classes);
  Rows rows(std::max<std::size_t>(1, shape.nodes.size()), BitColumn(words_for(data_.num_rows)));
  for (std::size_t r = 0; r < data_.num_rows; ++r) set_bit(rows[0], r);
  std::vector<std::array<Class, 2>> ends(shape.nodes.size());
  for (std::size_t i = 0; i < shape.nodes.size(); ++i) {
    const BitColumn& column = data_.columns[shape.places[shape.nodes[i].level]];
    for (std::size_t side = 0; side < 2; ++side) {
      BitColumn half = rows[i];
      for (std::size_t w = 0; w < half.size(); ++w) half[w] &= side == 1 ? column[w] : ~column[w];
      const std::size_t next = shape.nodes[i].to[side];
      if (next == kLeaf) ends[i][side] = answer(half);
      for (std::size_t w = 0; w < half.size() && next != kLeaf; ++w) rows[next][w] |= half[w];
    }
  }
  const Class always = answer(rows[0]);
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell) {
    Class found = always;
    for (std::size_t i = shape.nodes.empty() ? kLeaf : 0; i != kLeaf;) {
      const std::size_t side = cell >> (order.size() - 1 - shape.nodes[i].level) & 1;
      found = ends[i][side];
      i = shape.nodes[i].to[side];
    }
    table.decide(cell, found);
  }
  return table;
}

}  // namespace beadwork
