#include <beadwork/search/run/ledger.hpp>

#include <algorithm>

namespace beadwork::detail {
namespace {

// Of the sets of k among n positions: the share that holds the first position; and by what factor fewer hold the second
// but not the first.
double first_share(std::size_t n, std::size_t k) {
  return n == 0 || k == 0 ? 1 : std::min(1.0, static_cast<double>(k) / static_cast<double>(n));
}
double next_share(std::size_t n, std::size_t k) {
  return n < k + 1 || k == 0 ? 0 : static_cast<double>(n - k) / static_cast<double>(n - 1);
}

// Joins a range to the last one where they meet.
void add_range(std::vector<SearchRange>& out, SearchRange range) {
  if (!out.empty() && out.back().to == range.from)
    out.back().to = std::move(range.to);
  else
    out.push_back(std::move(range));
}

}  // namespace

Ledger::Ledger(std::vector<std::int64_t> bounds, std::size_t levels)
    : size_(static_cast<std::uint32_t>(bounds.size())), levels_(levels) {
  top_ = make_level(0);
  top_.bounds = std::move(bounds);
}

Ledger::Level Ledger::make_level(std::uint32_t first) const {
  Level level;
  level.done.assign(size_, 1);
  std::fill(level.done.begin() + std::min(first, size_), level.done.end(), char{0});
  level.undone = size_ - std::min(first, size_);
  return level;
}

void Ledger::finish(Level& level, std::uint32_t t) {
  if (level.done[t] != 0) return;
  level.done[t] = 1;
  level.below.erase(t);
  --level.undone;
}

void Ledger::resume(const std::vector<SearchRange>& ranges) {
  for (const SearchRange& r : ranges) mark(top_, 1, 0, r.from, r.to, r.to.empty());
}

// The positions of a level, from `first` on, that lie between the two ends. Only those at an end are divided.
void Ledger::mark(Level& level, std::size_t depth, std::uint32_t first, Prefix from, Prefix to, bool to_end) const {
  const std::uint32_t begin = from.empty() ? first : std::max(first, from[0]);
  const std::uint32_t end = to_end ? size_ : std::min(size_, to[0]);
  const bool from_inside = from.size() > 1 && from[0] == begin, to_inside = !to_end && to.size() > 1 && to[0] == end;
  if (from_inside && to_inside && begin == end)
    return mark_below(level, depth, begin, from.subspan(1), to.subspan(1), false);
  for (std::uint32_t t = begin + (from_inside ? 1 : 0); t < end; ++t) finish(level, t);
  if (from_inside && begin < end) mark_below(level, depth, begin, from.subspan(1), {}, true);
  if (to_inside && begin <= end) mark_below(level, depth, end, {}, to.subspan(1), false);
}

void Ledger::mark_below(Level& level, std::size_t depth, std::uint32_t t, Prefix from, Prefix to, bool to_end) const {
  if (depth >= levels_ || t >= size_ || level.done[t] != 0) return;
  const auto it = level.below.try_emplace(t, make_level(t + 1)).first;
  mark(it->second, depth + 1, t + 1, from, to, to_end);
  if (it->second.undone == 0) finish(level, t);
}

const Ledger::Level* Ledger::find(Prefix prefix) const {
  const Level* level = &top_;
  for (const std::uint32_t t : prefix) {
    const auto it = level->below.find(t);
    if (it == level->below.end()) return nullptr;
    level = &it->second;
  }
  return level;
}

bool Ledger::done(Prefix prefix) const {
  const Level* level = &top_;
  for (std::size_t i = 0;; ++i) {
    if (level->done[prefix[i]] != 0) return true;
    if (i + 1 == prefix.size()) return false;
    const auto it = level->below.find(prefix[i]);
    if (it == level->below.end()) return false;
    level = &it->second;
  }
}

bool Ledger::divided(Prefix prefix) const {
  return find(prefix) != nullptr;
}

std::int64_t Ledger::bound(Prefix prefix) const {
  const Level* level = find(prefix.first(prefix.size() - 1));
  return level == nullptr || level->bounds.empty() ? 0 : level->bounds[prefix.back()];
}

void Ledger::finish(Prefix prefix) {
  std::vector<Level*> path{&top_};
  for (const std::uint32_t t : prefix.first(prefix.size() - 1)) {
    const auto it = path.back()->below.find(t);
    if (it == path.back()->below.end()) return;  // it is done as a whole
    path.push_back(&it->second);
  }
  for (std::size_t i = prefix.size(); i-- > 0;) {
    finish(*path[i], prefix[i]);
    if (path[i]->undone > 0) return;
  }
}

void Ledger::finish_from(std::uint32_t t) {
  for (; t < size_; ++t) finish(top_, t);
}

bool Ledger::open(Prefix prefix, std::vector<std::int64_t> bounds) {
  Level* above = &top_;
  for (const std::uint32_t t : prefix.first(prefix.size() - 1)) above = &above->below.at(t);
  Level& level = above->below.try_emplace(prefix.back(), make_level(prefix.back() + 1)).first->second;
  for (std::uint32_t u = 0; u < size_; ++u)
    if (bounds[u] == INT64_MAX) finish(level, u);
  if (level.undone == 0) {
    finish(prefix);
    return false;
  }
  level.bounds = std::move(bounds);
  return true;
}

std::vector<SearchRange> Ledger::ranges() const {
  std::vector<SearchRange> out;
  Path path;
  add_ranges(top_, path, out);
  if (size_ == 0) out.push_back({});
  return out;
}

void Ledger::add_ranges(const Level& level, Path& path, std::vector<SearchRange>& out) const {
  for (std::uint32_t t = path.empty() ? 0 : path.back() + 1; t < size_; ++t) {
    path.push_back(t);
    if (level.done[t] != 0) {
      Path next = path;
      ++next.back();
      add_range(out, {canonical_place(path, size_, false), canonical_place(next, size_, true)});
    } else if (const auto below = level.below.find(t); below != level.below.end()) {
      add_ranges(below->second, path, out);
    }
    path.pop_back();
  }
}

std::int64_t Ledger::lower_bound(const Level& level) {
  std::int64_t least = INT64_MAX;
  for (std::uint32_t t = 0; t < level.done.size(); ++t) {
    if (level.done[t] != 0) continue;
    const auto below = level.below.find(t);
    const bool open = below != level.below.end() && !below->second.bounds.empty();
    least = std::min(least, open ? lower_bound(below->second) : level.bounds[t]);
  }
  return least;
}

double Ledger::share(std::size_t choose, std::int64_t limit) const {
  return std::min(1.0, share(top_, 0, choose, 1, limit));
}

double Ledger::share(const Level& level, std::uint32_t first, std::size_t choose, double all,
                     std::int64_t limit) const {
  double sum = 0;
  double here = all * first_share(size_ - first, choose);  // of the sets that go on with t
  for (std::uint32_t t = first; t < size_; ++t, here *= next_share(size_ - t + 1, choose)) {
    const auto below = level.below.find(t);
    if (level.done[t] != 0 || (first == 0 && level.bounds[t] >= limit))
      sum += here;
    else if (below != level.below.end())
      sum += share(below->second, t + 1, choose - 1, here, limit);
  }
  return sum;
}

}  // namespace beadwork::detail
