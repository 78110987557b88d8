#include "beadwork/maxsat/linear_phase.hpp"

#include <algorithm>

namespace beadwork {

namespace {

struct NoRoom {};

// The solver, as long as time and memory allow: a bound over many softs may be larger than the formula itself.
struct PolledSolver {
  Solver& solver;
  const Control& control;
  std::size_t clauses = 0;

  Var fresh_var() { return solver.fresh_var(); }
  void add_clause(Clause clause) {
    if ((++clauses & 0x3FF) == 0 && (control.stopping() || control.no_room_for(0))) throw NoRoom{};
    solver.add_clause(clause);
  }
};

// A bound on the sum of the runs: a totalizer when all weights are the same, a weighted bound otherwise.
class Bound {
 public:
  Bound(PolledSolver solver, std::vector<CorePhase::Run> runs, Weight gap) : solver_(solver) {
    unit_ = runs.empty() ? 1 : runs.front().weights.front();
    for (const auto& run : runs)
      for (const Weight w : run.weights) same_ = same_ && w == unit_;
    if (same_) {
      std::vector<std::vector<Lit>> blocks;
      for (auto& run : runs) blocks.push_back(std::move(run.literals));
      totalizer_ = Totalizer(std::move(blocks));
      totalizer_.extend(solver_, (gap - 1) / unit_ + 1);
    } else {
      std::vector<Term> terms;
      for (const auto& run : runs)
        for (std::size_t i = 0; i < run.literals.size(); ++i) terms.push_back({run.literals[i], run.weights[i]});
      weighted_.emplace(solver_, terms, gap - 1);
    }
  }

  void at_most(Weight bound) {
    if (!same_) return weighted_->at_most(solver_, bound);
    const std::size_t k = bound / unit_ + 1;
    if (k <= totalizer_.bound()) solver_.solver.add_clause({~totalizer_.at_least(k)});
  }

 private:
  PolledSolver solver_;
  bool same_ = true;
  Weight unit_ = 1;
  Totalizer totalizer_;
  std::optional<WeightedBound> weighted_;
};

// One error less each time, until that is impossible.
PhaseEnd tighten(Search& search, Bound& bound, Weight base) {
  while (!search.closed()) {
    bound.at_most(search.upper() - base - 1);
    const Answer answer = search.stopping() ? Answer::unknown : search.solver.solve({}, search.control);
    if (answer == Answer::unsatisfiable) search.close();
    if (answer == Answer::satisfiable) require(search.take_model("linear"), "linear phase: a model that is no better");
    if (answer == Answer::unknown) return PhaseEnd::stopped;
  }
  return PhaseEnd::closed;
}

}  // namespace

PhaseEnd linear_phase(Search& search, CorePhase& cores) {
  const Stopwatch watch;
  const Weight base = search.lower();
  const Weight gap = search.upper() - base;
  PhaseEnd end = PhaseEnd::closed;
  try {
    Bound bound({search.solver, search.control}, cores.remainder(gap), gap);
    end = tighten(search, bound, base);
  } catch (const NoRoom&) {
    end = PhaseEnd::stopped;
  }
  search.stats.linear_seconds += watch.seconds();
  return end;
}

}  // namespace beadwork
