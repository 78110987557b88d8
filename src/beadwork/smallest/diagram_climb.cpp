#include <beadwork/smallest/diagram_climb.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace beadwork {

DiagramClimb::DiagramClimb(const Condensed& data, const std::vector<std::int64_t>& costs,
                           std::vector<std::size_t> allowed, std::uint64_t seed)
    : data_(data), by_loss_(data.num_classes), allowed_(std::move(allowed)), rng_(seed), flow_(data, costs) {
  std::vector<std::int64_t> lost(data.num_classes);
  for (std::size_t i = 0; i < costs.size(); ++i) lost[i % lost.size()] += costs[i];
  std::iota(by_loss_.begin(), by_loss_.end(), std::size_t{0});
  std::stable_sort(by_loss_.begin(), by_loss_.end(), [&](std::size_t a, std::size_t b) { return lost[a] < lost[b]; });
}

Best DiagramClimb::run(std::size_t tests, std::size_t features, std::size_t answers, std::uint64_t steps,
                       const Control& control) {
  tests_ = tests;
  features_ = features;
  control_ = &control;
  forbidden_.assign(data_.columns.size(), false);
  flow_.let_answer(
      {by_loss_.begin(), by_loss_.begin() + static_cast<std::ptrdiff_t>(std::min(by_loss_.size(), answers))});
  most_steps_ = flow_.steps() + steps;
  climb(best_);
  flow_.set(best_);
  return {flow_.value().errors, table_of(best_)};
}

bool DiagramClimb::over() {
  constexpr std::uint64_t kWords = 3;  // in a nanosecond
  const std::uint64_t passed = (flow_.steps() - counted_) / kWords;
  control_->count(passed);
  counted_ += passed * kWords;
  return flow_.steps() >= most_steps_ || control_->stopping();
}

void DiagramClimb::climb(Shape now) {
  constexpr std::size_t kPatience = 60;  // rounds without a better diagram before it starts again
  shrink(now);
  improve(now);
  Value value = flow_.value();
  best_ = now;
  least_ = value;
  for (std::size_t idle = 0; !over(); ++idle) {
    const bool anew = idle == kPatience;
    if (anew) idle = 0;
    Shape next = next_start(now, !anew);
    improve(next);
    std::fill(forbidden_.begin(), forbidden_.end(), false);
    const Value found = flow_.value();
    const auto worse = static_cast<std::int64_t>(rng_.below(2)) * (1 + value.errors / 50);
    if (!anew && found.errors > value.errors + worse) continue;
    now = std::move(next);
    value = found;
    if (value.errors < least_.errors) idle = 0;
    if (value.better_than(least_)) best_ = now, least_ = value;
  }
}

DiagramClimb::Shape DiagramClimb::without_some(Shape shape, std::size_t most) {
  for (std::uint64_t n = 1 + rng_.below(most); n > 0 && !shape.nodes.empty(); --n)
    shape = shape.without(rng_.below(shape.nodes.size()), rng_.below(2));
  return shape;
}

// Some tests less; or, after a while, more of them less, or anew, without some of the features.
DiagramClimb::Shape DiagramClimb::next_start(const Shape& now, bool patient) {
  by_purity_ = rng_.below(2) == 0;
  const std::size_t third = 1 + now.nodes.size() / 3;
  if (patient) return without_some(now, third);
  if (rng_.below(4) != 0) return without_some(best_, 2 * third);
  for (const std::size_t place : rng_.below(2) == 0 ? allowed_ : best_.places) forbidden_[place] = rng_.below(2) == 0;
  return {};
}

// Down to the tests and features allowed, at each time by the test that is missed least.
void DiagramClimb::shrink(Shape& shape) {
  while (shape.nodes.size() > tests_ || shape.places.size() > features_) {
    Shape best;
    Value least;
    for (std::size_t i = 0; i < shape.nodes.size(); ++i)
      for (std::size_t side = 0; side < 2; ++side) {
        Shape next = shape.without(i, side);
        flow_.set(next);
        if ((i > 0 || side > 0) && !flow_.value().better_than(least)) continue;
        best = std::move(next);
        least = flow_.value();
      }
    shape = std::move(best);
  }
}

