#include "shared_data.hpp"
#include <beadwork/samples.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace beadwork {
namespace {

Table sample(std::string_view name) {
  auto t = make_sample(name);
  EXPECT_TRUE(t) << t.error().to_string();
  return *std::move(t);
}
std::vector<std::string> row(const Table& t, std::size_t r) {
  std::vector<std::string> values;
  for (const Column& c : t.columns()) values.push_back(c.text(r));
  return values;
}
std::size_t count_label(const Table& t, std::string_view label) {
  std::size_t n = 0;
  for (std::size_t r = 0; r < t.num_rows(); ++r) n += t.column(*t.target()).text(r) == label ? 1U : 0U;
  return n;
}
std::set<std::vector<std::string>> distinct_rows(const Table& t) {
  std::set<std::vector<std::string>> rows;
  for (std::size_t r = 0; r < t.num_rows(); ++r) rows.insert(row(t, r));
  return rows;
}

TEST(Samples, AllCanBeMade) {
  for (const Sample& s : samples()) {
    const Table t = sample(s.name);
    EXPECT_FALSE(s.summary.empty());
    EXPECT_EQ(t.target(), t.num_columns() - 1);
    EXPECT_FALSE(t.weight());
    EXPECT_EQ(distinct_rows(t).size(), t.num_rows()) << s.name;
  }
  const auto none = make_sample("iris");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("iris"), std::string::npos);
  for (const Sample& s : samples()) EXPECT_NE(none.error().message.find(s.name), std::string::npos);
}

TEST(Samples, TicTacToeHasItsRows) {
  const Table t = sample("tic-tac-toe");
  EXPECT_EQ(t.num_rows(), 958U);
  EXPECT_EQ(t.num_columns(), 10U);
  EXPECT_EQ(count_label(t, "positive"), 626U);
  EXPECT_EQ(count_label(t, "negative"), 332U);
}

TEST(Samples, TicTacToeIsUcis) {
  NEED_TABLES("raw");
  std::ifstream file(raw_table("tic-tac-toe"));
  ASSERT_TRUE(file);
  std::multiset<std::string> theirs;
  bool data = false;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (data && !line.empty()) theirs.insert(line);
    data = data || line.starts_with("@data");
  }
  std::multiset<std::string> ours;  // values and classes are numbered in alphabetical order
  const Table t = sample("tic-tac-toe");
  for (std::size_t r = 0; r < t.num_rows(); ++r) {
    std::string line;
    for (const std::string& v : row(t, r)) {
      if (!line.empty()) line += ',';
      line += v == "b" || v == "negative" ? '1' : v == "o" || v == "positive" ? '2' : '3';
    }
    ours.insert(line);
  }
  EXPECT_EQ(ours, theirs);
}

// The rules of Thrun et al., read off the text, on rows as they come.
bool monk_rule(int number, const std::vector<std::string>& a) {
  if (number == 1) return a[0] == a[1] || a[4] == "1";
  if (number == 2) return std::count(a.begin(), a.end() - 1, "1") == 2;
  return (a[4] == "3" && a[3] == "1") || (a[4] != "4" && a[1] != "3");
}

TEST(Samples, MonksFollowTheirRules) {
  const std::size_t positive[] = {216, 142, 228};  // of the 432, as published
  for (int number = 1; number <= 3; ++number) {
    const Table t = sample("monk-" + std::to_string(number));
    EXPECT_EQ(t.num_rows(), 432U);
    EXPECT_EQ(t.num_columns(), 7U);
    EXPECT_EQ(count_label(t, "1"), positive[number - 1]) << number;
    const std::size_t values[] = {3, 3, 2, 3, 4, 2};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(t.column(i).levels.size(), values[i]);
    for (std::size_t r = 0; r < 432; ++r) EXPECT_EQ(row(t, r)[6], monk_rule(number, row(t, r)) ? "1" : "0");
  }
}

TEST(Samples, MultiplexersChooseADataBit) {
  for (const std::size_t address_bits : {2U, 3U}) {
    const std::size_t bits = address_bits + (1U << address_bits);
    const Table t = sample("multiplexer-" + std::to_string(bits));
    EXPECT_EQ(t.num_rows(), 1U << bits);
    EXPECT_EQ(t.num_columns(), bits + 1);
    EXPECT_EQ(count_label(t, "1"), t.num_rows() / 2);
    for (std::size_t r = 0; r < t.num_rows(); ++r) {
      const auto values = row(t, r);
      std::size_t address = 0;
      for (std::size_t i = 0; i < address_bits; ++i) address = 2 * address + (values[i] == "1" ? 1U : 0U);
      ASSERT_EQ(values.back(), values[address_bits + address]);
    }
  }
}

}  // namespace
}  // namespace beadwork
