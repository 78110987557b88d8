#pragma once
// What of a run is done: intervals of the root's cuts and, below single cuts of the root, of theirs. All are cuts of
// work columns; the number of cuts of a column stands for one that parts nothing. Threads share it.

#include <beadwork/dataset.hpp>

#include <map>
#include <mutex>

namespace beadwork::ordered {

using Interval = std::pair<std::uint32_t, std::uint32_t>;  // first and last

class Ledger {
 public:
  using Place = std::optional<Cut>;  // below this cut of the root; none: the root
  struct Level {
    std::vector<std::uint32_t> order;   // of work columns
    std::map<Cut, std::uint32_t> done;  // the first cut of an interval, and its last
  };

  // The order of columns there; where there is none yet it is empty, or with `keep` this one from now on.
  std::vector<std::uint32_t> order(const Place& at, const std::vector<std::uint32_t>& now, bool keep) {
    const std::lock_guard lock(mutex_);
    if (const auto level = levels_.find(at); level != levels_.end()) return level->second.order;
    if (keep) levels_[at].order = now;
    return {};
  }

  std::vector<Interval> done(const Place& at, std::uint32_t column) const {
    const std::lock_guard lock(mutex_);
    std::vector<Interval> out;
    const auto level = levels_.find(at);
    if (level == levels_.end()) return out;
    for (auto it = level->second.done.lower_bound({column, 0}); it != level->second.done.end(); ++it) {
      if (it->first.column != column) break;
      out.emplace_back(it->first.rank, it->second);
    }
    return out;
  }

  // Where no order is kept yet, nothing is.
  void finish(const Place& at, std::uint32_t column, Interval cuts) {
    auto [from, to] = cuts;
    const std::lock_guard lock(mutex_);
    const auto level = levels_.find(at);
    if (level == levels_.end()) return;
    auto& done = level->second.done;
    auto it = done.upper_bound({column, from});
    if (it != done.begin() && std::prev(it)->first.column == column && std::prev(it)->second + 1 >= from) --it;
    for (; it != done.end() && it->first.column == column && it->first.rank <= to + 1; it = done.erase(it)) {
      from = std::min(from, it->first.rank);
      to = std::max(to, it->second);
    }
    done[{column, from}] = to;
    if (!at) levels_.erase(levels_.lower_bound(Cut{column, from}), levels_.upper_bound(Cut{column, to}));
  }

  std::map<Place, Level> levels() const {
    const std::lock_guard lock(mutex_);
    return levels_;
  }
  void resume(std::map<Place, Level> levels) { levels_ = std::move(levels); }

 private:
  mutable std::mutex mutex_;
  std::map<Place, Level> levels_;
};

}  // namespace beadwork::ordered
