// CART on a million rows of a hundred features, depth 6. The rows follow a decision list of six features, one row in
// twenty with the other class: the tree must make exactly those errors, counted row by row, before its time is printed.

#include <beadwork/heuristic.hpp>

#include <cstdio>
#include <string>

using namespace beadwork;

int main() {
  constexpr std::size_t kRows = 1'000'000;
  constexpr std::size_t kFeatures = 100;
  constexpr std::size_t kList[] = {17, 3, 88, 42, 61, 9};
  Rng rng(1);
  Dataset::Parts parts;
  parts.class_names = {"no", "yes"};
  for (std::size_t f = 0; f < kFeatures; ++f) {
    parts.feature_names.push_back(std::string("f").append(std::to_string(f)));
    parts.columns.emplace_back(words_for(kRows));
    for (std::uint64_t& word : parts.columns[f]) word = rng.next();
    if (kRows % 64 != 0) parts.columns[f].back() &= (std::uint64_t{1} << kRows % 64) - 1;
  }
  std::size_t flipped = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    std::size_t i = 0;
    while (i < 6 && !bit(parts.columns[kList[i]], r)) ++i;
    const bool flip = rng.below(20) == 0;
    flipped += flip ? 1 : 0;
    parts.labels.emplace_back((i % 2 == 0) != flip ? 1 : 0);
  }
  const Dataset dataset(std::move(parts));

  const Stopwatch clock;
  const CartTree tree = cart(dataset, {.depth = 6});
  const double seconds = clock.seconds();
  std::size_t errors = 0;
  for (std::size_t r = 0; r < kRows; ++r)
    errors +=
        tree.diagram.classify([&](Feature f) { return dataset.value(f, Row{r}); }) != dataset.label(Row{r}) ? 1 : 0;
  if (errors != flipped) {
    std::fprintf(stderr, "cart_bench: %zu errors, expected the %zu rows of the other class\n", errors, flipped);
    return 1;
  }
  std::printf("cart, %zu rows x %zu features, depth 6: %zu nodes, %zu errors, %.3f s\n", kRows, kFeatures,
              tree.diagram.size(), errors, seconds);
  return 0;
}
