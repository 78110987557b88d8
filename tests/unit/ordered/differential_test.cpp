// The ordered search against a brute force over the Binarizer's thresholds. BEADWORK_ORDERED_TABLES multiplies the
// number of tables.

#include "unit/ordered/tables.hpp"

#include <cstdlib>

namespace beadwork {
namespace {

using namespace test;

void expect_answer(const RankedData& data, const Table& table, const OrderedOptions& o, const Brute& brute,
                   const std::string& what) {
  const auto got = search_ordered(data, o, {});
  ASSERT_TRUE(got) << what << ": " << got.error().to_string();
  if (!brute.error) {
    EXPECT_EQ(got->status, OrderedStatus::infeasible) << what;
    return;
  }
  ASSERT_EQ(got->status, OrderedStatus::optimal) << what;
  EXPECT_EQ(got->error, *brute.error) << what;
  EXPECT_EQ(got->lower_bound, *brute.error) << what;
  EXPECT_EQ(*cuts_error(data, o, got->cuts), *brute.error) << what;
  for (const Cut& c : got->cuts) EXPECT_TRUE(brute.allowed(c)) << what;
  EXPECT_LE(got->cuts.size(), o.depth) << what;
  for (const std::uint32_t c : o.require_columns)
    EXPECT_TRUE(std::any_of(got->cuts.begin(), got->cuts.end(), [c](const Cut& cut) { return cut.column == c; }))
        << what << " column " << c;
  if (o.require_columns.empty()) {
    EXPECT_TRUE(got->first) << what;
    EXPECT_EQ(got->cuts, brute.best) << what;
  }
  // What the Binarizer of these cuts makes of the table has that error.
  std::vector<Feature> features, numbers;
  for (std::size_t i = 0; i < got->cuts.size(); ++i) {
    features.emplace_back(i);
    numbers.emplace_back(data.feature_number(got->cuts[i]));
  }
  const Binarizer binarizer = Binarizer::of(std::make_shared<const RankedData>(data)).select(numbers);
  EXPECT_EQ(brute_error(*binarizer.apply(table), o.costs, features), *brute.error) << what;
}

TEST(OrderedDifferential, AnswersAreThoseOfABruteForce) {
  const char* seed = std::getenv("BEADWORK_ORDERED_SEED");
  Rng rng(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
  std::size_t infeasible = 0;
  for (std::size_t i = 0; i < tables(5000) && !testing::Test::HasFailure(); ++i) {
    const Table table = random_table(rng, random_shape(rng));
    const auto data = rank(table);
    ASSERT_TRUE(data) << data.error().to_string();
    const Dataset dataset = all_features(table);
    OrderedOptions o = random_options(rng, *data);
    Brute brute{*data, dataset, o};
    brute.run();
    infeasible += brute.error ? 0 : 1;
    expect_answer(*data, table, o, brute, "table " + std::to_string(i) + " depth " + std::to_string(o.depth));
  }
  EXPECT_LT(infeasible, tables(1700));
}

// Larger tables: boxes are halved several times, and relaxed nodes are nested.
TEST(OrderedDifferential, LargerTables) {
  Rng rng(2);
  for (std::size_t i = 0; i < tables(60) && !testing::Test::HasFailure(); ++i) {
    Shape s = random_shape(rng);
    s.rows = 20 + rng.below(60);
    s.values = 4 + rng.below(12);
    const Table table = random_table(rng, s);
    const auto data = rank(table);
    ASSERT_TRUE(data) << data.error().to_string();
    OrderedOptions o = random_options(rng, *data);
    o.depth = all_cuts(*data).size() > 24 ? 3 : 4;
    const Dataset dataset = all_features(table);
    Brute brute{*data, dataset, o};
    brute.run();
    expect_answer(*data, table, o, brute, "larger table " + std::to_string(i) + " depth " + std::to_string(o.depth));
  }
}

}  // namespace
}  // namespace beadwork
