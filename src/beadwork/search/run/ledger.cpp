#include <beadwork/search/run/ledger.hpp>

#include <algorithm>

namespace beadwork::detail {
namespace {

using Prefix = std::vector<std::uint32_t>;

bool holds(const SearchRange& range, const Prefix& from, const Prefix& to) {
  return range.from <= from && (range.to.empty() || to <= range.to);
}

// Of the sets of k among n positions: the share that holds the first position; and by what factor fewer hold the second
// but not the first.
double first_share(std::size_t n, std::size_t k) {
  return n == 0 || k == 0 ? 1 : std::min(1.0, static_cast<double>(k) / static_cast<double>(n));
}
double next_share(std::size_t n, std::size_t k) {
  return n < k + 1 || k == 0 ? 0 : static_cast<double>(n - k) / static_cast<double>(n - 1);
}

}  // namespace

void Ledger::resume(const std::vector<SearchRange>& ranges) {
  for (const SearchRange& r : ranges) {
    const std::uint32_t first = r.from.empty() ? 0 : r.from[0];
    const std::uint32_t last = r.to.empty() ? size_ : r.to[0];
    for (std::uint32_t t = first; t < size_ && t <= last; ++t) {
      if (done_[t] != 0) continue;
      if (holds(r, {t}, {t + 1})) {
        done_[t] = 1;
        continue;
      }
      if (!two_levels_) continue;
      auto& list = resumed_[t];
      list.resize(size_, 0);
      for (std::uint32_t u = t + 1; u < size_; ++u)
        if (holds(r, {t, u}, {t, u + 1})) list[u] = 1;
    }
  }
}

bool Ledger::open(std::uint32_t t, std::vector<std::int64_t> bounds) {
  Level level;
  level.done.assign(size_, 1);
  const auto before = resumed_.find(t);
  for (std::uint32_t u = 0; u < size_; ++u) {
    if (bounds[u] == INT64_MAX || (before != resumed_.end() && before->second[u] != 0)) continue;
    level.done[u] = 0;
    ++level.undone;
  }
  if (level.undone == 0) {
    done_[t] = 1;
    return false;
  }
  level.bounds = std::move(bounds);
  open_[t] = std::move(level);
  return true;
}

void Ledger::finish(std::uint32_t t, std::uint32_t u) {
  Level& level = open_.at(t);
  level.done[u] = 1;
  if (--level.undone > 0) return;
  done_[t] = 1;
  open_.erase(t);
}

std::vector<SearchRange> Ledger::ranges() const {
  std::vector<SearchRange> out;
  const auto add = [&](Prefix from, Prefix to) {
    if (from == Prefix{0}) from.clear();
    if (to == Prefix{size_}) to.clear();
    if (!out.empty() && out.back().to == from)
      out.back().to = std::move(to);
    else
      out.push_back({std::move(from), std::move(to)});
  };
  for (std::uint32_t t = 0; t < size_; ++t) {
    if (done_[t] != 0) {
      add({t}, {t + 1});
      continue;
    }
    const std::vector<char>* list = nullptr;
    if (const auto level = open_.find(t); level != open_.end())
      list = &level->second.done;
    else if (const auto old = resumed_.find(t); old != resumed_.end())
      list = &old->second;
    if (list == nullptr) continue;
    for (std::uint32_t u = t + 1; u < size_; ++u)
      if ((*list)[u] != 0)
        add(u == t + 1 ? Prefix{t} : Prefix{t, u}, u + 1 == size_ ? Prefix{t + 1} : Prefix{t, u + 1});
  }
  if (size_ == 0) out.push_back({});
  return out;
}

std::int64_t Ledger::lower_bound() const {
  std::int64_t least = INT64_MAX;
  for (std::uint32_t t = 0; t < size_; ++t) {
    if (done_[t] != 0) continue;
    const auto level = open_.find(t);
    if (level == open_.end()) {
      least = std::min(least, bounds_[t]);
      continue;
    }
    for (std::uint32_t u = 0; u < size_; ++u)
      if (level->second.done[u] == 0) least = std::min(least, level->second.bounds[u]);
  }
  return least;
}

double Ledger::share(std::size_t choose, std::int64_t limit) const {
  double sum = 0;
  double here = first_share(size_, choose);  // of the sets that start at t
  for (std::uint32_t t = 0; t < size_; ++t, here *= next_share(size_ - t + 1, choose)) {
    const bool done = done_[t] != 0 || bounds_[t] >= limit;
    if (done) sum += here;
    const auto level = open_.find(t);
    if (level == open_.end() || done) continue;
    double there = here * first_share(size_ - t - 1, choose - 1);
    for (std::uint32_t u = t + 1; u < size_; ++u, there *= next_share(size_ - u + 1, choose - 1))
      if (level->second.done[u] != 0) sum += there;
  }
  return std::min(1.0, sum);
}

}  // namespace beadwork::detail
