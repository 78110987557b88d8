// What the climb over diagrams returns exists, is no larger than asked for, and on small tables is often the best there
// is.

#include "support/datasets.hpp"
#include <beadwork/smallest/diagram_climb.hpp>
#include <beadwork/smallest/feature_climb.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace testing_support;

std::int64_t errors_in(const Dataset& d, const Diagram& diagram) {
  std::int64_t errors = 0;
  for (std::size_t r = 0; r < d.num_rows(); ++r)
    if (diagram.classify([&](Feature f) { return d.value(f, Row{r}); }) != d.label(Row{r})) errors += d.weight(Row{r});
  return errors;
}

TEST(DiagramClimb, ReturnsDiagramsThatExist) {
  Rng rng(5);
  std::size_t best = 0;
  constexpr std::size_t kRounds = 150;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::size_t features = 3 + rng.below(6), classes = 2 + rng.below(2);
    const Dataset d = dataset_of(random_rows(rng, 10 + rng.below(60), features, classes, true), features, classes);
    const Condensed data = condense(d);
    SearchOptions options;
    options.forbid = {Feature{rng.below(features)}};
    options.depth = 1 + rng.below(4);
    const std::size_t tests = 1 + rng.below(6), answers = 2 + rng.below(classes - 1);
    DiagramClimb climb(data, *row_costs(data, {}), allowed_places(data, options), round);
    const Best found = climb.run(tests, options.depth, answers, 100'000, {});
    const Diagram diagram = diagram_of(found.table);
    EXPECT_EQ(errors_in(d, diagram), found.errors);
    EXPECT_LE(diagram.size(), tests + answers);
    EXPECT_LE(found.table.depth(), options.depth);
    for (const Feature f : diagram.used_features()) EXPECT_NE(f, options.forbid[0]);
    const auto least = least_errors_within(d, options, tests + answers);
    ASSERT_TRUE(least);
    EXPECT_GE(found.errors, least->errors);
    best += found.errors == least->errors ? 1 : 0;
    DiagramClimb again(data, *row_costs(data, {}), allowed_places(data, options), round);
    EXPECT_EQ(again.run(tests, options.depth, answers, 100'000, {}).table, found.table);
  }
  EXPECT_GT(best, kRounds / 3);
}

TEST(DiagramClimb, StopsWhenTold) {
  Rng rng(6);
  const Dataset d = dataset_of(random_rows(rng, 100, 10, 2, true), 10, 2);
  const Condensed data = condense(d);
  Control control;
  control.deadline = Deadline::in(0);
  DiagramClimb climb(data, *row_costs(data, {}), allowed_places(data, {}), 0);
  const Best found = climb.run(5, 4, 2, UINT64_MAX / 2, control);
  EXPECT_EQ(errors_in(d, diagram_of(found.table)), found.errors);
}

}  // namespace
}  // namespace beadwork
