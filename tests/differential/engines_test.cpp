// Seeded small tables on which every exact engine must agree with brute force.

#include "brute_force.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace testing_support;

struct Case {
  std::size_t features, classes, depth;
  std::vector<BitRow> rows;
};

Case random_case(Rng& rng, std::size_t most_rows, std::size_t most_features, std::size_t most_classes,
                 std::size_t most_depth) {
  Case c;
  c.features = rng.below(most_features + 1);
  c.classes = 2 + rng.below(most_classes - 1);
  c.depth = rng.below(most_depth + 1);
  c.rows = random_rows(rng, 1 + rng.below(most_rows), c.features, c.classes, true);
  return c;
}

std::string describe(const Case& c, std::size_t round) {
  return fmt::format("round {}, depth {}, classes {}, rows (class, weight, bits):\n{}", round, c.depth, c.classes,
                     testing_support::describe(c.rows));
}

Set sorted_set(const std::vector<Feature>& features) {
  Set out;
  for (const Feature f : features) out.push_back(f());
  std::sort(out.begin(), out.end());
  return out;
}

// Weight of the rows that the diagram gets wrong, followed by hand.
std::int64_t errors_on(const std::vector<BitRow>& rows, const Diagram& d) {
  std::int64_t errors = 0;
  for (const BitRow& r : rows) {
    std::size_t n = 0;
    while (!d.nodes()[n].sink) {
      const DiagramNode& node = d.nodes()[n];
      n = (r.bits[node.feature()] == '1' ? node.high : node.low)();
    }
    if ((*d.nodes()[n].answer)() != r.label) errors += r.weight;
  }
  return errors;
}

// What holds for every optimal answer.
void check_optimal(const Case& c, const Outcome& o, std::int64_t errors) {
  ASSERT_EQ(o.status(), SolveStatus::optimal);
  ASSERT_EQ(o.claim.lower_bound, errors);
  ASSERT_EQ(o.claim.upper_bound, errors);
  ASSERT_TRUE(o.diagram);
  ASSERT_EQ(errors_on(c.rows, *o.diagram), errors);
  ASSERT_LE(o.features.size(), c.depth);
  ASSERT_LE(o.diagram->depth(), c.depth);
  ASSERT_TRUE(o.diagram->ordered());
  ASSERT_TRUE(o.diagram->reduced());
  for (const Feature f : o.diagram->used_features())
    ASSERT_NE(std::find(o.features.begin(), o.features.end(), f), o.features.end());
}

TEST(Differential, ExactEnginesAgreeWithBruteForce) {
  std::vector<const Engine*> exact_ones;
  for (const Engine& engine : engines())
    if (engine.exact() && engine.family == Scope::Family::diagrams) exact_ones.push_back(&engine);
  ASSERT_FALSE(exact_ones.empty());
  Rng rng(2024);
  for (std::size_t round = 0; round < 8000; ++round) {
    const Case c = random_case(rng, 14, 7, 4, 4);
    SCOPED_TRACE(describe(c, round));
    const Dataset dataset = dataset_of(c.rows, c.features, c.classes);
    const std::int64_t errors = least_errors(c.rows, c.features, c.depth);
    for (const Engine* engine : exact_ones) {
      SCOPED_TRACE(std::string(engine->name));
      Request options;
      ask(options, "engine", engine->name);
      ask(options, "depth", static_cast<std::int64_t>(c.depth));
      const auto outcome = learn(dataset, options);
      ASSERT_TRUE(outcome) << outcome.error().to_string();
      check_optimal(c, *outcome, errors);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Differential, EnumerateReturnsTheLeastOptimalSet) {
  Rng rng(77);
  for (std::size_t round = 0; round < 4000; ++round) {
    const Case c = random_case(rng, 10, 7, 3, 4);
    SCOPED_TRACE(describe(c, round));
    const Set from = representatives(c.rows, c.features);
    const Best best = best_set(c.rows, from, std::min(c.depth, from.size()));
    Request options;
    ask(options, "engine", "enumerate");
    ask(options, "depth", static_cast<std::int64_t>(c.depth));
    const auto outcome = learn(dataset_of(c.rows, c.features, c.classes), options);
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    ASSERT_EQ(outcome->claim.upper_bound, best.errors);
    ASSERT_EQ(sorted_set(outcome->features), best.set);
  }
}

void check_faithful(Rng& rng, std::size_t rounds, std::size_t most_features, std::size_t most_classes,
                    std::size_t most_depth) {
  std::size_t infeasible = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    const Case c = random_case(rng, 9, most_features, most_classes, most_depth);
    SCOPED_TRACE(describe(c, round));
    const auto best = best_faithful(c.rows, c.features, c.depth, c.classes);
    Request options;
    ask(options, "engine", "enumerate");
    ask(options, "faithful", true);
    ask(options, "depth", static_cast<std::int64_t>(c.depth));
    const auto outcome = learn(dataset_of(c.rows, c.features, c.classes), options);
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    if (!best) {
      ++infeasible;
      ASSERT_EQ(outcome->status(), SolveStatus::infeasible);
      ASSERT_FALSE(outcome->diagram);
      continue;
    }
    check_optimal(c, *outcome, best->errors);
    if (testing::Test::HasFatalFailure()) return;
    ASSERT_EQ(sorted_set(outcome->features), best->set);
    ASSERT_EQ(outcome->features.size(), c.depth);
    // The root is a bead: the diagram starts with a test of the first feature.
    if (c.depth > 0) {
      ASSERT_FALSE(outcome->diagram->nodes()[0].sink);
      ASSERT_EQ(outcome->diagram->nodes()[0].feature, outcome->features[0]);
    }
  }
  EXPECT_GT(infeasible, 0U);
}

TEST(Differential, FaithfulAgreesWithAllTablesOfTwoFeatures) {
  Rng rng(31);
  check_faithful(rng, 3000, 5, 2, 2);
}

TEST(Differential, FaithfulAgreesWithAllTablesOfThreeFeatures) {
  Rng rng(32);
  check_faithful(rng, 600, 4, 2, 3);
}

TEST(Differential, FaithfulAgreesWithSeveralClasses) {
  Rng rng(33);
  check_faithful(rng, 600, 4, 3, 2);
}

TEST(Differential, FaithfulIsInfeasibleWithOneClass) {
  Request options;
  ask(options, "engine", "enumerate");
  ask(options, "faithful", true);
  ask(options, "depth", 1);
  const auto outcome = learn(dataset_of({{"0", 0}, {"1", 0}}, 1, 1), options);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status(), SolveStatus::infeasible);
}

}  // namespace
}  // namespace beadwork
