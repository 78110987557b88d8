#pragma once
#include "beadwork/maxsat/search.hpp"

#include <map>
#include <unordered_map>

namespace beadwork {

// Core-guided search: OLL (Andres et al. 2012; Morgado, Dodaro, Marques-Silva 2014), as in RC2.
//
// Softs are assumed true. A core is a set of softs of which one must be false; its least weight w goes to the
// lower bound and is taken from each of its softs, and a totalizer over their negations gets the soft "not
// two false" of weight w. When such a soft is in a core itself, the next output ("not three") takes over that
// weight. So at any moment
//
//     cost = lower + weights of false softs + what totalizers count beyond the outputs that are softs
//     already.
//
// What makes it quick: cores are collected disjointly, weights first, before any totalizer is written
// (weight-aware extraction, Berg & Jarvisalo 2017); each is trimmed and minimised under a conflict limit;
// totalizers are exhausted (Ansotegui et al.) and grow lazily; heavy softs come first (stratification); a
// soft that alone would exceed the gap becomes hard.
class CorePhase {
 public:
  explicit CorePhase(Search& search);
  PhaseEnd run();

  // The rest of the objective for the linear phase: runs of literals, each implying the ones before it, that cost their
  // weight when true. Only what can matter while the cost is to stay below `gap` above the lower bound.
  struct Run {
    std::vector<Lit> literals;
    std::vector<Weight> weights;
  };
  std::vector<Run> remainder(Weight gap);

 private:
  struct Counter {
    Totalizer totalizer;
    Weight weight = 0;
    std::size_t first = 2;         // the output that was its first soft
    std::vector<Weight> consumed;  // by cores, from the softs of outputs first, first + 1, ...
  };
  struct Output {
    std::size_t counter, k;
  };
  struct Core {
    std::vector<Lit> softs;
    Weight weight;
  };

  PhaseEnd collect_and_reformulate();
  Answer next_core();
  void take_core(std::vector<Lit> core);
  void minimise(std::vector<Lit>& core);
  void trim(std::vector<Lit>& core);
  void reformulate();
  void count_core(const Core& core);
  std::size_t exhaust(Totalizer& t, Weight weight);
  void add_output(std::size_t counter, std::size_t k, Weight weight);
  void add_soft(Lit soft, Weight weight);
  void harden();
  bool worth_going_on() const;
  std::uint64_t effort() const;
  void lower_level();
  std::vector<Lit> assumptions() const;

  Search& search_;
  Control control_;  // with the phase's own deadline
  std::map<Lit, Weight> weights_;
  std::vector<Counter> counters_;
  std::unordered_map<Lit, Output> outputs_;
  std::vector<Core> pending_;
  std::vector<std::pair<Output, Weight>> pending_outputs_;
  Weight level_ = 1;
  Weight lower_at_start_ = 0;
  std::uint64_t effort_at_start_ = 0;
};

}  // namespace beadwork
