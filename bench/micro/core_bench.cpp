// Kernels of the core layers: condensing a dataset, counting cells, beads to diagram. Each checks its answer first.

#include <beadwork/dataset.hpp>
#include <beadwork/diagram.hpp>

#include <benchmark/benchmark.h>

#include <string>

namespace beadwork {
namespace {

Dataset random_dataset(std::size_t rows, std::size_t features) {
  Rng rng(1);
  Dataset::Parts parts;
  parts.columns.assign(features, BitColumn(words_for(rows)));
  for (BitColumn& column : parts.columns)
    for (std::size_t r = 0; r < rows; ++r)
      if (rng.below(2) == 1) set_bit(column, r);
  for (std::size_t r = 0; r < rows; ++r) parts.labels.emplace_back(rng.below(2));
  parts.feature_names.assign(features, "f");
  parts.class_names = {"0", "1"};
  return Dataset(std::move(parts));
}

void condense_rows(benchmark::State& state) {
  const Dataset dataset = random_dataset(static_cast<std::size_t>(state.range(0)), 100);
  if (condense(dataset).features.size() != 100) state.SkipWithError("random features are distinct");
  for (auto _ : state) benchmark::DoNotOptimize(condense(dataset));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(condense_rows)->Arg(1000)->Arg(100000);

void table_to_diagram(benchmark::State& state) {
  const auto depth = static_cast<std::size_t>(state.range(0));
  std::vector<Feature> order;
  for (std::size_t i = 0; i < depth; ++i) order.emplace_back(i);
  TruthTable parity(order, 2);
  for (std::size_t c = 0; c < parity.num_cells(); ++c)
    parity.decide(c, Class{static_cast<std::size_t>(__builtin_parityll(c))});
  if (diagram_of(parity).size() != 2 * depth + 1) state.SkipWithError("parity of n has 2n - 1 tests and two sinks");
  for (auto _ : state) benchmark::DoNotOptimize(diagram_of(parity));
}
BENCHMARK(table_to_diagram)->Arg(6)->Arg(12);

}  // namespace
}  // namespace beadwork

BENCHMARK_MAIN();
