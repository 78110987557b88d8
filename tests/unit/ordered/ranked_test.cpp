#include "unit/ordered/tables.hpp"

#include <cmath>

namespace beadwork {
namespace {

using namespace test;

const double kNone = std::numeric_limits<double>::quiet_NaN();

Column numeric(std::string name, std::vector<double> numbers) {
  return {std::move(name), ColumnType::numeric, std::move(numbers), {}, {}};
}
Column nominal(std::string name, std::vector<std::string> levels, const std::vector<std::uint32_t>& codes) {
  Column c{std::move(name), ColumnType::nominal, {}, {}, std::move(levels)};
  for (const std::uint32_t code : codes) c.codes.push_back(code);
  return c;
}

TEST(Ranked, RanksValuesWithMissingLast) {
  const Table table = *Table::make({numeric("a", {3, kNone, 1, 3}), numeric("empty", {kNone, kNone, kNone, kNone}),
                                    nominal("y", {"n", "p"}, {0, 1, 0, 1})},
                                   2);
  const auto data = rank(table);
  ASSERT_TRUE(data);
  ASSERT_EQ(data->columns.size(), 2u);
  EXPECT_EQ(data->columns[0].ranks, (std::vector<std::uint32_t>{1, 2, 0, 1}));
  EXPECT_EQ(data->columns[0].num_cuts(), 2u);
  EXPECT_EQ(data->columns[1].num_cuts(), 0u);
  EXPECT_EQ(to_test(*data, {0, 0}), (beadwork::Test{0, TestKind::at_most, 2, {}}));
  EXPECT_EQ(to_test(*data, {0, 1}), (beadwork::Test{0, TestKind::missing, 0, {}}));
  EXPECT_THROW(to_test(*data, {0, 2}), ContractViolation);
}

TEST(Ranked, NominalColumnsAreTheTestsOfABinarizer) {
  const Table table = *Table::make({nominal("colour", {"red", "blue", "green"}, {0, 1, 2, Codes::kMissing}),
                                    nominal("flag", {"0", "1"}, {0, 1, 1, 0}), nominal("y", {"n", "p"}, {0, 1, 0, 1})},
                                   2);
  const auto data = rank(table);
  ASSERT_TRUE(data);
  const auto binarizer = Binarizer::fit(table, {});
  ASSERT_EQ(data->columns.size(), binarizer->num_features());
  for (std::uint32_t c = 0; c < data->columns.size(); ++c) EXPECT_EQ(to_test(*data, {c, 0}), binarizer->tests()[c]);
  EXPECT_EQ(data->columns[0].ranks, (std::vector<std::uint32_t>{1, 0, 1, 1}));  // colour = blue
}

// Cut by cut the tests and bits of a Binarizer with all thresholds; `is missing` is the cut turned round.
TEST(Ranked, CutsAreTheFeaturesOfAllThresholds) {
  Rng rng(5);
  for (int i = 0; i < 300; ++i) {
    const Table table = random_table(rng, random_shape(rng));
    const auto data = rank(table);
    ASSERT_TRUE(data);
    const auto binarizer = Binarizer::fit(table, {{ThresholdRule::Kind::all, 0}});
    const auto cuts = all_cuts(*data);
    ASSERT_EQ(cuts.size(), binarizer->num_features());
    const Dataset dataset = *binarizer->apply(table);
    std::vector<Feature> all;
    for (std::size_t f = 0; f < cuts.size(); ++f) all.emplace_back(f);
    const Binarizer tests = Binarizer::of(std::make_shared<const RankedData>(*data));
    EXPECT_TRUE(tests.select(all) == binarizer->select(all));
    for (std::size_t f = 0; f < cuts.size(); ++f) {
      const RankedColumn& c = data->columns[cuts[f].column];
      const bool turned = !c.test && binarizer->tests()[f].kind == TestKind::missing;
      for (std::size_t r = 0; r < table.num_rows(); ++r)
        EXPECT_EQ(c.ranks[r] <= cuts[f].rank, dataset.value(Feature{f}, Row{r}) != turned);
    }
  }
}

// Columns that come after the first million values are left out, and nothing is proven without them.
TEST(Ranked, StopsWithTheDeadline) {
  std::vector<double> numbers;
  std::vector<std::uint32_t> codes;
  for (std::uint32_t r = 0; r < 600000; ++r) {
    numbers.push_back(r % 10);
    codes.push_back(r % 10 < 4 ? 0 : 1);
  }
  const Table table = *Table::make(
      {numeric("a", numbers), numeric("b", numbers), numeric("c", numbers), nominal("y", {"n", "p"}, codes)}, 3);
  Control control;
  control.deadline = Deadline::in(-1);
  const auto data = rank(table, control);
  ASSERT_TRUE(data);
  EXPECT_FALSE(data->complete);
  EXPECT_EQ(data->columns.size(), 2u);
  auto outcome = search_ordered(*data, {}, control);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, OrderedStatus::feasible);
  EXPECT_EQ(outcome->error, 240000);
  EXPECT_EQ(outcome->lower_bound, 0);
  outcome = search_ordered(*data, {}, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, OrderedStatus::feasible);
  EXPECT_EQ(outcome->error, 0);
}

}  // namespace
}  // namespace beadwork
