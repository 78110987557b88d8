#pragma once
// Passes over the tree with rising limits, by one or more threads; then the first optimal set. docs/ordered.md says how
// the limits are chosen.

#include <beadwork/ordered/first.hpp>
#include <beadwork/ordered/local.hpp>

#include <cmath>

namespace beadwork::ordered {

template <class Cells>
class Run {
 public:
  Run(const Problem& problem, const OrderedOptions& options, Shared& shared)
      : problem_(problem),
        shared_(shared),
        local_(problem, shared, options.seed),
        threads_(threads_with_room(problem, options.threads, shared.control)),
        short_run_(options.effort.short_run) {}

  // Restarts of the local search; false where something ended them. Before a proof they end soon: they go on during the
  // passes.
  bool improve(const std::vector<std::vector<Cut>>& start, std::size_t restarts, bool proof) {
    if (proof) local_.allow(shared_.control.deadline.part(shares::kLocal), kFirstSteps);
    local_.restart();
    for (const auto& set : start) local_.climb(set);
    for (std::size_t i = 1; i < restarts && !local_.ending() && shared_.upper > 0; ++i) local_.restart();
    const bool ended = local_.ending() && shared_.upper > 0;
    local_.allow({}, 0);
    return !ended;
  }

  // Whether the incumbent is proven optimal. A short run is one pass; only when that takes long does it pay to show
  // bounds: from half of the incumbent's error on where that is quick, else from low limits up. A resumed run is the
  // last pass: of the others nothing is kept, so a chain of short runs would begin with them again and again.
  bool prove(bool resumed) {
    make_trees();
    const bool some = !resumed && shared_.upper >= 4 && problem_.choose >= 2;
    if (shared_.lower >= shared_.upper || attempt(shared_.upper, some ? short_run_ : 0)) return true;
    const bool quick = !shared_.ending() && attempt(shared_.upper / 2, short_run_);
    for (std::int64_t limit = quick ? next_limit() : shared_.upper / 64 + 1;
         !shared_.ending() && shared_.lower < shared_.upper; limit = next_limit())
      if (!attempt(limit, 0)) return false;
    return shared_.lower == shared_.upper;
  }

  // The first set of those with the incumbent's error; false where the budget, or the control, ended the search.
  bool find_first(std::uint64_t budget) {
    if (!problem_.must.empty() || budget == 0) return false;
    return First<Cells>(problem_, shared_, trees_, all_).find(budget);
  }

  // Sets of exactly `choose` cuts below the limit go to shared.gathering: each one once where no set that lacks one of
  // its cuts is below the limit, others perhaps. False where the control ended it. Contract: no column is required.
  bool gather(std::int64_t limit) {
    make_trees();
    shared_.limit = limit;
    const std::int64_t all = trees_.front()->root().error;
    if (all >= limit)
      pass();
    else if (problem_.choose == 0)
      shared_.gathering->add({}, all);
    return !shared_.stop && !shared_.ending();
  }

  // The cuts of the root in their order, each with the work that is likely to lie below it: the row steps of one in a
  // hundred, done one by one, stand for those around it. Nothing where there is nothing to divide, or no time.
  struct RootCut {
    Cut cut;
    double work = 0;
  };
  std::vector<RootCut> estimate() {
    make_trees();
    const auto r = static_cast<std::uint32_t>(problem_.choose);
    Tree<Cells>& tree = *trees_.front();
    shared_.limit = shared_.upper;
    if (r < 2 || problem_.num_rows < 2 || !tree.open(0, r, all_)) return {};
    tree.follow(0, r);
    const std::size_t step = std::clamp<std::size_t>(tree.root().candidates.size() / 64, 1, 100);
    std::vector<RootCut> out;
    for (std::uint32_t x = 0; x < tree.num_branches(0); ++x) {
      const auto s = tree.root().segments[x];
      const bool hopeless = tree.hopeless(0, r, x);
      if (!hopeless) tree.begin_box(0, s.column);
      for (std::uint32_t i = s.first; i <= s.last && !shared_.stop;) {
        const auto last = static_cast<std::uint32_t>(std::min<std::size_t>(s.last, i + step - 1));
        const double work = hopeless ? 0 : sample(tree, x, i + (last - i) / 2);
        for (; i <= last; ++i)
          out.push_back({{s.column, tree.root().first_of(problem_, s, tree.root().candidates[i])}, work});
      }
    }
    return shared_.stop ? std::vector<RootCut>{} : out;
  }

