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

// The text of docs/formats.md, row by row, in a map.
std::string plain_hash(const Dataset& data) {
  std::map<std::pair<std::string, std::size_t>, std::int64_t> rows;  // bits and class: weight
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    std::string bits;
    for (std::size_t f = 0; f < data.num_features(); ++f) bits += data.value(Feature{f}, Row{r}) ? '1' : '0';
    rows[{bits, data.label(Row{r})()}] += data.weight(Row{r});
  }
  std::string text = "beadwork rows 1\nscale " + std::to_string(data.weight_scale()) + "\n";
  const auto names = [&](const char* what, const std::vector<std::string>& list) {
    text += std::string(what) + " " + std::to_string(list.size()) + "\n";
    for (const std::string& name : list) text += std::to_string(name.size()) + " " + name + "\n";
  };
  names("classes", data.class_names());
  names("features", data.feature_names());
  text += "rows\n";
  for (const auto& [row, weight] : rows) {
    if (weight == 0) continue;
    std::string digits;
    for (std::size_t i = 0; i < row.first.size(); i += 4) {
      std::size_t digit = 0;
      for (std::size_t k = 0; k < 4; ++k) digit = 2 * digit + (i + k < row.first.size() && row.first[i + k] == '1');
      digits += "0123456789abcdef"[digit];
    }
    text += std::to_string(row.second) + " " + std::to_string(weight) + " " + digits + "\n";
  }
  return Sha256::of(text);
}

TEST(RowsHash, IsOfTheTextInTheDocuments) {
  Rng rng(4);
  for (const std::size_t features : {0U, 1U, 3U, 4U, 8U, 9U, 63U, 64U, 65U, 130U})
    for (const bool weighted : {false, true}) {
      const Dataset data = data_of_chance(rng, 70, features, weighted);
      EXPECT_EQ(rows_sha256(data), plain_hash(data)) << features;
    }
  EXPECT_EQ(rows_sha256(data_of_chance(rng, 0, 3, false)), plain_hash(data_of_chance(rng, 0, 3, false)));
}

TEST(RowsHash, NamesCount) {
  Rng rng(8);
  const Dataset data = data_of_chance(rng, 30, 2, false);
  std::vector<std::string> seen{rows_sha256(data)};
  const auto renamed = [&](std::vector<std::string> features, std::vector<std::string> classes) {
    Dataset::Parts p;
    p.columns = {data.column(Feature{0}), data.column(Feature{1})};
    for (std::size_t r = 0; r < data.num_rows(); ++r) p.labels.push_back(data.label(Row{r}));
    p.feature_names = std::move(features);
    p.class_names = std::move(classes);
    seen.push_back(rows_sha256(Dataset(std::move(p))));
  };
  renamed({"f1", "f0"}, {"a", "b", "c"});
  renamed({"f0", "f1"}, {"b", "a", "c"});
  renamed({"f0\n2 f1", ""}, {"a", "b", "c"});
  renamed({"", "f0\n2 f1"}, {"a", "b", "c"});
  renamed({"f0", "f1"}, {"a\n1 b", "", "c"});
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
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
  EXPECT_EQ(rows_sha256(data.subset(order)), rows_sha256(data));
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
  EXPECT_EQ(rows_sha256(few), rows_sha256(data));
  for (const std::size_t size : {70U, 13U, 1U}) {
    for (const std::size_t most : {SIZE_MAX, std::size_t{300}, std::size_t{0}}) {  // what is more goes to files
      RowsHash in_parts(most);
      for (std::size_t at = 0; at < order.size(); at += size)
        in_parts.add(data.subset(std::span(order).subspan(at, std::min<std::size_t>(size, order.size() - at))));
      EXPECT_EQ(*in_parts.hex(), rows_sha256(data)) << size << " " << most;
    }
  }
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
