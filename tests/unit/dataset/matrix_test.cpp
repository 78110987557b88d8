#include "support/datasets.hpp"
#include "support/looks.hpp"
#include <beadwork/dataset.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace beadwork {
namespace {

using namespace testing_support;

Dataset::Parts good_parts() {
  return {{BitColumn{0b101}, BitColumn{0b010}}, {"a", "b"}, {Class{0}, Class{1}, Class{0}}, {"no", "yes"}, {}, 1};
}

TEST(Dataset, RefusesPartsThatDoNotFit) {
  EXPECT_NO_THROW(Dataset{good_parts()});
  const auto throws = [](auto&& spoil) {
    Dataset::Parts p = good_parts();
    spoil(p);
    EXPECT_THROW(Dataset{p}, ContractViolation);
  };
  throws([](auto& p) { p.feature_names.pop_back(); });
  throws([](auto& p) { p.class_names.clear(); });
  throws([](auto& p) { p.class_names.pop_back(); });
  throws([](auto& p) { p.labels[1] = Class{2}; });
  throws([](auto& p) { p.columns[0].push_back(0); });
  throws([](auto& p) { p.columns[0].clear(); });
  throws([](auto& p) { p.columns[1][0] = 0b1000; });  // a bit past the last row
  throws([](auto& p) { p.weights = {1, 2}; });
  throws([](auto& p) { p.weights = {1, 2, -1}; });
  throws([](auto& p) { p.weight_scale = 0; });
  throws([](auto& p) { p.weights = {std::int64_t{1} << 55, std::int64_t{1} << 55, 1}; });  // the sum is too large
}

TEST(Dataset, UnitWeightsAreNone) {
  Dataset::Parts p = good_parts();
  p.weights = {1, 1, 1};
  EXPECT_EQ(Dataset{p}, Dataset{good_parts()});
  EXPECT_TRUE(Dataset{p}.unit_weights());
  EXPECT_EQ(Dataset{p}.total_weight(), 3);
  p.weights = {1, 0, 7};
  EXPECT_EQ(Dataset{p}.total_weight(), 8);
  EXPECT_EQ(Dataset{p}.weight(Row{2}), 7);
}

TEST(Dataset, SubsetAndSelectKeepTheOrderAsked) {
  Rng rng(4);
  std::vector<BitRow> rows = random_rows(rng, 150, 6, 3, true);
  rows[0].weight = 2;
  const Dataset d = dataset_of(rows, 6, 3);
  std::vector<Row> chosen;
  for (int i = 0; i < 131; ++i) chosen.emplace_back(rng.below(150));
  std::vector<BitRow> expected;
  for (const Row r : chosen) expected.push_back(rows[r()]);
  EXPECT_EQ(d.subset(chosen), dataset_of(expected, 6, 3));
  EXPECT_EQ(d.subset({}).num_rows(), 0U);
  const Dataset s = d.select(std::vector{Feature{4}, Feature{0}, Feature{4}});
  ASSERT_EQ(s.num_features(), 3U);
  EXPECT_EQ(s.feature_names(), (std::vector<std::string>{"f4", "f0", "f4"}));
  for (std::size_t r = 0; r < 150; ++r) {
    EXPECT_EQ(s.value(Feature{0}, Row{r}), rows[r].bits[4] == '1');
    EXPECT_EQ(s.value(Feature{1}, Row{r}), rows[r].bits[0] == '1');
    EXPECT_EQ(s.label(Row{r})(), rows[r].label);
    EXPECT_EQ(s.weight(Row{r}), rows[r].weight);
  }
  EXPECT_THROW(d.subset(std::vector{Row{150}}), ContractViolation);
  EXPECT_THROW(d.select(std::vector{Feature{6}}), ContractViolation);
}

// Rows in their order are taken word by word.
TEST(Dataset, SubsetsOfIncreasingRows) {
  Rng rng(8);
  for (const std::size_t n : {1U, 63U, 64U, 65U, 130U, 300U})
    for (int round = 0; round < 20; ++round) {
      const Dataset d = dataset_of(random_rows(rng, n, 5, 2, true), 5);
      std::vector<Row> chosen;
      const std::uint64_t one_in = 1 + rng.below(4);
      for (std::size_t r = 0; r < n; ++r)
        if (rng.below(one_in) == 0) chosen.emplace_back(r);
      std::vector<Row> again = chosen;
      if (!again.empty()) again.push_back(again[0]);  // not increasing
      const Dataset fast = d.subset(chosen), slow = d.subset(again);
      ASSERT_EQ(fast.num_rows(), chosen.size());
      for (std::size_t i = 0; i < chosen.size(); ++i)
        for (std::size_t f = 0; f < 5; ++f) {
          EXPECT_EQ(fast.value(Feature{f}, Row{i}), d.value(Feature{f}, chosen[i]));
          EXPECT_EQ(slow.value(Feature{f}, Row{i}), d.value(Feature{f}, chosen[i]));
        }
    }
}

// A copy of many bits ends soon after a limit; one of few is made in any case, but for signals.
TEST(Dataset, CopiesEndAtLimits) {
  Dataset::Parts parts;
  parts.class_names = {"n", "p"};
  for (std::size_t r = 0; r < 20000; ++r) parts.labels.emplace_back(r % 2);
  for (std::size_t f = 0; f < 1000; ++f) {
    parts.columns.emplace_back(words_for(20000));
    parts.feature_names.push_back("f" + std::to_string(f));
  }
  const Dataset d(std::move(parts));
  std::vector<Row> rows;
  std::vector<Feature> all, few;
  for (std::size_t r = 0; r < 10000; ++r) rows.emplace_back(2 * r);
  for (std::size_t f = 0; f < 1000; ++f) all.emplace_back(f);
  few.assign(all.begin(), all.begin() + 10);
  for (const std::size_t most : {1U, 2U, 500U}) {
    const testing_support::Looks subset, select, hash;
    EXPECT_EQ(d.subset(rows, subset.stopping_at(most)).error().code, ErrorCode::limit);
    EXPECT_EQ(d.select(all, select.stopping_at(most)).error().code, ErrorCode::limit);
    EXPECT_EQ(sha256(d, hash.stopping_at(most)).error().code, ErrorCode::limit);
    for (const auto* looks : {&subset, &select, &hash}) EXPECT_LE(looks->made(), most + 2);
    EXPECT_TRUE(d.select(few, select.stopping_at(1)));
  }
  EXPECT_EQ(*sha256(d, {}), sha256(d));
  Control little;
  little.memory_limit = 1;
  EXPECT_EQ(d.subset(rows, little).error().code, ErrorCode::limit);
  EXPECT_EQ(d.select(all, little).error().code, ErrorCode::limit);
  EXPECT_TRUE(d.select(few, little));
  const std::atomic<bool> interrupted = true;
  Control signal;
  signal.interrupt = &interrupted;
  EXPECT_EQ(d.select(few, signal).error().code, ErrorCode::limit);
}

// With many classes the weights of the distinct rows take most of the time: a limit is looked at while they are made.
TEST(Condense, OfManyClassesEndsAtLimits) {
  constexpr std::size_t kRows = 4096, kClasses = 4000, kFeatures = 12;
  Dataset::Parts parts;
  for (std::size_t k = 0; k < kClasses; ++k) parts.class_names.push_back("k" + std::to_string(k));
  for (std::size_t r = 0; r < kRows; ++r) parts.labels.emplace_back(r % kClasses);
  for (std::size_t f = 0; f < kFeatures; ++f) {
    parts.columns.emplace_back(words_for(kRows));
    for (std::size_t r = 0; r < kRows; ++r)
      if ((r >> f & 1) != 0) set_bit(parts.columns.back(), r);
    parts.feature_names.push_back("f" + std::to_string(f));
  }
  const Dataset d(std::move(parts));
  const testing_support::Looks all;
  const auto whole = condense(d, all.never_stopping());
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->num_rows, kRows);
  EXPECT_EQ(whole->unavoidable_errors, 0);
  EXPECT_GE(all.made(), 3 * kFeatures + 6);  // each feature three times, and the weights twice
  for (std::size_t most = 1; most <= all.made(); most += 5) {
    const testing_support::Looks looks;
    EXPECT_FALSE(condense(d, looks.stopping_at(most)));
    EXPECT_LE(looks.made(), most);
  }
}

