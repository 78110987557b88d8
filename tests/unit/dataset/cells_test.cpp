#include "support/datasets.hpp"
#include <beadwork/dataset.hpp>

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace beadwork {
namespace {

using testing_support::plain_dataset;

CostMatrix random_costs(Rng& rng, std::size_t classes) {
  CostMatrix out;
  for (std::size_t i = 0; i < classes * classes; ++i) out.push_back(static_cast<std::int64_t>(rng.below(9)));
  return out;
}

// What answering k costs in each cell, by the definition; cells are the values of the features as texts of 0 and 1.
std::map<std::string, std::vector<std::int64_t>> by_definition(const Dataset& d, const std::vector<Feature>& order,
                                                               const CostMatrix& costs) {
  std::map<std::string, std::vector<std::int64_t>> out;
  for (std::size_t r = 0; r < d.num_rows(); ++r) {
    std::string cell;
    for (const Feature f : order) cell += d.value(f, Row{r}) ? '1' : '0';
    auto& answers = out[cell];
    answers.resize(d.num_classes());
    for (std::size_t k = 0; k < d.num_classes(); ++k) {
      const std::size_t j = d.label(Row{r})();
      const std::int64_t each = costs.empty() ? (j != k ? 1 : 0) : costs[j * d.num_classes() + k];
      answers[k] += d.weight(Row{r}) * each;
    }
  }
  return out;
}

TEST(Cells, CostWhatTheDefinitionSays) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t classes = 2 + rng.below(3), depth = rng.below(5);
    const Dataset d = plain_dataset(rng, 1 + rng.below(5000 / (1 + rng.below(100))), 5, classes);
    const CostMatrix costs = rng.below(2) == 0 ? CostMatrix{} : random_costs(rng, classes);
    std::vector<Feature> order;
    for (std::size_t i = 0; i < depth; ++i) order.emplace_back(rng.below(5));
    const auto counts = count_cells(d, order);
    const auto answers = answer_costs(counts, classes, costs);
    ASSERT_EQ(answers.size(), classes << depth);
    const auto expected = by_definition(d, order, costs);
    std::int64_t sum = 0;
    for (std::size_t cell = 0; cell < std::size_t{1} << depth; ++cell) {
      std::string name;
      for (std::size_t i = depth; i-- > 0;) name += (cell >> i & 1) != 0 ? '1' : '0';
      const auto at = expected.find(name);
      for (std::size_t k = 0; k < classes; ++k)
        EXPECT_EQ(answers[cell * classes + k], at == expected.end() ? 0 : at->second[k]);
      if (at != expected.end()) sum += *std::min_element(at->second.begin(), at->second.end());
    }
    EXPECT_EQ(cells_cost(counts, classes, costs), sum);
    EXPECT_EQ(least_costs(answers, classes), sum);
  }
}

TEST(Cells, DistinctRowsCostWhatTheirRowsDo) {
  Rng rng(4);
  for (int round = 0; round < 50; ++round) {
    const std::size_t classes = 2 + rng.below(3);
    const Dataset d = plain_dataset(rng, 1 + rng.below(60), 4, classes);
    const CostMatrix costs = rng.below(2) == 0 ? CostMatrix{} : random_costs(rng, classes);
    const Condensed c = condense(d);
    const auto answers = row_costs(c, costs);
    ASSERT_TRUE(answers);
    std::vector<std::int64_t> expected(c.num_rows * classes);
    for (std::size_t r = 0; r < d.num_rows(); ++r)
      add_costs(std::span(expected).subspan(c.row_of[r] * classes, classes), costs, d.label(Row{r})(),
                d.weight(Row{r}));
    EXPECT_EQ(*answers, expected);
  }
}

TEST(Cells, AMatrixOfCostsIsSquareAndNotNegative) {
  EXPECT_TRUE(check_cost_matrix({}, 3));
  EXPECT_TRUE(check_cost_matrix({0, 1, 2, 0}, 2));
  EXPECT_FALSE(check_cost_matrix({0, 1, 2}, 2));
  EXPECT_FALSE(check_cost_matrix({0, 1, -2, 0}, 2));
}

// Rows of many classes with all costs are more than a look's worth of steps.
TEST(Cells, RowCostsLookAtTheControl) {
  Rng rng(5);
  const Dataset d = plain_dataset(rng, 9000, 20, 100);
  const Condensed c = condense(d);
  Control stopped;
  stopped.deadline = Deadline::in(0);
  const auto out = row_costs(c, random_costs(rng, 100), stopped);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, ErrorCode::limit);
}

TEST(Cells, AreCountedAlikeWithOneFeatureLess) {
  Rng rng(6);
  for (int round = 0; round < 50; ++round) {
    const Dataset d = plain_dataset(rng, 1 + rng.below(80), 6, 3);
    FeatureSet set;
    for (std::size_t f = 0; f < 6; ++f)
      if (rng.below(2) == 0) set.emplace_back(f);
    FeatureSet kept;
    for (const Feature f : set)
      if (rng.below(4) == 0) kept.push_back(f);
    std::set<FeatureSet> seen;
    each_smaller(set, count_cells(d, set), 3, kept, [&](const FeatureSet& smaller, auto&& count) {
      EXPECT_EQ(count(), count_cells(d, smaller));
      seen.insert(smaller);
      EXPECT_TRUE(std::includes(smaller.begin(), smaller.end(), kept.begin(), kept.end()));
    });
    EXPECT_EQ(seen.size(), set.size() - kept.size());
  }
}

TEST(Cells, AreRefinedAndNumberedByTheirFirstRows) {
  Rng rng(7);
  for (int round = 0; round < 50; ++round) {
    const Dataset d = plain_dataset(rng, 1 + rng.below(300), 6, 2);
    std::vector<std::uint32_t> plain(d.num_rows()), dense(d.num_rows()), numbered(d.num_rows());
    std::vector<std::uint64_t> bits(d.num_rows());
    std::uint32_t cells = 1;
    for (std::size_t f = 0; f < 6; ++f) {
      const auto value = [&](std::size_t r) { return d.value(Feature{f}, Row{r}); };
      part_cells(plain, value);
      cells = refine_cells(dense, cells, value);
      for (std::size_t r = 0; r < bits.size(); ++r) bits[r] = bits[r] << 1 | std::uint64_t{value(r)};
    }
    std::map<std::uint32_t, std::uint32_t> first;  // number by first row
    for (std::size_t r = 0; r < plain.size(); ++r) {
      first.try_emplace(plain[r], static_cast<std::uint32_t>(first.size()));
      EXPECT_EQ(dense[r], first[plain[r]]);
    }
    EXPECT_EQ(cells, first.size());
    EXPECT_EQ(renumber(numbered, bits), cells);
    EXPECT_EQ(numbered, dense);
  }
}

}  // namespace
}  // namespace beadwork
