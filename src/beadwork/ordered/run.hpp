#pragma once
// Passes over the tree with rising limits, by one or more threads; then the first optimal set.

#include <beadwork/ordered/local.hpp>
#include <beadwork/ordered/tree.hpp>
#include <condition_variable>
#include <cstdio>
#include <thread>

namespace beadwork::ordered {

template <class Cells>
class Run {
 public:
  using W = typename Cells::Weight;

  Run(const Problem& problem, const OrderedOptions& options, Shared& shared)
      : problem_(problem), options_(options), shared_(shared), local_(problem, shared, options.seed) {
    for (unsigned i = 0; i < std::max(1u, options.threads); ++i) trees_.push_back(std::make_unique<Tree<Cells>>(problem, shared));
    all_ = trees_.front()->open_root();
    for (auto& t : trees_) t->share_root(*trees_.front());
  }

  void improve(std::size_t restarts) {
    for (const auto& set : start_sets()) local_.climb(set);
    for (std::size_t i = 0; i < restarts && !shared_.ending() && shared_.upper > 0; ++i) local_.restart();
  }

  // Whether the optimum is proven.
  bool prove() {
    const std::int64_t limits[] = {shared_.upper / 2, shared_.upper * 3 / 4, shared_.upper * 7 / 8, shared_.upper};
    for (const std::int64_t limit : limits) {
      if (limit <= shared_.lower && shared_.lower < shared_.upper) continue;
      shared_.limit = std::min(limit, shared_.upper);
      Stopwatch clock;
      pass();
      if (getenv("ORD_DEBUG")) {
        const auto s = stats();
        fprintf(stderr, "limit %lld upper %lld %.3f s boxes %llu nodes %llu steps %.3g\n", (long long)limit, (long long)shared_.upper, clock.seconds(), (unsigned long long)s.boxes, (unsigned long long)s.nodes, (double)s.row_steps);
      }
      if (shared_.stop) return false;
      shared_.lower = std::max(shared_.lower, std::min(limit, shared_.upper));
      if (shared_.lower >= shared_.upper) break;
    }
    return shared_.lower >= shared_.upper;
  }

  OrderedStats stats() const {
    OrderedStats sum;
    sum.row_steps = local_.row_steps;
    for (const auto& t : trees_) {
      sum.boxes += t->stats.boxes;
      sum.nodes += t->stats.nodes;
      sum.row_steps += t->stats.row_steps;
    }
    return sum;
  }

 private:
  struct Task {  // candidates i..j of segment x of the root
    std::uint32_t x, i, j;
    std::vector<Range> partners;
  };

  std::vector<std::vector<Cut>> start_sets() const { return {}; }

  void pass() {
    Tree<Cells>& tree = *trees_.front();
    const auto r = static_cast<std::uint32_t>(problem_.choose);
    if (tree.root_error() < shared_.limit) shared_.offer({}, tree.root_error());
    if (r == 0 || problem_.num_rows < 2) return;
    if (r == 1) return tree.solve_one(all_);
    auto ranges = all_;
    tree.solve(0, r, 0, ranges);
  }

  const Problem& problem_;
  const OrderedOptions& options_;
  Shared& shared_;
  Local<Cells> local_;
  std::vector<std::unique_ptr<Tree<Cells>>> trees_;
  std::vector<Range> all_;
};

}  // namespace beadwork::ordered