TEST(Dataset, CanonicalTextAndItsHash) {  // the digests: Python's hashlib over the same texts
  const Dataset plain = dataset_of({{"01101", 0}, {"10010", 1}}, 5);
  EXPECT_EQ(canonical_text(plain), "0 1 01101\n1 1 10010\n");
  EXPECT_EQ(sha256(plain), "836c2fed223028990d425a7e35e2af83a7c3096b6c812f4da024add74bb0d313");
  const Dataset weighted = dataset_of({{"01", 1, 3}, {"10", 0, 0}, {"11", 2, 5}}, 2, 3);
  EXPECT_EQ(canonical_text(weighted), "1 3 01\n0 0 10\n2 5 11\n");
  EXPECT_EQ(sha256(weighted), "37d0321d88ae8dbc1f5ca97dc882234cc00097efb4d1456c082527c30ae87de9");
}

TEST(Dataset, MatrixTextHasNamesThenRows) {
  EXPECT_EQ(matrix_text(Dataset{good_parts()}),
            "# beadwork matrix 1\n# class 0 no\n# class 1 yes\n# feature 0 a\n# feature 1 b\n"
            "0 1 0\n1 0 1\n0 1 0\n");
  Dataset::Parts p = good_parts();
  p.weights = {1, 2, 3};
  p.weight_scale = 10;
  p.feature_names[0] = "a\nb";  // a name cannot break out of its line
  EXPECT_EQ(matrix_text(Dataset{p}),
            "# beadwork matrix 1\n# class 0 no\n# class 1 yes\n# feature 0 a\\u{a}b\n# feature 1 b\n"
            "# weights\n# weight-scale 10\n0 1 1 0\n1 2 0 1\n0 3 1 0\n");
}