// The flow is that of the shape afterwards.
void DiagramClimb::improve(Shape& shape) {
  flow_.set(shape);
  for (bool better = true; better && !over();) {
    better = false;
    while (shape.nodes.size() < tests_ && !over() && insert(shape)) better = true;
    better = change_features(shape) || better;
    better = redirect(shape) || better;
  }
}

bool DiagramClimb::tested(const Shape& shape, std::size_t place) const {
  return std::find(shape.places.begin(), shape.places.end(), place) != shape.places.end();
}

bool DiagramClimb::change_features(Shape& shape) {
  bool better = false;
  for (std::size_t l = 0; l < shape.places.size() && !over(); ++l) {
    Value least = flow_.value();
    std::size_t best = shape.places[l];
    for (const std::size_t place : allowed_) {
      if (forbidden_[place] || tested(shape, place)) continue;
      if (over()) break;
      const Value found = flow_.with_feature(l, place);
      if (found.better_than(least)) least = found, best = place;
    }
    if (best == shape.places[l]) continue;
    shape.places[l] = best;
    flow_.set(shape);
    better = true;
  }
  return better;
}

bool DiagramClimb::redirect(Shape& shape) {
  for (std::size_t i = 0; i < shape.nodes.size(); ++i)
    for (std::size_t side = 0; side < 2; ++side)
      for (std::size_t j = i + 1; j <= shape.nodes.size() && !over(); ++j) {
        const std::size_t to = j == shape.nodes.size() ? kEnd : j;
        if (to == shape.nodes[i].to[side]) continue;
        if (to != kEnd && shape.nodes[to].level <= shape.nodes[i].level) continue;
        if (!flow_.with_edge({i, side}, to).better_than(flow_.value())) continue;
        shape = shape.with({i, side}, to);
        flow_.set(shape);
        return true;
      }
  return false;
}

// The best of all edges and features.
bool DiagramClimb::insert(Shape& shape) {
  Shape::Test best;
  Value least = flow_.value();
  try_insert(shape, {}, best, least);
  for (std::size_t i = 0; i < shape.nodes.size(); ++i)
    for (std::size_t side = 0; side < 2; ++side) try_insert(shape, {i, side}, best, least);
  if (!least.better_than(flow_.value())) return false;
  shape = shape.with(best);
  flow_.set(shape);
  return true;
}

// A level of its own comes right below where the edge starts.
void DiagramClimb::try_insert(const Shape& shape, const Shape::Edge& edge, Shape::Test& best, Value& least) {
  const std::size_t to = shape.end_of(edge);
  const std::size_t first = edge.node == kEnd ? 0 : shape.nodes[edge.node].level + 1;
  const std::size_t last = to == kEnd ? shape.places.size() : shape.nodes[to].level;
  flow_.look_at(edge);
  for (std::size_t ends = to == kEnd ? 1 : 0; ends < 2; ++ends) {  // where both sides end, they are alike
    for (std::size_t l = first; l < last && !over(); ++l)
      try_test({edge, l, false, shape.places[l], ends}, best, least);
    if (shape.places.size() >= features_) continue;
    for (const std::size_t place : allowed_)
      if (!over() && !forbidden_[place] && !tested(shape, place))
        try_test({edge, first, true, place, ends}, best, least);
  }
}

void DiagramClimb::try_test(Shape::Test test, Shape::Test& best, Value& least) {
  const Value found = flow_.with_test(test.place, test.ends);
  const bool better =
      by_purity_ ? found.errors <= flow_.value().errors && found.purer_than(least) : found.better_than(least);
  if (better) best = test, least = found;
}

TruthTable DiagramClimb::table_of(const Shape& shape) {
  std::vector<Feature> order;
  for (const std::size_t p : shape.places) order.push_back(data_.features[p]);
  TruthTable table(order, data_.num_classes);
  std::vector<std::array<Class, 2>> ends(shape.nodes.size());
  for (std::size_t i = 0; i < shape.nodes.size(); ++i) ends[i] = {flow_.answer({i, 0}), flow_.answer({i, 1})};
  const Class always = flow_.answer({});
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell) {
    Class found = always;
    for (std::size_t i = shape.nodes.empty() ? kEnd : 0; i != kEnd;) {
      const std::size_t side = cell >> (order.size() - 1 - shape.nodes[i].level) & 1;
      found = ends[i][side];
      i = shape.nodes[i].to[side];
    }
    table.decide(cell, found);
  }
  return table;
}

}  // namespace beadwork
