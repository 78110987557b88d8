#include "beadwork/maxsat/sampled_descent.hpp"

namespace beadwork {

namespace {

constexpr std::size_t kFewestSofts = 500;  // below, the linear phase is quick from anywhere
constexpr std::size_t kSampleSize = 200;
constexpr std::uint64_t kConflicts = 2000;

std::vector<Lit> sample_false(const SoftObjective& objective) {
  std::vector<Lit> literals;
  for (const Term& soft : objective.softs) literals.push_back(~soft.lit);
  Rng rng(1);
  rng.shuffle(std::span(literals));
  literals.resize(kSampleSize);
  return literals;
}

}  // namespace

void sampled_descent(Search& search) {
  if (search.objective.softs.size() < kFewestSofts) return;
  const std::vector<Lit> sample = sample_false(search.objective);
  Totalizer count(sample);
  count.extend(search.solver, sample.size());
  std::size_t bound = sample.size() / 2;
  while (bound > 0 && !search.stopping()) {
    const Lit fewer = ~count.at_least(bound);
    if (search.solver.solve({&fewer, 1}, search.control, kConflicts) != Answer::satisfiable) return;
    std::size_t falsified = 0;
    for (const Lit l : sample) falsified += search.solver.value(l) ? 1 : 0;
    search.take_model("sample");
    bound = std::min(bound - 1, falsified);
  }
}

}  // namespace beadwork
