// Engines that are exact among decision trees, against all trees of the depth.

#include "support/datasets.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace beadwork {
namespace {

using namespace testing_support;

std::int64_t leaf_errors(const std::vector<BitRow>& rows) {
  std::map<std::size_t, std::int64_t> weights;
  std::int64_t total = 0;
  std::int64_t most = 0;
  for (const BitRow& r : rows) {
    most = std::max(most, weights[r.label] += r.weight);
    total += r.weight;
  }
  return total - most;
}

// Every test at the root, every tree on either side.
std::int64_t least_tree_errors(const std::vector<BitRow>& rows, std::size_t features, std::size_t depth) {
  std::int64_t best = leaf_errors(rows);
  if (depth == 0) return best;
  for (std::size_t f = 0; f < features; ++f) {
    std::vector<BitRow> low;
    std::vector<BitRow> high;
    for (const BitRow& r : rows) (r.bits[f] == '1' ? high : low).push_back(r);
    best = std::min(best, least_tree_errors(low, features, depth - 1) + least_tree_errors(high, features, depth - 1));
  }
  return best;
}

TEST(Differential, TreeEnginesAgreeWithAllTrees) {
  std::vector<const Engine*> of_trees;
  for (const Engine& engine : engines())
    if (engine.exact() && engine.family == Scope::Family::trees) of_trees.push_back(&engine);
  ASSERT_FALSE(of_trees.empty());
  Rng rng(500);
  for (std::size_t round = 0; round < 500; ++round) {
    const std::size_t features = rng.below(6);
    const std::size_t classes = 2 + rng.below(3);
    const std::size_t depth = rng.below(4);
    const auto rows = random_rows(rng, 1 + rng.below(12), features, classes, true);
    SCOPED_TRACE(fmt::format("round {}, depth {}, rows (class, weight, bits):\n{}", round, depth, describe(rows)));
    const std::int64_t errors = least_tree_errors(rows, features, depth);
    for (const Engine* engine : of_trees) {
      Request options;
      ask(options, "engine", engine->name);
      ask(options, "depth", static_cast<std::int64_t>(depth));
      for (const bool no_seed : {false, true}) {
        ask(options, "no_seed", no_seed);
        const auto outcome = learn(dataset_of(rows, features, classes), options);
        ASSERT_TRUE(outcome) << outcome.error().to_string();
        ASSERT_EQ(outcome->status(), SolveStatus::optimal);
        ASSERT_EQ(outcome->claim.lower_bound, errors);
        ASSERT_EQ(outcome->claim.upper_bound, errors);
        ASSERT_LE(outcome->diagram->depth(), depth);
        // A tree: every node but the root has one parent.
        ASSERT_EQ(outcome->diagram->num_paths(), outcome->diagram->size() - outcome->diagram->inner_nodes());
      }
    }
  }
}

}  // namespace
}  // namespace beadwork
