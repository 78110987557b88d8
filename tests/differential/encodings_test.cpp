// Seeded small tables on which every encoding, by MaxSAT and by SAT, agrees with enumeration.

#include "brute_force.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace testing_support;

constexpr std::size_t kTables = 2000;

struct Case {
  std::size_t features = 0;
  std::size_t depth = 1;
  std::vector<BitRow> rows;
  Dataset dataset;
};

Case random_case(Rng& rng, std::size_t classes) {
  Case c;
  c.features = 1 + rng.below(6);
  c.depth = 1 + rng.below(3);
  c.rows = random_rows(rng, 1 + rng.below(12), c.features, classes, rng.below(2) == 0);
  c.dataset = dataset_of(c.rows, c.features, classes);
  return c;
}

Outcome answer(const Case& c, std::string engine, std::string encoding, bool faithful) {
  Request options;
  ask(options, "engine", engine);
  if (engine == "maxsat") ask(options, "encoding", encoding);
  ask(options, "depth", static_cast<std::int64_t>(c.depth));
  ask(options, "faithful", faithful);
  auto outcome = learn(c.dataset, options);
  EXPECT_TRUE(outcome) << outcome.error().to_string();
  return outcome ? *outcome : Outcome{};
}

TEST(Encodings, OursAgreeWithEnumeration) {
  Rng rng(31);
  for (std::size_t round = 0; round < kTables; ++round) {
    const Case c = random_case(rng, 2 + rng.below(3));
    SCOPED_TRACE(fmt::format("round {}, depth {}\n{}", round, c.depth, describe(c.rows)));
    const Outcome known = answer(c, "enumerate", "pair", false);
    for (const char* encoding : {"bdd3", "pair"}) {
      const Outcome o = answer(c, "maxsat", encoding, false);
      ASSERT_EQ(o.status(), SolveStatus::optimal) << encoding;
      ASSERT_EQ(o.claim.upper_bound, known.claim.upper_bound) << encoding;
      ASSERT_EQ(training_errors(c.dataset, *o.diagram), *known.claim.upper_bound) << encoding;
    }
  }
}

TEST(Encodings, ThePapersModelAgreesWithFaithfulEnumeration) {
  Rng rng(32);
  std::size_t infeasible = 0;
  for (std::size_t round = 0; round < kTables; ++round) {
    const Case c = random_case(rng, 2);
    SCOPED_TRACE(fmt::format("round {}, depth {}\n{}", round, c.depth, describe(c.rows)));
    const Outcome known = answer(c, "enumerate", "pair", true);
    const Outcome searched = answer(c, "search", "pair", true);
    const Outcome o = answer(c, "maxsat", "bdd2", false);
    ASSERT_EQ(o.status(), known.status());
    ASSERT_EQ(o.claim.upper_bound, known.claim.upper_bound);
    ASSERT_EQ(searched.status(), known.status());
    ASSERT_EQ(searched.claim.upper_bound, known.claim.upper_bound);
    infeasible += known.status() == SolveStatus::infeasible ? 1 : 0;
    if (o.table) {
      ASSERT_EQ(o.features.size(), c.depth);
      const TruthTable filled = truth_of(*o.diagram, o.features, o.table->num_classes());
      ASSERT_TRUE(is_bead(filled, {0, 0, filled.num_cells()}));
    }
  }
  EXPECT_GT(infeasible, kTables / 50);  // the case is exercised
}

TEST(Encodings, LeastDepthAgreesWithEnumeration) {
  Rng rng(33);
  std::size_t settled = 0;
  for (std::size_t round = 0; round < kTables; ++round) {
    Case c = random_case(rng, 2);
    SCOPED_TRACE(fmt::format("round {}\n{}", round, describe(c.rows)));
    std::optional<std::size_t> known;  // the least depth at which the faithful optimum has no error
    for (c.depth = 0; c.depth <= c.features && !known; ++c.depth)
      if (answer(c, "enumerate", "pair", true).claim.upper_bound == 0) known = c.depth;
    for (const char* encoding : {"bdd1", "bdd2"}) {
      Request options;
      ask(options, "encoding", encoding);
      const auto least = min_depth(c.dataset, 1 + rng.below(7), options);
      ASSERT_TRUE(least) << least.error().to_string();
      ASSERT_EQ(least->depth, known) << encoding;
      ASSERT_EQ(least->status, known ? SolveStatus::optimal : SolveStatus::infeasible) << encoding;
    }
    settled += known ? 1 : 0;
  }
  EXPECT_GT(settled, kTables / 4);
}

}  // namespace
}  // namespace beadwork
