#include <beadwork/ordered/judged.hpp>

// One cut is left to choose: it moves along each column, and the judge looks at the cells only where the rows that have
// moved since may bring something of interest (docs/ordered.md, judged sets).

namespace beadwork::ordered {

bool JudgedTree::leaf(const Node& node, const Rows& cell, const std::vector<std::int64_t>& totals, Look look,
                      Ranges& ranges) {
  Ranges alive;
  for (const Range& range : ranges) {
    const Sweep s = sweep_of(node, cell, totals, range);
    if (polling(s.end - s.begin + std::min(s.begin, node.num_rows - s.begin))) return true;
    if (look == Look::take) {
      take_all(s);
      continue;
    }
    const auto first = first_alive(s, true);
    if (!first) continue;
    if (look == Look::any) return true;
    const auto last = first_alive(s, false);
    alive.push_back({range.column, cuts_at(s, *first).lo, cuts_at(s, last.value_or(s.end)).hi});
  }
  ranges = std::move(alive);
  return !ranges.empty() || stopped_;
}

JudgedTree::Sweep JudgedTree::sweep_of(const Node& node, const Rows& cell, const std::vector<std::int64_t>& totals,
                                       const Range& range) const {
  const auto rows = node.rows[range.column];
  const auto& ranks = problem_.columns[range.column].ranks;
  const auto upto = [&](std::uint32_t cut) {
    const auto at = std::partition_point(rows.begin(), rows.end(), [&](std::uint32_t r) { return ranks[r] <= cut; });
    return static_cast<std::uint32_t>(at - rows.begin());
  };
  return {node, cell, totals, range, upto(range.lo), upto(range.hi)};
}

// The cells with the rows before the place on the left.
void JudgedTree::start(const Sweep& s, std::uint32_t place) {
  const bool near_left = place <= s.node.num_rows / 2;
  std::fill(costs_.begin(), costs_.end(), 0);
  for (std::size_t c = 0; c * channels_ < s.totals.size(); ++c)
    std::copy_n(s.totals.begin() + static_cast<std::ptrdiff_t>(c * channels_), channels_,
                costs_.begin() + static_cast<std::ptrdiff_t>((2 * c + (near_left ? 1 : 0)) * channels_));
  if (near_left)
    for (std::uint32_t i = 0; i < place; ++i) step(s, i, true);
  else
    for (std::uint32_t i = s.node.num_rows; i-- > place;) step(s, i, false);
}

// Moves a row to the left, or back. Returns what it may cost.
std::int64_t JudgedTree::step(const Sweep& s, std::uint32_t at, bool to_left) {
  const std::uint32_t row = s.node.rows[s.range.column][at];
  if (s.cell[row] == kDropped) return 0;
  std::int64_t* const left = costs_.data() + std::size_t{2} * s.cell[row] * channels_;
  std::int64_t* const right = left + channels_;
  const std::int64_t* const costs = problem_.costs.data() + row * channels_;
  for (std::size_t k = 0; k < channels_; ++k) {
    const std::int64_t c = to_left ? costs[k] : -costs[k];
    left[k] += c;
    right[k] -= c;
  }
  return most_[row];
}

bool JudgedTree::is_cut(const Sweep& s, std::uint32_t place) const {
  if (place == s.begin || place == s.end) return true;
  const auto& ranks = problem_.columns[s.range.column].ranks;
  const auto rows = s.node.rows[s.range.column];
  return ranks[rows[place - 1]] != ranks[rows[place]];
}

Range JudgedTree::cuts_at(const Sweep& s, std::uint32_t place) const {
  const auto& ranks = problem_.columns[s.range.column].ranks;
  const auto rows = s.node.rows[s.range.column];
  const Range& r = s.range;
  return {r.column, place == 0 ? r.lo : std::max(r.lo, ranks[rows[place - 1]]),
          place == s.node.num_rows ? r.hi : std::min(r.hi, ranks[rows[place]] - 1)};
}

// From the left, or from the right.
std::optional<std::uint32_t> JudgedTree::first_alive(const Sweep& s, bool forward) {
  std::uint32_t place = forward ? s.begin : s.end;
  start(s, place);
  for (std::int64_t gap = 0;;) {
    if (gap <= 0 && is_cut(s, place)) {
      gap = distance();
      if (gap <= 0) return place;
    }
    if (place == (forward ? s.end : s.begin)) return {};
    gap -= forward ? step(s, place, true) : step(s, place - 1, false);
    place = forward ? place + 1 : place - 1;
  }
}

void JudgedTree::take_all(const Sweep& s) {
  start(s, s.begin);
  std::int64_t gap = 0;
  for (std::uint32_t place = s.begin; !stopped_; ++place) {
    if (gap <= 0 && is_cut(s, place)) {
      gap = distance();
      if (gap <= 0) {
        take(cuts_at(s, place));
        gap = std::max<std::int64_t>(1, distance());
      }
    }
    if (place == s.end) return;
    gap -= step(s, place, true);
  }
}

// The chosen cuts with one of these, if any of them is new.
void JudgedTree::take(const Range& last) {
  std::uint32_t rank = last.lo;
  while (rank <= last.hi && std::find(chosen_.begin(), chosen_.end(), Cut{last.column, rank}) != chosen_.end()) ++rank;
  if (rank > last.hi) return;
  struct Placed {
    Cut cut;
    std::size_t bit;  // of the cells here
  };
  std::vector<Placed> set;
  const auto place = [&](const Cut& c, std::size_t bit) {
    set.push_back({{problem_.columns[c.column].column, problem_.columns[c.column].cuts[c.rank]}, bit});
  };
  for (std::size_t i = 0; i < chosen_.size(); ++i) place(chosen_[i], size_ - 1 - i);
  place({last.column, rank}, 0);
  std::sort(set.begin(), set.end(), [](const Placed& a, const Placed& b) { return a.cut < b.cut; });
  std::vector<Cut> cuts;
  for (const Placed& p : set) cuts.push_back(p.cut);
  std::vector<std::int64_t> costs(costs_.size());
  for (std::size_t cell = 0; cell < std::size_t{1} << size_; ++cell) {
    std::size_t from = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const bool value = (cell >> (size_ - 1 - i) & 1) != 0;
      if (value == fails(data_, cuts[i])) from |= std::size_t{1} << set[i].bit;
    }
    std::copy_n(costs_.begin() + static_cast<std::ptrdiff_t>(from * channels_), channels_,
                costs.begin() + static_cast<std::ptrdiff_t>(cell * channels_));
  }
  judge_.take(cuts, costs);
}

std::int64_t JudgedTree::distance() {
  constexpr std::uint64_t kSteps = 1 << 14;
  polling(kSteps);
  return judge_.distance(costs_);
}

bool JudgedTree::polling(std::uint64_t steps) {
  constexpr std::uint64_t kPoll = 1 << 20, kJudgedStep = 2;
  steps_ += steps;
  if (steps_ < kPoll || stopped_) return stopped_;
  control_.count(kJudgedStep * steps_);
  steps_ = 0;
  stopped_ = control_.stopping();
  if (stopped_ || clock_.seconds() < next_report_) return stopped_;
  next_report_ = clock_.seconds() + 0.1;
  stopped_ = !control_.report({"sizes", share_, 0, {}, clock_.seconds()}) || control_.no_room_for(0);
  return stopped_;
}

}  // namespace beadwork::ordered
