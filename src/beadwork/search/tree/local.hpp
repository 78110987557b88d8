#pragma once
// The first incumbent: greedy, then the best swap until none helps, from an empty set and from random
// beginnings. Throws Stopped.

#include <beadwork/search/tree/tree.hpp>

namespace beadwork::detail {

template <class B>
class Local {
 public:
  using Node = typename B::Node;
  using Weight = typename B::Weight;

  Local(B& backend, Shared& shared) : backend_(&backend), shared_(&shared), arena_(shared.memory) {
    order_.resize(shared.problem->candidates.size());
    std::iota(order_.begin(), order_.end(), 0u);
    root_ = backend.root(arena_, order_);
    backend.open(arena_, root_, static_cast<std::uint32_t>(shared.choose));
    errors_ = arena_.template get<Weight>(backend.row_size(root_));
  }

  const Node& root() const { return root_; }

  // Offers what it climbs through; stops at a set that has the least conceivable error.
  void improve(Sink& sink, Rng& rng, std::size_t restarts, std::span<const Candidates> start) {
    const std::size_t choose = shared_->choose, size = order_.size();
    for (std::size_t round = 0; round < start.size() + restarts; ++round) {
      Candidates set;
      if (round < start.size()) {
        set = start[round];
      } else if (round > start.size() && choose > 1) {
        const std::size_t random = 1 + rng.below(choose - 1);
        while (set.size() < random) {
          const auto f = static_cast<std::uint32_t>(rng.below(size));
          if (std::find(set.begin(), set.end(), f) == set.end()) set.push_back(f);
        }
      }
      poll(*shared_->control);
      if (climb(set, sink) == shared_->problem->base) return;
    }
  }

 private:
  // Adds and swaps in place; returns the error.
  std::int64_t climb(Candidates& set, Sink& sink) {
    const Problem& p = *shared_->problem;
    const std::size_t choose = shared_->choose;
    std::int64_t error = root_.error;
    set = with_room(p, set, choose);
    while (set.size() < choose) {
      const ArenaScope scope(arena_);
      const std::uint32_t open = open_groups(p, set);
      const bool last = set.size() + static_cast<std::size_t>(std::popcount(open)) == choose;
      const auto [f, e] = best(grow(root_, set), set, last ? open : 0);
      set.push_back(f);
      error = e;
    }
    if (set.empty()) return error;
    error = evaluate(*shared_->problem, set);
    for (bool improved = true; improved;) {
      Candidates sorted = set;
      std::sort(sorted.begin(), sorted.end());
      sink.offer(std::move(sorted), error);
      improved = false;
      std::size_t where = 0;
      std::uint32_t what = 0;
      std::int64_t least = error;
      const ArenaScope scope(arena_);
      const Node* before = &root_;  // of the features in front of i
      for (std::size_t i = 0; i < set.size(); ++i) {
        {
          const ArenaScope inner(arena_);
          Candidates others = set;
          others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
          const auto [f, e] = best(grow(*before, std::span(set).subspan(i + 1)), set, open_groups(p, others));
          if (e < least) {
            least = e;
            where = i;
            what = f;
          }
        }
        Node* next = arena_.template get<Node>(1);
        *next = grow(*before, std::span(set).subspan(i, 1));
        before = next;
      }
      if (least < error) {
        set[where] = what;
        error = least;
        improved = true;
      }
    }
    return error;
  }

  Node grow(const Node& from, std::span<const std::uint32_t> set) {
    Node n = from;
    for (const std::uint32_t f : set) {
      poll(*shared_->control);
      n = backend_->child(arena_, n, f, order_);
      backend_->open(arena_, n, 1);
    }
    return n;
  }

  // Of these groups alone, if any are given.
  std::pair<std::uint32_t, std::int64_t> best(const Node& n, const Candidates& without, std::uint32_t groups) {
    backend_->errors(n, errors_);
    std::uint32_t at = UINT32_MAX;
    for (std::uint32_t f = 0; f < order_.size(); ++f)
      if ((at == UINT32_MAX || errors_[f] < errors_[at]) &&
          (groups == 0 || (shared_->problem->candidates[f].group & groups) != 0) &&
          std::find(without.begin(), without.end(), f) == without.end())
        at = f;
    if (at == UINT32_MAX) return {0, INT64_MAX};
    return {at, n.base + errors_[at]};
  }

  B* backend_;
  Shared* shared_;
  Arena arena_;
  std::vector<std::uint32_t> order_;
  Node root_;
  Weight* errors_ = nullptr;
};

}  // namespace beadwork::detail
