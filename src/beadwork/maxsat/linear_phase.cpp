#include "beadwork/maxsat/linear_phase.hpp"

#include <algorithm>

namespace beadwork {

namespace {

// A bound on the sum of the runs: a totalizer when all weights are the same, a weighted bound otherwise.
class Bound {
 public:
  Bound(Solver& solver, std::vector<CorePhase::Run> runs, Weight gap) : solver_(solver) {
    unit_ = runs.empty() ? 1 : runs.front().weights.front();
    for (const auto& run : runs)
      for (const Weight w : run.weights) same_ = same_ && w == unit_;
    if (same_) {
      std::vector<std::vector<Lit>> blocks;
      for (auto& run : runs) blocks.push_back(std::move(run.literals));
      totalizer_ = Totalizer(std::move(blocks));
      totalizer_.extend(solver, (gap - 1) / unit_ + 1);
    } else {
      std::vector<Term> terms;
      for (const auto& run : runs)
        for (std::size_t i = 0; i < run.literals.size(); ++i)
          terms.push_back({run.literals[i], run.weights[i]});
      weighted_.emplace(solver, terms, gap - 1);
    }
  }

  void at_most(Weight bound) {
    if (!same_) return weighted_->at_most(solver_, bound);
    const std::size_t k = bound / unit_ + 1;
    if (k <= totalizer_.bound()) solver_.add_clause({~totalizer_.at_least(k)});
  }

 private:
  Solver& solver_;
  bool same_ = true;
  Weight unit_ = 1;
  Totalizer totalizer_;
  std::optional<WeightedBound> weighted_;
};

}  // namespace

PhaseEnd linear_phase(Search& search, CorePhase& cores) {
  const Stopwatch watch;
  const Weight base = search.lower();
  const Weight gap = search.upper() - base;
  Bound bound(search.solver, cores.remainder(gap), gap);
  PhaseEnd end = PhaseEnd::closed;
  while (!search.closed()) {
    bound.at_most(search.upper() - base - 1);
    const Answer answer = search.stopping() ? Answer::unknown : search.solver.solve({}, search.control);
    if (answer == Answer::unsatisfiable) search.close();
    if (answer == Answer::satisfiable)
      require(search.take_model("linear"), "linear phase: a model that is no better");
    if (answer != Answer::unknown) continue;
    end = PhaseEnd::stopped;
    break;
  }
  search.stats.linear_seconds += watch.seconds();
  return end;
}

}  // namespace beadwork
