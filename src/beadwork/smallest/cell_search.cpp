#include <beadwork/smallest/cell_search.hpp>

#include <algorithm>
#include <limits>

namespace beadwork {

CellSearch::CellSearch(std::size_t features, std::size_t num_classes, std::span<const std::int64_t> costs)
    : features_(features), classes_(num_classes), costs_(costs.begin(), costs.end()) {
  require(costs_.size() == num_classes << features, "CellSearch: costs for every cell and class");
  const std::size_t cells = std::size_t{1} << features;
  for (std::size_t x = 0; x < features; ++x) {
    passing_.emplace_back((cells + 63) / 64);
    for (std::size_t cell = 0; cell < cells; ++cell)
      passing_.back()[cell / 64] |= std::uint64_t{cell >> (features - 1 - x) & 1} << (cell % 64);
  }
}

bool CellSearch::run(const Limit& limit, const Take& take, const Control& control, bool all_features,
                     std::uint64_t most_steps) {
  all_features_ = all_features;
  most_steps_ = most_steps;
  limit_ = &limit;
  constexpr std::size_t kMostKept = 128;
  limits_.resize(std::min((std::size_t{2} << features_) + classes_ + 1, kMostKept));
  ask_limits();
  take_ = &take;
  control_ = &control;
  steps_ = 0;
  stopped_ = false;
  order_.clear();
  closed_.clear();
  State root;
  for (std::size_t x = 0; x < features_; ++x) root.left.push_back(x);
  root.sinks.assign(classes_, 0);
  Group all;
  all.costs = costs_;
  all.cells.assign(((std::size_t{1} << features_) + 63) / 64, ~std::uint64_t{0});
  all.least = least(all.costs);
  root.errors = all.least;
  // The whole table is placed as a half is: into a sink, or kept for a test.
  place(root, {&all}, 0, std::numeric_limits<std::size_t>::max());
  return !stopped_;
}

std::int64_t CellSearch::least(const std::vector<std::int64_t>& costs) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < costs.size(); i += classes_)
    sum += *std::min_element(costs.begin() + static_cast<std::ptrdiff_t>(i),
                             costs.begin() + static_cast<std::ptrdiff_t>(i + classes_));
  return sum;
}

std::int64_t CellSearch::least_together(const Group& a, const Group& b) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.costs.size(); i += classes_) {
    std::int64_t cell = a.costs[i] + b.costs[i];
    for (std::size_t k = 1; k < classes_; ++k) cell = std::min(cell, a.costs[i + k] + b.costs[i + k]);
    sum += cell;
  }
  return sum;
}

void CellSearch::ask_limits() {
  for (std::size_t size = 0; size < limits_.size(); ++size) limits_[size] = (*limit_)(size);
}

// At least.
std::size_t CellSearch::tests_to_come(const State& s) const {
  return all_features_ ? std::max(s.groups.size(), s.left.size()) : s.groups.size();
}

bool CellSearch::hopeless(const State& s) const {
  const std::size_t sinks = std::max<std::size_t>(s.num_sinks, s.groups.empty() ? 1 : 2);
  return s.errors > limit_of(s.nodes + tests_to_come(s) + sinks);
}

// The low half, the high half and, both added up, the group without feature `at` of those left.
void CellSearch::split(const Group& g, const std::vector<std::size_t>& left, std::size_t at,
                       std::array<Group, 3>& out) const {
  const std::size_t stride = (std::size_t{1} << (left.size() - 1 - at)) * classes_;
  for (Group& part : out) {
    part.costs.resize(g.costs.size() / 2);
    part.cells.resize(g.cells.size());
  }
  std::size_t to = 0;
  for (std::size_t first = 0; first < g.costs.size(); first += 2 * stride)
    for (std::size_t i = first; i < first + stride; ++i, ++to) {
      out[0].costs[to] = g.costs[i];
      out[1].costs[to] = g.costs[i + stride];
      out[2].costs[to] = g.costs[i] + g.costs[i + stride];
    }
  const std::vector<std::uint64_t>& passing = passing_[left[at]];
  for (std::size_t w = 0; w < g.cells.size(); ++w) {
    out[0].cells[w] = g.cells[w] & ~passing[w];
    out[1].cells[w] = g.cells[w] & passing[w];
    out[2].cells[w] = g.cells[w];
  }
  for (Group& part : out) part.least = least(part.costs);
  out[2].fresh = false;
}

void CellSearch::extend(const State& s) {
  if (++steps_ > most_steps_) stopped_ = true;
  if (steps_ % kCellsBetweenPolls == 0) {
    control_->count(kCellsBetweenPolls * kStepOnCells);
    if (control_->stopping()) stopped_ = true;
  }
  while (steps_at_.size() <= order_.size()) steps_at_.push_back(std::make_unique<Step>());
  Step& step = *steps_at_[order_.size()];
  if (step.parts.size() < s.groups.size()) step.parts.resize(s.groups.size());
  for (std::size_t at = 0; at < s.left.size() && !stopped_; ++at) {
    step.from = &s;
    step.at = at;
    step.tested.assign(s.groups.size(), s.left.size() == 1);
    step.swapped = !order_.empty() && s.left[at] < order_.back();
    for (std::size_t g = 0; g < s.groups.size(); ++g) split(*s.groups[g], s.left, at, step.parts[g]);
    if (s.left.size() == 1)  // who skips the last feature has no test
      take_step(step, s.errors);
    else
      choose_tested(step, s.groups.size(), s.errors);
  }
}

