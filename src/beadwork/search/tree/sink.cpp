#include <beadwork/search/tree/sink.hpp>

namespace beadwork::detail {

namespace {
constexpr std::uint64_t kManyTies = 64;
}

void Incumbent::offer(Candidates set, std::int64_t error) {
  const std::lock_guard lock(mutex_);
  if (error > error_) return;
  if (error < error_) {
    error_ = error;
    set_ = std::move(set);
    ties_ = 0;
    limit_ = ties_complete_ ? error + 1 : error;
    return;
  }
  if (set < set_) set_ = std::move(set);
  if (++ties_ == kManyTies) many_ties_ = true;
  if (ties_ > max_ties_ && ties_complete_) {
    ties_complete_ = false;
    limit_ = error;
  }
}

bool Incumbent::improves(const Candidates& set, std::int64_t error) {
  const std::lock_guard lock(mutex_);
  return error < error_ || (error == error_ && set < set_);
}

std::int64_t Incumbent::cap_of(const Candidates& least) {
  const std::lock_guard lock(mutex_);
  return known() && !(least < set_) ? error() : INT64_MAX;
}

Candidates Incumbent::set() const {
  const std::lock_guard lock(mutex_);
  return set_;
}

void Incumbent::give_up_ties() {
  const std::lock_guard lock(mutex_);
  ties_complete_ = false;
  if (error_ != INT64_MAX) limit_ = error_.load();
}

void Incumbent::settle_ties(Candidates set) {
  const std::lock_guard lock(mutex_);
  set_ = std::move(set);
  ties_complete_ = true;
}

void FirstOptimum::offer(Candidates set, std::int64_t error) {
  const std::lock_guard lock(mutex_);
  if (error == error_ && (set_.empty() || set < set_)) set_ = std::move(set);
}

bool FirstOptimum::improves(const Candidates& set, std::int64_t error) {
  const std::lock_guard lock(mutex_);
  return error == error_ && (set_.empty() || set < set_);
}

std::int64_t FirstOptimum::cap_of(const Candidates& least) {
  const std::lock_guard lock(mutex_);
  return !set_.empty() && !(least < set_) ? error_ : INT64_MAX;
}

void FirstFound::offer(Candidates set, std::int64_t error) {
  const std::lock_guard lock(mutex_);
  if (!set_.empty() || error >= limit_) return;
  set_ = std::move(set);
  limit_ = 0;  // no error is below 0
}

void Collector::offer(Candidates set, std::int64_t error) {
  const std::lock_guard lock(mutex_);
  if (error >= limit_) return;
  if (!shrinking_) {
    num_sets_ = saturating_add(num_sets_, 1);
    num_copies_ = saturating_add(num_copies_, copies(*problem_, set));
  }
  if (listener_) limit_ = std::min<std::int64_t>(limit_, listener_(set));
  found_.insert({error, std::move(set)});
  if (found_.size() > most_) found_.erase(std::prev(found_.end()));
  if (shrinking_ && found_.size() == most_ && most_ > 0)
    limit_ = std::min<std::int64_t>(limit_, found_.rbegin()->error + 1);
}

std::uint64_t copies(const Problem& problem, const Candidates& set) {
  std::uint64_t out = 1;
  for (const std::uint32_t i : set) {
    const std::uint64_t c = problem.candidates[i].copies;
    if (out > UINT64_MAX / c) return UINT64_MAX;
    out *= c;
  }
  return out;
}

}  // namespace beadwork::detail
