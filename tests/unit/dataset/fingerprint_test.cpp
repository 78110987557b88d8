#include <beadwork/dataset.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace beadwork {
namespace {

Dataset data_of_chance(Rng& rng, std::size_t rows, std::size_t features, bool weighted) {
  Dataset::Parts parts;
  parts.class_names = {"a", "b", "c"};
  for (std::size_t f = 0; f < features; ++f) {
    parts.columns.emplace_back(words_for(rows));
    parts.feature_names.push_back("f" + std::to_string(f));
    for (std::size_t r = 0; r < rows; ++r)
      if (rng.below(2 + f % 3) == 0) set_bit(parts.columns.back(), r);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    parts.labels.emplace_back(rng.below(3));
    if (weighted) parts.weights.push_back(static_cast<std::int64_t>(rng.below(4)));
  }
  return Dataset(std::move(parts));
}

// By texts in a map: bits, class -> weight.
std::string slow_hash(const Dataset& data) {
  std::map<std::pair<std::string, std::size_t>, std::int64_t> lines;
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    std::string bits;
    for (std::size_t f = 0; f < data.num_features(); ++f) bits += data.value(Feature{f}, Row{r}) ? '1' : '0';
    lines[{bits, data.label(Row{r})()}] += data.weight(Row{r});
  }
  std::string text;
  for (const auto& [key, weight] : lines)
    if (weight != 0) text += std::to_string(key.second) + " " + std::to_string(weight) + " " + key.first + "\n";
  return Sha256::of(text);
}

TEST(DataHash, IsThatOfTheSortedDistinctLines) {
  Rng rng(4);
  for (const std::size_t features : {1, 3, 63, 64, 65, 130})
    for (const bool weighted : {false, true}) {
      const Dataset data = data_of_chance(rng, 70, features, weighted);
      EXPECT_EQ(data_sha256(data), slow_hash(data)) << features;
    }
}

TEST(DataHash, DoesNotDependOnTheOrderOfRowsOrOnMerging) {
  Rng rng(5);
  const Dataset data = data_of_chance(rng, 200, 4, true);
  std::vector<Row> order;
  for (std::size_t r = 0; r < data.num_rows(); ++r) order.emplace_back((r * 77) % data.num_rows());
  EXPECT_EQ(data_sha256(data.subset(order)), data_sha256(data));
  const DistinctRows distinct = distinct_rows(data);
  Dataset::Parts merged;
  merged.class_names = data.class_names();
  merged.feature_names = data.feature_names();
  merged.columns.resize(data.num_features());
  merged.given_rows = 200;
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < distinct.first.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      rows.push_back(distinct.first[i]);
      merged.labels.emplace_back(k);
      merged.weights.push_back(distinct.class_weights[i * 3 + k]);
    }
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    merged.columns[f].resize(words_for(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (data.value(Feature{f}, Row{rows[i]})) set_bit(merged.columns[f], i);
  }
  const Dataset few(std::move(merged));
  EXPECT_LT(few.num_rows(), data.num_rows());
  EXPECT_EQ(few.num_given_rows(), 200);
  EXPECT_EQ(data.num_given_rows(), 200);
  EXPECT_EQ(data_sha256(few), data_sha256(data));
  EXPECT_NE(sha256(few), sha256(data));
}

TEST(RoundWeights, TakesRowsThatComeTogether) {
  for (const std::vector<double>& given :
       std::initializer_list<std::vector<double>>{{1, 2, 0}, {0.1, 0.25, 3}, {1. / 3, 0.7, 2. / 7}}) {
    const std::vector<std::int64_t> times{3, 1, 1000};
    std::vector<double> all;
    for (std::size_t i = 0; i < given.size(); ++i) all.insert(all.end(), static_cast<std::size_t>(times[i]), given[i]);
    const auto one = round_weights(given, times);
    const auto each = round_weights(all);
    ASSERT_TRUE(one && each);
    EXPECT_EQ(one->scale, each->scale);
    EXPECT_EQ(one->rounding, each->rounding);
    EXPECT_EQ(one->weights, (std::vector{each->weights[0], each->weights[3], each->weights[4]}));
  }
}

}  // namespace
}  // namespace beadwork