  Local<Cells>& local() { return local_; }

  OrderedStats stats() const {
    OrderedStats sum;
    sum.row_steps = local_.row_steps;
    sum.passes = passes_;
    for (const auto& t : trees_) {
      sum.boxes += t->stats.boxes;
      sum.nodes += t->stats.nodes;
      sum.row_steps += t->stats.row_steps;
    }
    return sum;
  }

 private:
  struct Pass {
    std::int64_t limit;
    std::uint64_t steps;
  };
  struct Task {  // candidates i..j of segment x of the root
    std::uint32_t x, i, j;
    std::vector<Range> partners;
  };

  void make_trees() {
    for (unsigned i = 0; i < threads_; ++i) trees_.push_back(std::make_unique<Tree<Cells>>(problem_, shared_));
    all_ = trees_.front()->make_root();
    for (auto& t : trees_) t->share_root(*trees_.front());
  }

  double sample(Tree<Cells>& tree, std::uint32_t x, std::uint32_t i) {
    const std::uint64_t before = tree.stats.row_steps;
    std::vector<Range> alive;
    tree.test(0, x, i, i, static_cast<std::uint32_t>(problem_.choose), 0, tree.partners(0, x), alive);
    shared_.poll(0);
    return 1 + static_cast<double>(tree.stats.row_steps - before);
  }

  // A pass with this limit, of at most so many row steps (0: any number). Ended, it proves a bound, and true is
  // returned.
  bool attempt(std::int64_t limit, std::uint64_t budget) {
    limit = std::min(limit, shared_.upper);
    const std::uint64_t before = stats().row_steps;
    shared_.budget = budget;
    shared_.total_steps = 0;
    shared_.limit = limit;
    if (limit > 0) pass();
    ++passes_;
    const bool ended = !shared_.stop;
    shared_.stop = shared_.ending();
    shared_.budget = 0;
    if (!ended) return false;
    shared_.lower = std::min(limit, shared_.upper);
    done_passes_.push_back({limit, stats().row_steps - before});
    return true;
  }

  // Below half of the incumbent's error: twice the limit, or less where that promises more than four times the steps,
  // which are taken to grow exponentially with the limit. Above: halfway as long as such a pass promises to take a
  // small share of the last one.
  std::int64_t next_limit() const {
    const std::int64_t upper = shared_.upper;
    const Pass b = done_passes_.back();
    const std::int64_t half = b.limit + (upper - b.limit) / 2;
    const bool low = 4 * b.limit < upper;
    if (done_passes_.size() == 1) return low ? 4 * b.limit : b.steps < kShort ? upper : (b.limit + upper + 1) / 2;
    const Pass& a = done_passes_[done_passes_.size() - 2];
    if (half <= b.limit || b.limit <= a.limit) return upper;
    const double growth = std::log(static_cast<double>(b.steps + 1) / static_cast<double>(a.steps + 1)) /
                          static_cast<double>(b.limit - a.limit);
    const auto further = static_cast<std::int64_t>(std::min(1e9, std::log(4.0) / std::max(growth, 1e-9)));
    if (low) return std::min({4 * b.limit, half, b.limit + 1 + further});
    const double share = std::exp(-growth * static_cast<double>(upper - half));
    const double last = static_cast<double>(b.steps) * std::exp(growth * static_cast<double>(upper - b.limit));
    if (share >= (last > kLong ? 0.35 : 0.12)) return upper;
    return last > kLong ? std::min(half, b.limit + 1 + further) : half;
  }

