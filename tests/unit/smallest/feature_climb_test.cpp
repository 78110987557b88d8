// What the climb offers are diagrams that exist.

#include "support/datasets.hpp"
#include <beadwork/smallest/feature_climb.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace testing_support;

std::int64_t errors_of(const Dataset& d, const Diagram& diagram) {
  std::int64_t errors = 0;
  for (std::size_t r = 0; r < d.num_rows(); ++r)
    if (diagram.classify([&](Feature f) { return d.value(f, Row{r}); }) != d.label(Row{r})) errors += d.weight(Row{r});
  return errors;
}

TEST(FeatureClimb, OffersDiagramsThatExist) {
  Rng rng(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t features = 2 + rng.below(8), classes = 2 + rng.below(2);
    const Dataset d = dataset_of(random_rows(rng, 10 + rng.below(60), features, classes, true), features, classes);
    const Condensed data = condense(d);
    SearchOptions options;
    options.forbid = {Feature{rng.below(features)}};
    FeatureClimb climb(d, data, options);
    const EverySize any;
    std::map<std::size_t, std::int64_t> before;
    for (std::size_t h = 1; h <= 5; ++h) {
      const EverySize& found = climb.run(h, any, {});
      for (const auto& [size, best] : found.best) {
        const Diagram diagram = diagram_of(best.table);
        EXPECT_LE(diagram.size(), size);
        EXPECT_EQ(errors_of(d, diagram), best.errors);
        EXPECT_LE(best.table.depth(), h);
        for (const Feature f : diagram.used_features()) EXPECT_NE(f, options.forbid[0]);
      }
      for (const auto& [size, errors] : before) EXPECT_GT(errors, found.limit(size));  // nothing is forgotten
      before.clear();
      for (const auto& [size, best] : found.best) before[size] = best.errors;
    }
  }
}

}  // namespace
}  // namespace beadwork
