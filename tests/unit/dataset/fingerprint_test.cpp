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

// Row by row, in places of base 16: weight times the digest is added digit by digit.
std::string slow_hash(const Dataset& data) {
  std::vector<std::uint64_t> digits(64);  // the lowest first
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    std::string bits;
    for (std::size_t f = 0; f < data.num_features(); ++f) bits += data.value(Feature{f}, Row{r}) ? '1' : '0';
    const std::string digest = Sha256::of(std::to_string(data.label(Row{r})()) + " " + bits);
    for (std::size_t i = 0; i < 64; ++i)
      digits[i] += static_cast<std::uint64_t>(data.weight(Row{r})) *
                   static_cast<std::uint64_t>(std::string_view("0123456789abcdef").find(digest[63 - i]));
  }
  std::string out(64, '0');
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    carry += digits[i];
    out[63 - i] = "0123456789abcdef"[carry % 16];
    carry /= 16;
  }
  return out;
}

TEST(DataHash, IsTheSumOverRows) {
  Rng rng(4);
  for (const std::size_t features : {1U, 3U, 63U, 64U, 65U, 130U})
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
  EXPECT_EQ(few.num_given_rows(), 200U);
  EXPECT_EQ(data.num_given_rows(), 200U);
  EXPECT_EQ(data_sha256(few), data_sha256(data));
  DataFingerprint in_parts;
  in_parts.add(data.subset(std::span(order).first(70)));
  in_parts.add(data.subset(std::span(order).subspan(70)));
  EXPECT_EQ(in_parts.hex(), data_sha256(data));
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