  void search(Tree<Cells>& tree, std::uint32_t size) {
    if (tree.root().error < shared_.limit) shared_.offer({}, tree.root().error);
    if (size == 0 || shared_.stop || problem_.num_rows < 2) return;
    auto ranges = all_;
    if (size == 1)
      tree.solve_one(std::move(ranges));
    else
      tree.solve(0, size, 0, ranges);
  }

  void pass() {
    const auto r = static_cast<std::uint32_t>(problem_.choose);
    Tree<Cells>& first = *trees_.front();
    if (r < 2 || problem_.num_rows < 2) return search(first, r);
    if (first.root().error < shared_.limit) shared_.offer({}, first.root().error);
    if (!first.open(0, r, all_)) return;
    first.follow(0, r);
    done_ = total_ = first.root().candidates.size();
    for (std::uint32_t x = first.num_branches(0); x-- > 0;) {
      const auto undone = first.undone(0, x);
      for (auto it = undone.rbegin(); it != undone.rend(); ++it) {
        tasks_.push_back({x, it->first, it->second, first.partners(0, x)});
        done_ -= it->second - it->first + 1;
      }
    }
    const bool improving = shared_.gathering == nullptr && !shared_.part;
    together(
        trees_.size(), [&](std::size_t i) { work(*trees_[i], i == 0 && improving); }, shared_.control);
    tasks_.clear();
  }

  // Tasks are taken from the top of a stack, and halves go back onto it. The first thread also gives a tenth of its
  // steps to the incumbent.
  void work(Tree<Cells>& tree, bool improving) try {
    std::uint32_t segment = UINT32_MAX;
    std::unique_lock lock(queue_);
    for (;;) {
      waiting_.wait(lock, [&] { return !tasks_.empty() || busy_ == 0 || shared_.stop; });
      if (shared_.stop || tasks_.empty()) break;
      Task task = std::move(tasks_.back());
      tasks_.pop_back();
      ++busy_;
      lock.unlock();
      if (improving && local_.row_steps < tree.stats.row_steps / 10) local_.restart();
      auto halves = try_task(tree, task, segment);
      if (halves.empty()) tree.finish(0, task.x, task.i, task.j);
      shared_.poll(0);
      lock.lock();
      --busy_;
      if (halves.empty()) done_ += task.j - task.i + 1;
      shared_.share = static_cast<double>(done_) / static_cast<double>(total_);
      for (Task& half : halves) tasks_.push_back(std::move(half));
      waiting_.notify_all();
    }
    waiting_.notify_all();
  } catch (const std::bad_alloc&) {
    shared_.stop = shared_.quit = shared_.memory_limit_hit = true;
    waiting_.notify_all();
  }

  std::vector<Task> try_task(Tree<Cells>& tree, const Task& t, std::uint32_t& segment) {
    const auto r = static_cast<std::uint32_t>(problem_.choose);
    if (tree.hopeless(0, r, t.x)) return {};
    if (segment != t.x) tree.begin_box(0, tree.root().segments[t.x].column);
    segment = t.x;
    std::vector<Range> alive;
    if (!tree.test(0, t.x, t.i, t.j, r, 0, t.partners, alive) || t.i == t.j || shared_.stop) return {};
    const std::uint32_t m = tree.middle(0, t.i, t.j);
    return {{t.x, m + 1, t.j, alive}, {t.x, t.i, m, alive}};
  }

  static constexpr std::uint64_t kShort = 100000000;  // row steps
  static constexpr double kLong = 2e10;
  static constexpr std::uint64_t kFirstSteps = 5000000;

  const Problem& problem_;
  Shared& shared_;
  Local<Cells> local_;
  unsigned threads_;
  std::uint64_t short_run_;
  std::vector<std::unique_ptr<Tree<Cells>>> trees_;
  std::vector<Range> all_;
  std::vector<Task> tasks_;
  std::mutex queue_;
  std::condition_variable waiting_;
  std::size_t busy_ = 0, done_ = 0, total_ = 1;
  std::uint64_t passes_ = 0;
  std::vector<Pass> done_passes_;  // those that ended
};

}  // namespace beadwork::ordered