// Which of the first groups are tested; the others are decided. `errors` counts those that are not.
void CellSearch::choose_tested(Step& step, std::size_t undecided, std::int64_t errors) {
  const State& s = *step.from;
  if (stopped_ || errors > limit_of(s.nodes + tests_to_come(s) + std::max<std::size_t>(s.num_sinks, 2))) return;
  if (undecided == 0) return take_step(step, errors);
  const std::size_t g = undecided - 1;
  step.tested[g] = false;
  choose_tested(step, g, errors + step.parts[g][2].least - s.groups[g]->least);
  step.tested[g] = true;
  choose_tested(step, g, errors);
}

void CellSearch::take_step(Step& step, std::int64_t errors) {
  const State& s = *step.from;
  bool any = false, fresh = false;
  for (std::size_t g = 0; g < step.tested.size(); ++g) {
    any = any || step.tested[g];
    fresh = fresh || (step.tested[g] && s.groups[g]->fresh);
  }
  if (!any || (step.swapped && !fresh)) return;
  if (errors > limit_of(s.nodes + tests_to_come(s) + std::max<std::size_t>(s.num_sinks, 2))) return;
  State& next = step.next;
  next.left = s.left;
  next.left.erase(next.left.begin() + static_cast<std::ptrdiff_t>(step.at));
  next.groups.clear();
  next.sinks = s.sinks;
  next.num_sinks = s.num_sinks;
  next.errors = errors;
  next.nodes = s.nodes;
  step.halves.clear();
  for (std::size_t g = 0; g < step.tested.size(); ++g) {
    if (!step.tested[g]) {
      next.groups.push_back(&step.parts[g][2]);
      continue;
    }
    ++next.nodes;
    step.halves.push_back(&step.parts[g][0]);
    step.halves.push_back(&step.parts[g][1]);
  }
  order_.push_back(s.left[step.at]);
  place(next, step.halves, 0, std::numeric_limits<std::size_t>::max());
  order_.pop_back();
}

// Places are numbered: the sinks, then the groups. `sibling` is where the other half of the same test went, if this is
// the second.
void CellSearch::place(State& s, const Halves& halves, std::size_t next, std::size_t sibling) {
  if (stopped_ || hopeless(s)) return;
  if (next == halves.size()) {
    if (s.groups.empty())
      finish(s);
    else
      extend(s);
    return;
  }
  for (std::size_t k = 0; k < classes_ && !stopped_; ++k)
    if (sibling != k) close(s, halves, next, k);
  if (s.left.empty()) return;
  for (std::size_t g = 0; g < s.groups.size() && !stopped_; ++g)
    if (sibling != classes_ + g) join(s, halves, next, g);
  if (!stopped_) keep(s, halves, next);
}

namespace {
// Halves come in pairs: the place of the first matters to the second.
std::size_t told(std::size_t next, std::size_t place) {
  return next % 2 == 0 ? place : std::numeric_limits<std::size_t>::max();
}
}  // namespace

void CellSearch::close(State& s, const Halves& halves, std::size_t next, std::size_t k) {
  const Group& half = *halves[next];
  std::int64_t cost = -half.least;
  for (std::size_t i = k; i < half.costs.size(); i += classes_) cost += half.costs[i];
  s.errors += cost;
  if (s.sinks[k]++ == 0) ++s.num_sinks;
  closed_.emplace_back(&half, k);
  place(s, halves, next + 1, told(next, k));
  closed_.pop_back();
  if (--s.sinks[k] == 0) --s.num_sinks;
  s.errors -= cost;
}

void CellSearch::join(State& s, const Halves& halves, std::size_t next, std::size_t into) {
  const Group& half = *halves[next];
  const Group& there = *s.groups[into];
  const std::int64_t sum = least_together(there, half);
  const std::int64_t cost = sum - there.least - half.least;
  s.errors += cost;
  if (!hopeless(s)) {
    if (num_joined_ == joined_.size()) joined_.push_back(std::make_unique<Group>());
    Group& group = *joined_[num_joined_++];
    group.costs = there.costs;
    group.cells = there.cells;
    group.least = sum;
    for (std::size_t i = 0; i < half.costs.size(); ++i) group.costs[i] += half.costs[i];
    for (std::size_t w = 0; w < half.cells.size(); ++w) group.cells[w] |= half.cells[w];
    s.groups[into] = &group;
    place(s, halves, next + 1, told(next, classes_ + into));
    s.groups[into] = &there;
    --num_joined_;
  }
  s.errors -= cost;
}

void CellSearch::keep(State& s, const Halves& halves, std::size_t next) {
  s.groups.push_back(halves[next]);
  place(s, halves, next + 1, told(next, classes_ + s.groups.size() - 1));
  s.groups.pop_back();
}

void CellSearch::finish(const State& s) {
  SizedTable found;
  found.size = s.nodes + s.num_sinks;
  found.errors = s.errors;
  found.order = order_;
  for (const std::size_t x : s.left) found.order.push_back(x);
  found.labels.assign(std::size_t{1} << features_, Class{0});
  for (const auto& [group, k] : closed_)
    for (std::size_t cell = 0; cell < found.labels.size(); ++cell)
      if ((group->cells[cell / 64] >> (cell % 64) & 1) != 0) found.labels[cell] = Class{k};
  (*take_)(found);
  ask_limits();
}

}  // namespace beadwork
