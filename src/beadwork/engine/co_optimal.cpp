#include <beadwork/engine/co_optimal.hpp>

namespace beadwork {

Result<CoOptimal> co_optimal_sets(const SearchProblem& problem, SearchOptions options,
                                  const std::vector<Feature>& answer, std::int64_t error, std::size_t most,
                                  const Control& control) {
  options.start = {answer};
  NearOptions near;
  near.within = 0;
  near.most = most;
  near.optimum = error;
  TRY(const auto listed, search_near(problem, options, near, control));
  CoOptimal out;
  out.sets.push_back(answer);
  for (const NearSet& s : listed.sets)
    if (s.error == error && s.features != answer) out.sets.push_back(s.features);
  out.complete = listed.status == SolveStatus::optimal && listed.num_sets == listed.sets.size();
  return out;
}

double impurity(const Dataset& dataset, const std::vector<Feature>& features) {
  const std::size_t classes = dataset.num_classes();
  const auto counts = count_cells(dataset, features);
  double sum = 0;
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) {
    std::size_t cell = 0;
    for (const Feature f : features) cell = 2 * cell + (dataset.value(f, Row{r}) ? 1 : 0);
    std::int64_t total = 0;
    for (std::size_t k = 0; k < classes; ++k) total += counts[cell * classes + k];
    const std::int64_t weight = dataset.weight(Row{r});
    const std::int64_t others = total - weight;
    const std::int64_t unlike = total - counts[cell * classes + dataset.label(Row{r})()];
    sum += static_cast<double>(weight) * (others == 0 ? 1 - 1 / static_cast<double>(classes)
                                                      : static_cast<double>(unlike) / static_cast<double>(others));
  }
  return sum;
}

Result<std::vector<Feature>> purest_set(const Dataset& dataset, const SearchProblem& problem,
                                        const SearchOptions& options, const std::vector<Feature>& answer,
                                        std::int64_t error, const Control& control) {
  constexpr std::size_t kMost = 1000;
  TRY(auto all, co_optimal_sets(problem, options, answer, error, kMost, control));
  const double rounding = 1e-12 * static_cast<double>(dataset.total_weight());
  std::size_t best = 0;
  double least = 0;
  for (std::size_t i = 0; i < all.sets.size() && (i == 0 || !control.stopping()); ++i)
    if (const double here = impurity(dataset, all.sets[i]); i == 0 || here < least - rounding) {
      best = i;
      least = here;
    }
  return std::move(all.sets[best]);
}

}  // namespace beadwork
