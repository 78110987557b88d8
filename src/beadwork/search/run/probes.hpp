#pragma once
// Lower bounds while a search goes on: now and then a worker leaves its unit and looks for a set below a limit that is
// lower than the incumbent's error (docs/search.md, probes). If there is none, the limit is a bound.

#include <beadwork/search/tree/tree.hpp>

namespace beadwork::detail {

template <class B>
class Probes {
 public:
  // `first`: the work that the first probe may take.
  Probes(const B& backend, const Shared& search, const typename B::Node& root, bool by_weight, std::uint64_t first)
      : backend_(&backend), search_(&search), root_(&root), by_weight_(by_weight), most_(first) {
    const auto r = static_cast<std::uint32_t>(search.choose);
    floor_ = std::max(root.base, root.error - backend.top(root, root.weights, r));
  }

  // The work that all probes together must be allowed before the next one is made.
  std::uint64_t needed() const { return stats_.work + most_ / 2; }
  const TreeStats& stats() const { return stats_; }
  void begin_from(std::int64_t bound) { floor_ = std::max(floor_, bound); }

  // Errors are those of the tree, in coarser units where there are such; `best` is the incumbent's. The units of
  // `done` positions are left out: their sets are no better than the incumbent. Returns a bound if it has a new one. Of
  // a bound that is one short of the incumbent the search itself is the proof.
  template <class Done, class Tick>
  std::optional<std::int64_t> probe(std::int64_t best, Done&& done, Tick&& tick) {
    best = std::min(best, root_->cap);
    if (best - floor_ < 2) return end();
    step_ = std::clamp<std::int64_t>(step_, 1, (best - floor_) / 2);
    Below sink(*search_->sink, floor_ + step_);
    Shared shared(*search_->problem, search_->choose, sink, *search_->control);
    shared.order = search_->order;
    shared.scale = search_->scale;
    shared.effort_per_tick = search_->effort_per_tick;
    shared.tick = [&] {
      tick();
      if (search_->stop || shared.work > most_) shared.stop = true;
    };
    Tree<B> tree(shared, *backend_);
    try {
      pass(tree, shared, done);
    } catch (const MemoryLimitReached&) {
      return end();
    }
    add(tree.stats());
    if (sink.found() || search_->stop) return {};
    if (!shared.stop) {
      floor_ += step_;
      step_ *= 2;
      most_ = std::max(most_, 4 * tree.stats().work);
      return floor_;
    }
    if (step_ > 1)
      step_ /= 2;
    else
      most_ *= 2;
    return {};
  }

 private:
  std::nullopt_t end() {
    most_ = UINT64_MAX / 2;
    return std::nullopt;
  }

  // Looks for one set below a limit, and passes it on.
  class Below : public Sink {
   public:
    Below(Sink& sink, std::int64_t limit) : sink_(&sink) { limit_ = limit; }
    void offer(Candidates set, std::int64_t error) override {
      found_ = true;
      limit_ = 0;  // no error is below 0
      sink_->offer(std::move(set), error);
    }
    bool found() const { return found_; }

   private:
    Sink* sink_;
    bool found_ = false;
  };

  template <class Done>
  void pass(Tree<B>& tree, const Shared& shared, Done& done) {
    const auto r = static_cast<std::uint32_t>(search_->choose);
    auto cursor = tree.start(tree.arena(), *root_, r, by_weight_);
    for (std::uint32_t t = 0; t < shared.order.size() && cursor.num_lanes > 0 && !shared.stop; ++t)
      if (!done(t) && tree.seek(cursor, t) && !tree.step(cursor)) return;
  }
  void add(const TreeStats& more) {
    stats_.nodes += more.nodes;
    stats_.steps += more.steps;
    stats_.evaluated += more.evaluated;
    stats_.work += more.work;
  }

  const B* backend_;
  const Shared* search_;
  const typename B::Node* root_;
  bool by_weight_;
  std::uint64_t most_;  // work of the next probe
  std::int64_t floor_ = 0, step_ = 1;
  TreeStats stats_;
};

}  // namespace beadwork::detail
