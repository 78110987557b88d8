// Pairs on demand against enumeration: the same optimum, bounds that hold, fewer pairs than there are.
#include "support/datasets.hpp"
#include "support/requests.hpp"
#include <beadwork/engine/lazy_pairs.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace testing_support;

Dataset random_dataset(Rng& rng, std::size_t rows, std::size_t features, std::size_t classes) {
  return dataset_of(random_rows(rng, rows, features, classes, true), features, classes);
}

TEST(LazyPairs, FindsAndProvesWhatEnumerationFinds) {
  Rng rng(31);
  std::size_t fewer = 0;
  for (int round = 0; round < 450; ++round) {
    const std::size_t classes = 2 + rng.below(2);
    const Dataset d = random_dataset(rng, 1 + rng.below(24), 1 + rng.below(7), classes);
    const Examples examples = merged_examples(d);
    Request options;
    ask(options, "engine", "enumerate");
    ask(options, "depth", 1 + static_cast<std::int64_t>(rng.below(3)));
    const auto expected = learn(d, options);
    ASSERT_TRUE(expected);
    const std::size_t depth = std::min<std::size_t>(options.depth(), examples.num_features());
    if (depth == 0) continue;
    std::vector<std::size_t> start;
    if (round % 2 == 0) start.push_back(rng.below(examples.num_features()));
    const auto got = solve_by_lazy_pairs(examples, depth, start, FormulaOptions{}, {});
    ASSERT_TRUE(got) << got.error().to_string();
    ASSERT_EQ(got->status, SolveStatus::optimal);
    ASSERT_EQ(got->errors, *expected->claim.upper_bound);
    ASSERT_EQ(got->lower_bound, got->errors);
    ASSERT_LE(got->selected.size(), depth);
    ASSERT_LE(got->pairs, count_pairs(examples));
    fewer += got->pairs < count_pairs(examples) ? 1 : 0;
  }
  EXPECT_GT(fewer, 150U);
}

TEST(LazyPairs, StoppedItsBoundsHold) {
  Rng rng(32);
  const Dataset d = random_dataset(rng, 200, 12, 2);
  Control control;
  control.deadline = Deadline::in(0);
  const auto got = solve_by_lazy_pairs(merged_examples(d), 3, {0, 1, 2}, FormulaOptions{}, control);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, SolveStatus::feasible);
  EXPECT_LE(got->lower_bound, got->errors);
  EXPECT_EQ(got->selected, (std::vector<std::size_t>{0, 1, 2}));
}

}  // namespace
}  // namespace beadwork