// Weights that are all alike are integers of 1, and still not what the file says.
TEST(Dataset, MatrixTextOfEqualWeightsKeepsThem) {
  Dataset::Parts p = good_parts();
  p.weights = {1, 1, 1};
  p.weight_scale = 4;
  EXPECT_TRUE(matrix_text(Dataset{p}).ends_with("# weights\n# weight-scale 4\n0 1 1 0\n1 1 0 1\n0 1 1 0\n"));
}

TEST(Dataset, AllZeroFeatures) {
  const Dataset d = dataset_of({{"0010", 0}, {"0110", 1}}, 4);
  EXPECT_EQ(all_zero_features(d), (std::vector{Feature{0}, Feature{3}}));
}

TEST(CountCells, ReadsTheFirstFeatureAsTheHighestBit) {
  Rng rng(9);
  for (int round = 0; round < 200; ++round) {
    const auto rows = random_rows(rng, 1 + rng.below(100), 6, 3, true);
    std::vector<std::size_t> order{0, 1, 2, 3, 4, 5};
    rng.shuffle(std::span(order));
    order.resize(rng.below(5));
    std::map<std::pair<std::string, std::size_t>, std::int64_t> expected;
    std::vector<Feature> features;
    for (const std::size_t f : order) features.emplace_back(f);
    for (const BitRow& r : rows) {
      std::string cell;
      for (const std::size_t f : order) cell += r.bits[f];
      expected[{cell, r.label}] += r.weight;
    }
    const auto counts = count_cells(dataset_of(rows, 6, 3), features);
    ASSERT_EQ(counts.size(), 3U << order.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      std::string cell;
      for (std::size_t level = 0; level < order.size(); ++level)
        cell += (i / 3 >> (order.size() - 1 - level) & 1) != 0 ? '1' : '0';
      const auto it = expected.find({cell, i % 3});
      ASSERT_EQ(counts[i], it == expected.end() ? 0 : it->second);
    }
  }
  const Dataset d = dataset_of({{"0", 0}}, 1);
  EXPECT_THROW(count_cells(d, std::vector<Feature>(21)), ContractViolation);
  EXPECT_THROW(count_cells(d, std::vector{Feature{1}}), ContractViolation);
}

std::string column_text(const Dataset& d, Feature f) {
  std::string text;
  for (std::size_t r = 0; r < d.num_rows(); ++r) text += d.value(f, Row{r}) ? '1' : '0';
  return text;
}
std::string flipped(std::string text) {
  for (char& c : text) c = c == '0' ? '1' : '0';
  return text;
}

