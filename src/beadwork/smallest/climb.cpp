#include <beadwork/smallest/climb.hpp>

#include <algorithm>

namespace beadwork {

std::vector<std::vector<Cut>> SizeClimb::run(const Cuts& set, const std::vector<Cuts>& smaller) {
  constexpr int kRestarts = 20;
  std::vector<Cuts> start = smaller;
  if (set.size() == h_) add_smaller(set, start);
  if (h_ == 1 || set.size() + 1 == h_) start.push_back(h_ == 1 ? Cuts{} : set);
  climb(start);
  Rng rng(h_);
  for (int i = 0; i < kRestarts && h_ > 1 && !ending(); ++i) {
    const std::vector<Cuts> good = sets_of(best_);
    if (good.empty()) break;
    Cuts changed = good[rng.below(good.size())];
    changed[rng.below(h_)] = sets_.any_cut(rng.next());
    std::sort(changed.begin(), changed.end());
    if (std::adjacent_find(changed.begin(), changed.end()) != changed.end()) continue;
    std::vector<Cuts> from;
    add_smaller(changed, from);
    climb(from);
  }
  return sets_of(best_);
}

void SizeClimb::climb(std::vector<Cuts> smaller) {
  Sizes found(goal_);
  SizeJudge judge(data_, h_, sets_.base(), 0, functions_, found, control_);
  std::set<Cuts> done;
  while (!smaller.empty() && !ending()) {
    const Cuts next = smaller.back();
    smaller.pop_back();
    if (!done.insert(next).second) continue;
    sets_.extend(next, judge, control_);
    steps_ += sets_.steps();
    control_.count(2 * sets_.steps());
    if (!smaller.empty()) continue;
    for (const Cuts& set : sets_of(found)) add_smaller(set, smaller);
    std::erase_if(smaller, [&](const Cuts& s) { return done.contains(s); });
  }
  for (const auto& [size, best] : found.best) {
    if (best.errors <= best_.limit(size)) best_.offer(size, best);
    if (best.errors <= goal_.limit(size)) goal_.offer(size, best);
  }
}

std::vector<SizeClimb::Cuts> SizeClimb::sets_of(const EverySize& sizes) const {
  std::vector<Cuts> out;
  for (const auto& [_, best] : sizes.best)
    if (best.table.depth() == h_) out.push_back(cuts_of_features(data_, best.table.order()));
  return out;
}

// All with one cut less.
void SizeClimb::add_smaller(const Cuts& set, std::vector<Cuts>& out) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    out.push_back(set);
    out.back().erase(out.back().begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace beadwork
