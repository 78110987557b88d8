#include <beadwork/ordered/judged.hpp>

namespace beadwork::ordered {

JudgedTree::JudgedTree(const RankedData& data, const Problem& problem, std::size_t size, CellJudge& judge,
                       const Control& control)
    : data_(data),
      problem_(problem),
      size_(size),
      channels_(problem.num_channels),
      judge_(judge),
      control_(control),
      nodes_(size),
      boxes_(size) {
  for (std::size_t r = 0; r < problem.num_rows; ++r) {
    const auto costs = std::span(problem.costs).subspan(r * channels_, channels_);
    most_.push_back(*std::max_element(costs.begin(), costs.end()));
  }
  for (Node& n : nodes_) {
    n.rows.resize(problem.columns.size());
    n.sorted.resize(problem.columns.size());
  }
  Node& root = nodes_.front();
  root.num_rows = static_cast<std::uint32_t>(problem.num_rows);
  root.cell.assign(problem.num_rows, 0);
  root.totals.assign(channels_, 0);
  for (std::uint32_t r = 0; r < root.num_rows; ++r) add(root.totals, 0, r, 1);
  for (std::uint32_t c = 0; c < problem.columns.size(); ++c) root.rows[c] = problem.columns[c].order;
  costs_.resize(channels_ << size);
}

void JudgedTree::add(std::vector<std::int64_t>& totals, std::size_t cell, std::uint32_t row, std::int64_t sign) const {
  for (std::size_t k = 0; k < channels_; ++k)
    totals[cell * channels_ + k] += sign * problem_.costs[row * channels_ + k];
}

bool JudgedTree::visit() {
  Ranges all = all_ranges();
  if (size_ == 1)
    leaf(nodes_.front(), nodes_.front().cell, nodes_.front().totals, Look::take, all);
  else
    solve(0, 0, all);
  return !stopped_ && !control_.stopping();
}

bool JudgedTree::extend(const std::vector<Cut>& cuts) {
  chosen_ = cuts;
  const Node& root = nodes_.front();
  Rows cell = root.cell;
  for (const Cut& c : cuts)
    part_cells(cell, [&](std::size_t r) { return problem_.columns[c.column].ranks[r] > c.rank; });
  std::vector<std::int64_t> totals(channels_ << cuts.size());
  for (std::uint32_t r = 0; r < root.num_rows; ++r) add(totals, cell[r], r, 1);
  Ranges all = all_ranges();
  leaf(root, cell, totals, Look::take, all);
  return !stopped_ && !control_.stopping();
}

// Columns with good single cuts first.
JudgedTree::Ranges JudgedTree::all_ranges() const {
  const Node& root = nodes_.front();
  std::vector<std::pair<std::int64_t, Range>> by_error;
  for (std::uint32_t c = 0; c < problem_.columns.size(); ++c) {
    std::vector<std::int64_t> left(channels_), right = root.totals;
    std::int64_t best = problem_.total;
    for (std::uint32_t i = 0; i + 1 < root.num_rows && size_ > 1; ++i) {
      const std::uint32_t row = root.rows[c][i];
      add(left, 0, row, 1);
      add(right, 0, row, -1);
      if (problem_.columns[c].ranks[row] == problem_.columns[c].ranks[root.rows[c][i + 1]]) continue;
      best =
          std::min(best, *std::min_element(left.begin(), left.end()) + *std::min_element(right.begin(), right.end()));
    }
    by_error.push_back({best, {c, 0, static_cast<std::uint32_t>(problem_.columns[c].cuts.size()) - 1}});
  }
  std::stable_sort(by_error.begin(), by_error.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Ranges out;
  for (const auto& [_, range] : by_error) out.push_back(range);
  return out;
}

// Is anything in this node wanted? With grain > 0 the node is relaxed, boxes that drop no more than the grain count as
// alive, and `ranges` becomes what is left alive. Without, sets are taken and the answer is moot.
bool JudgedTree::solve(std::size_t d, std::int64_t grain, Ranges& ranges) {
  bool any = false;
  for (std::size_t x = 0; x < ranges.size() && !stopped_; ++x) {
    if (d == 0) share_ = static_cast<double>(x) / static_cast<double>(ranges.size());
    begin(d, ranges[x]);
    const Ranges in(ranges.begin() + static_cast<std::ptrdiff_t>(x), ranges.end());
    const bool alive = box(d, 0, static_cast<std::uint32_t>(boxes_[d].groups.size()) - 1, grain, in);
    any = any || alive;
    if (!alive || grain == 0) continue;
    ranges.erase(ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(x));
    return true;
  }
  return any || stopped_;
}

void JudgedTree::find_groups(const Node& node, const Range& range, std::vector<Group>& out) const {
  const auto& ranks = problem_.columns[range.column].ranks;
  const auto rows = node.rows[range.column];
  out.clear();
  for (std::uint32_t lo = range.lo, place = 0; lo <= range.hi;) {
    while (place < node.num_rows && ranks[rows[place]] <= lo) ++place;
    const std::uint32_t hi = place < node.num_rows ? std::min(range.hi, ranks[rows[place]] - 1) : range.hi;
    out.push_back({place, lo, hi});
    lo = hi + 1;
  }
}

// All rows dropped.
void JudgedTree::begin(std::size_t d, const Range& range) {
  const Node& node = nodes_[d];
  Box& b = boxes_[d];
  find_groups(node, range, b.groups);
  b.range = range;
  b.left = 0;
  b.right = node.num_rows;
  b.dropped = 0;
  b.cell.assign(problem_.num_rows, kDropped);
  b.totals.assign(2 * node.totals.size(), 0);
  for (const std::uint32_t row : node.rows[range.column]) b.dropped += most_[row];
  polling(std::uint64_t{2} * node.num_rows);
}

bool JudgedTree::box(std::size_t d, std::uint32_t i, std::uint32_t j, std::int64_t grain, const Ranges& in) {
  Ranges out = in;
  if (!test(d, i, j, grain, out)) return false;
  if (i == j || stopped_ || (grain > 0 && boxes_[d].dropped <= grain)) return true;
  const std::uint32_t m = middle(boxes_[d].groups, i, j);
  const bool left = box(d, i, m, grain, out);
  if (left && grain > 0) return true;
  return box(d, m + 1, j, grain, out) || left;
}

// Halves by rows, so that j is on the right.
std::uint32_t JudgedTree::middle(const std::vector<Group>& groups, std::uint32_t i, std::uint32_t j) {
  const std::uint32_t half = groups[i].place + (groups[j].place - groups[i].place) / 2;
  const auto at =
      std::partition_point(groups.begin() + i + 1, groups.begin() + j, [&](const Group& g) { return g.place <= half; });
  return static_cast<std::uint32_t>(at - groups.begin()) - 1;
}

// Groups i..j of a box; `ranges` is what the others may be chosen from, and becomes what of it is alive.
bool JudgedTree::test(std::size_t d, std::uint32_t i, std::uint32_t j, std::int64_t grain, Ranges& ranges) {
  if (polling(1)) return true;
  Box& b = boxes_[d];
  move(d, b.groups[i].place, b.groups[j].place);
  for (Range& r : ranges)
    if (r.column == b.range.column) r.lo = std::max(r.lo, b.groups[i].lo + 1);
  std::erase_if(ranges, [](const Range& r) { return r.lo > r.hi; });
  const bool exact = i == j && grain == 0;
  if (!exact && alive_as_it_is(b, d)) return true;
  if (exact) chosen_.push_back({b.range.column, b.groups[i].lo});
  bool alive = false;
  if (d + 2 == size_) {
    const bool coarse = grain > 0 && (i == j || b.dropped <= grain);
    alive = leaf(nodes_[d], b.cell, b.totals, exact ? Look::take : coarse ? Look::any : Look::hull, ranges);
  } else {
    make_child(d, ranges);
    alive = solve(d + 1, i == j || grain > 0 ? grain : std::max<std::int64_t>(1, b.dropped), ranges);
  }
  if (exact) chosen_.pop_back();
  return alive;
}

void JudgedTree::move(std::size_t d, std::uint32_t left, std::uint32_t right) {
  Box& b = boxes_[d];
  const std::uint32_t from = std::min(b.left, left), mid = std::max(b.left, left);
  const std::uint32_t after = std::max(mid, std::min(b.right, right)), end = std::max(b.right, right);
  change(nodes_[d], b, from, mid, left, right);
  if (after < end) change(nodes_[d], b, after, end, left, right);
  b.left = left;
  b.right = right;
}

void JudgedTree::change(const Node& node, Box& b, std::uint32_t from, std::uint32_t to, std::uint32_t left,
                        std::uint32_t right) {
  for (std::uint32_t i = from; i < to; ++i) {
    const std::uint32_t row = node.rows[b.range.column][i];
    const std::uint32_t before = b.cell[row], twice = 2 * node.cell[row];
    const std::uint32_t after = i < left ? twice : i >= right ? twice + 1 : kDropped;
    if (before == after) continue;
    if (before != kDropped) add(b.totals, before, row, -1);
    if (after != kDropped) add(b.totals, after, row, 1);
    b.dropped += (after == kDropped ? most_[row] : 0) - (before == kDropped ? most_[row] : 0);
    b.cell[row] = after;
  }
  steps_ += to - from;
}

// Without the cuts to come.
bool JudgedTree::alive_as_it_is(const Box& b, std::size_t d) {
  std::fill(costs_.begin(), costs_.end(), 0);
  const std::size_t stride = channels_ << (size_ - d - 1);
  for (std::size_t c = 0; c * channels_ < b.totals.size(); ++c)
    std::copy_n(b.totals.begin() + static_cast<std::ptrdiff_t>(c * channels_), channels_,
                costs_.begin() + static_cast<std::ptrdiff_t>(c * stride));
  return distance() <= 0;
}

void JudgedTree::make_child(std::size_t d, const Ranges& ranges) {
  const Box& b = boxes_[d];
  Node& child = nodes_[d + 1];
  child.cell = b.cell;
  child.totals = b.totals;
  child.num_rows = nodes_[d].num_rows - (b.right - b.left);
  for (const Range& range : ranges) {
    Rows& to = child.sorted[range.column];
    to.resize(child.num_rows + 1);
    std::uint32_t* write = to.data();
    for (const std::uint32_t row : nodes_[d].rows[range.column]) {
      *write = row;
      write += b.cell[row] != kDropped ? 1 : 0;
    }
    to.resize(child.num_rows);
    child.rows[range.column] = to;
  }
  steps_ += ranges.size() * nodes_[d].num_rows;
}

}  // namespace beadwork::ordered