void check_condensed(const Dataset& d) {
  const Condensed c = condense(d);
  // Features: every one is a constant, a representative, or an alias of an earlier representative.
  std::set<Feature> seen;
  for (const Feature f : c.constants) {
    ASSERT_TRUE(seen.insert(f).second);
    const std::string text = column_text(d, f);
    ASSERT_EQ(text, std::string(text.size(), text[0]));
  }
  ASSERT_TRUE(std::is_sorted(c.features.begin(), c.features.end()));
  ASSERT_EQ(c.aliases.size(), c.features.size());
  std::set<std::string> families;
  for (std::size_t i = 0; i < c.features.size(); ++i) {
    const std::string text = column_text(d, c.features[i]);
    ASSERT_TRUE(seen.insert(c.features[i]).second);
    ASSERT_TRUE(families.insert(text).second);
    ASSERT_EQ(families.count(flipped(text)), 0U);
    for (const Alias& a : c.aliases[i]) {
      ASSERT_TRUE(seen.insert(a.feature).second);
      ASSERT_LT(c.features[i], a.feature);
      ASSERT_EQ(column_text(d, a.feature), a.complemented ? flipped(text) : text);
    }
  }
  ASSERT_EQ(seen.size(), d.num_features());
  // Rows: equal ones and only these share a number; numbers by first appearance; weights by class.
  std::map<std::string, std::size_t> number;
  std::vector<std::vector<std::int64_t>> weights;
  for (std::size_t r = 0; r < d.num_rows(); ++r) {
    std::string bits;
    for (std::size_t f = 0; f < d.num_features(); ++f) bits += d.value(Feature{f}, Row{r}) ? '1' : '0';
    const auto [it, fresh] = number.try_emplace(bits, number.size());
    if (fresh) weights.emplace_back(d.num_classes());
    weights[it->second][d.label(Row{r})()] += d.weight(Row{r});
    ASSERT_EQ(c.row_of[r], it->second);
    for (std::size_t i = 0; i < c.features.size(); ++i)
      ASSERT_EQ(bit(c.columns[i], c.row_of[r]), d.value(c.features[i], Row{r}));
  }
  ASSERT_EQ(c.num_rows, number.size());
  std::int64_t unavoidable = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    std::int64_t most = 0;
    for (std::size_t k = 0; k < d.num_classes(); ++k) {
      ASSERT_EQ(c.weight(i, Class{k}), weights[i][k]);
      unavoidable += weights[i][k];
      most = std::max(most, weights[i][k]);
    }
    unavoidable -= most;
  }
  ASSERT_EQ(c.unavoidable_errors, unavoidable);
  for (const BitColumn& column : c.columns) {
    ASSERT_EQ(column.size(), (c.num_rows + 63) / 64);
    ASSERT_TRUE(c.num_rows % 64 == 0 || column.back() >> c.num_rows % 64 == 0);
  }
}

TEST(Condense, MergesWhatIsEqualAndNothingElse) {
  Rng rng(12);
  for (int round = 0; round < 600; ++round) {
    const std::size_t features = rng.below(9);
    const std::size_t classes = 1 + rng.below(4);
    const auto rows = random_rows(rng, 1 + rng.below(80), features, classes, true);
    SCOPED_TRACE(describe(rows));
    check_condensed(dataset_of(rows, features, classes));
    if (HasFatalFailure()) return;
  }
}

TEST(Condense, TellsRowsApartByFeaturesPastTheFirst64) {
  Rng rng(13);
  for (int round = 0; round < 10; ++round) {
    std::vector<BitRow> rows;
    for (int r = 0; r < 70; ++r) {
      BitRow row{std::string(150, '0'), rng.below(2), 1};
      for (std::size_t f = 60; f < 150; f += 30) row.bits[f + rng.below(3)] = '1';
      rows.push_back(row);
    }
    check_condensed(dataset_of(rows, 150));
    if (HasFatalFailure()) return;
  }
}

TEST(Condense, OfNoRows) {
  const Condensed c = condense(dataset_of({}, 2));
  EXPECT_EQ(c.num_rows, 0U);
  EXPECT_EQ(c.unavoidable_errors, 0);
}

TEST(FeaturesEqualToLabel, AreFoundUpToComplement) {
  const Dataset d = dataset_of({{"0101", 1}, {"1011", 0}, {"1001", 0}}, 4);
  EXPECT_EQ(features_equal_to_label(d), (std::vector{Feature{0}, Feature{1}}));
  EXPECT_TRUE(features_equal_to_label(dataset_of({{"0", 1}, {"0", 1}}, 1)).empty());  // a constant says nothing
}

}  // namespace
}  // namespace beadwork
