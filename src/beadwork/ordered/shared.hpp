#pragma once
#include <beadwork/ordered/gathering.hpp>
#include <beadwork/ordered/ledger.hpp>
#include <beadwork/ordered/outcome.hpp>
#include <beadwork/ordered/problem.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace beadwork::ordered {

inline constexpr std::uint64_t kRowStep = 2;  // nanoseconds, about, that a row takes as it moves between cells

// What the threads of a run have in common. Errors here are without the problem's base.
struct Shared {
  Shared(const Problem& p, const OrderedOptions& options, const Control& c)
      : problem(p), control(c), effort(options.effort), upper(p.total + 1) {}

  // The set, with any cut of each required column that it lacks, replaces the incumbent if it is better.
  void offer(std::vector<Cut> set, std::int64_t error) {
    const std::lock_guard lock(mutex);
    if (error >= upper) return;
    const std::size_t size = set.size();
    for (const std::uint32_t c : problem.must)
      if (std::none_of(set.begin(), set.end(), [&](const Cut& x) { return x.column == c; })) set.push_back({c, 0});
    if (set.size() > size) error = evaluate(problem, set);  // a cut more may be better
    upper = error;
    best = std::move(set);
    limit = std::min<std::int64_t>(limit, upper);
  }

  void lower_limit(std::int64_t to) {
    std::int64_t now = limit;
    while (to < now && !limit.compare_exchange_weak(now, to)) {
    }
  }

  std::vector<Cut> incumbent() {
    const std::lock_guard lock(mutex);
    return best;
  }

  // Is what was searched without a find, up to now, free of sets better than the incumbent?
  bool settling() {
    const std::lock_guard lock(mutex);
    return limit >= upper && !stop && gathering == nullptr;
  }

  // Every `effort.poll_steps` or so.
  void poll(std::uint64_t steps) {
    if (tick) tick();
    total_steps += steps;
    control.count(kRowStep * steps);
    if (control.stopping() || (budget != 0 && total_steps > budget)) stop = true;
    const std::unique_lock lock(mutex, std::try_to_lock);
    if (!lock || clock.seconds() < next_report) return;
    next_report = clock.seconds() + 0.1;
    if (!control.report({"search", share, problem.base + lower, problem.base + upper, clock.seconds()}))
      stop = quit = true;
    if (control.memory_limit != 0 && current_memory() > control.memory_limit) stop = quit = memory_limit_hit = true;
  }
  bool ending() const { return quit || control.stopping(); }

  const Problem& problem;
  const Control& control;
  const OrderedEffort effort;
  std::mutex mutex;
  std::atomic<std::int64_t> limit = 0;  // sets below it are looked for
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> total_steps = 0;
  std::atomic<bool> quit = false;  // asked to by the progress sink, or for want of memory
  bool first_only = false;  // look in the order of columns and cuts, stop a tree at its first set below the limit
  bool part = false;        // of a plan: the incumbent is looked for elsewhere
  bool two_levels = false;  // the ledger goes below single cuts of the root
  Gathering* gathering = nullptr;  // collect all sets below the limit instead of looking for the best
  std::uint64_t budget = 0;        // row steps, then stop; 0: none
  std::int64_t upper;              // error of `best`
  std::int64_t lower = 0;          // no set errs by less
  std::vector<Cut> best;           // cuts of work columns
  Ledger ledger;
  std::function<void()> tick;  // called by poll
  std::atomic<double> share = 0;
  std::atomic<bool> memory_limit_hit = false;
  Stopwatch clock;
  double next_report = 0;
};

}  // namespace beadwork::ordered
