#include <beadwork/dataset.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace beadwork {
namespace {

void check_partition(const Split& s, std::size_t rows) {
  ASSERT_TRUE(std::is_sorted(s.train.begin(), s.train.end()));
  ASSERT_TRUE(std::is_sorted(s.test.begin(), s.test.end()));
  std::set<Row> all(s.train.begin(), s.train.end());
  all.insert(s.test.begin(), s.test.end());
  ASSERT_EQ(all.size(), rows);
  ASSERT_EQ(s.train.size() + s.test.size(), rows);
  ASSERT_EQ((*all.rbegin())(), rows - 1);
}

void check_folds(const std::vector<Split>& folds, std::size_t rows, std::size_t k) {
  ASSERT_EQ(folds.size(), k);
  std::set<Row> tested;
  std::size_t least = rows;
  std::size_t most = 0;
  for (const Split& s : folds) {
    check_partition(s, rows);
    tested.insert(s.test.begin(), s.test.end());
    least = std::min(least, s.test.size());
    most = std::max(most, s.test.size());
  }
  ASSERT_EQ(tested.size(), rows);
  ASSERT_LE(most - least, 1U);
  ASSERT_GE(least, 1U);
}

TEST(Folds, PartitionTheRows) {
  for (std::size_t rows = 2; rows < 40; ++rows)
    for (std::size_t k = 2; k <= rows; ++k) {
      const auto folds = k_folds(rows, k, rows * k);
      ASSERT_TRUE(folds);
      check_folds(*folds, rows, k);
      if (HasFatalFailure()) return;
    }
  EXPECT_FALSE(k_folds(10, 1, 0));
  EXPECT_FALSE(k_folds(10, 0, 0));
  EXPECT_FALSE(k_folds(10, 11, 0));
  EXPECT_FALSE(k_folds(0, 2, 0));
}

TEST(Folds, RepeatForASeed) {
  EXPECT_EQ(*k_folds(50, 5, 7), *k_folds(50, 5, 7));
  EXPECT_NE(*k_folds(50, 5, 7), *k_folds(50, 5, 8));
  const std::vector<Class> labels(50);
  EXPECT_EQ(*stratified_k_folds(labels, 5, 7), *stratified_k_folds(labels, 5, 7));
  EXPECT_NE(*stratified_k_folds(labels, 5, 7), *stratified_k_folds(labels, 5, 8));
  EXPECT_EQ(*hold_out(50, 0.5, 7), *hold_out(50, 0.5, 7));
  EXPECT_NE(*hold_out(50, 0.5, 7), *hold_out(50, 0.5, 8));
}

std::vector<Class> random_labels(Rng& rng, std::size_t rows, std::size_t classes) {
  std::vector<Class> labels;
  for (std::size_t r = 0; r < rows; ++r) labels.emplace_back(rng.below(1 + rng.below(classes)));
  return labels;
}

TEST(Folds, StratifiedSpreadEachClass) {
  Rng rng(15);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 2 + rng.below(60);
    const std::size_t k = 2 + rng.below(std::min<std::size_t>(rows, 10) - 1);
    const auto labels = random_labels(rng, rows, 4);
    const auto folds = stratified_k_folds(labels, k, rng.next());
    ASSERT_TRUE(folds);
    check_folds(*folds, rows, k);
    for (std::size_t c = 0; c < 4; ++c) {
      std::vector<std::size_t> counts;
      for (const Split& s : *folds)
        counts.push_back(static_cast<std::size_t>(
            std::count_if(s.test.begin(), s.test.end(), [&](Row r) { return labels[r()] == Class{c}; })));
      const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
      ASSERT_LE(*most - *least, 1U);
    }
  }
  EXPECT_FALSE(stratified_k_folds(std::vector<Class>(3), 4, 0));
}

TEST(HoldOut, TrainsTheFloorOfTheShare) {
  struct Case {
    std::size_t rows;
    double ratio;
    std::size_t train;
  };
  for (const Case& c : std::initializer_list<Case>{{20, 0.15, 3},  // 2.9999999999999996 in binary
                                                   {100, 0.29, 29},
                                                   {10, 0.7, 7},
                                                   {10, 0.75, 7},
                                                   {3, 0.34, 1},
                                                   {1000, 0.999, 999},
                                                   {7, 1.0 / 7, 1},
                                                   {2, 0.5, 1}}) {
    const auto s = hold_out(c.rows, c.ratio, 3);
    ASSERT_TRUE(s) << c.rows << ' ' << c.ratio;
    check_partition(*s, c.rows);
    EXPECT_EQ(s->train.size(), c.train) << c.rows << ' ' << c.ratio;
  }
  for (const std::size_t percent : {5U, 10U, 15U, 20U, 25U, 35U, 55U, 80U, 95U})
    for (std::size_t rows = 20; rows <= 400; rows += 20) {
      const auto s = hold_out(rows, static_cast<double>(percent) / 100, 1);
      ASSERT_TRUE(s);
      EXPECT_EQ(s->train.size(), rows * percent / 100);
    }
  for (const double bad : {0.0, 1.0, -0.5, 1.5, std::nan("")}) EXPECT_FALSE(hold_out(10, bad, 0)) << bad;
  EXPECT_FALSE(hold_out(3, 0.3, 0));  // nobody to train
  EXPECT_FALSE(hold_out(0, 0.5, 0));
  EXPECT_FALSE(hold_out(1, 0.5, 0));
}

TEST(HoldOut, StratifiedRoundsEachClass) {
  Rng rng(16);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 4 + rng.below(60);
    const auto labels = random_labels(rng, rows, 3);
    const double ratio = 0.05 + 0.9 * rng.unit();
    const auto s = stratified_hold_out(labels, ratio, rng.next());
    if (!s) continue;  // classes of one row may leave a side empty
    check_partition(*s, rows);
    std::map<Class, std::size_t> size;
    std::map<Class, std::size_t> trained;
    for (const Class k : labels) ++size[k];
    for (const Row r : s->train) ++trained[labels[r()]];
    for (const auto& [k, n] : size) {
      const double exact = ratio * static_cast<double>(n);
      if (n >= 2) {
        ASSERT_GE(trained[k], 1U);
        ASSERT_LT(trained[k], n);
      }
      if (exact >= 1 && exact <= static_cast<double>(n) - 1) {
        ASSERT_EQ(static_cast<double>(trained[k]), std::floor(exact + 1e-9));
      }
    }
  }
  EXPECT_FALSE(stratified_hold_out(std::vector<Class>(5), 1.0, 0));
}

}  // namespace
}  // namespace beadwork
