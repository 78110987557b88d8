#include "reading.hpp"
#include <beadwork/base.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <random>

namespace beadwork {
namespace {

struct Cell {
  std::string text;
  bool quoted = false;
};
using Rows = std::vector<std::vector<Cell>>;

std::string in_csv(const Rows& rows) {
  std::string out;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      out += (row[i].quoted ? '"' + row[i].text + '"' : row[i].text) + (i + 1 < row.size() ? ',' : '\n');
  return out;
}

// By the words of table.hpp alone: what a text in quotes is in a file of these cells.
bool quotes_mean_text(const Rows& rows, const std::vector<bool>& used) {
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      if (used[i] && !row[i].quoted) return true;
  return false;
}

std::string meant(const Cell& cell, bool text) {
  const std::size_t first = std::min(cell.text.find_first_not_of(' '), cell.text.size());
  const std::string inside = cell.text.substr(first, cell.text.find_last_not_of(' ') + 1 - first);
  const std::string& value = cell.quoted && text ? cell.text : inside;
  return (value == "NA" || value == "?") && !(cell.quoted && text) ? "" : value;
}

Rows random_rows(std::mt19937& draw, std::size_t columns) {
  static const std::vector<std::string> kTexts{"NA", "?", "red", "blue", " red", "", " "};
  const unsigned plain = std::vector<unsigned>{0, 0, 1, 5, 50}[draw() % 5];  // in a hundred values
  const bool quoted_head = draw() % 3 != 0;
  Rows rows{{}};
  for (std::size_t i = 0; i < columns; ++i) rows[0].push_back({"c" + std::to_string(i), quoted_head});
  const std::size_t count = 2 + draw() % 30;
  for (std::size_t r = 0; r < count; ++r) {
    rows.emplace_back();
    for (std::size_t i = 0; i + 1 < columns; ++i)
      rows.back().push_back({kTexts[draw() % kTexts.size()], draw() % 100 >= plain});
    rows.back().push_back({draw() % 2 == 0 ? "p" : "q", draw() % 100 >= plain});
    if (rows.back()[0].text.empty()) rows.back()[0].quoted = true;
  }
  return rows;
}

std::vector<std::vector<std::string>> values_of(const Table& table, std::size_t column) {
  std::vector<std::vector<std::string>> out;
  for (std::size_t r = 0; r < table.num_rows(); ++r) out.push_back({table.column(column).text(r)});
  return out;
}

TEST(Quotes, MeanTheSameInEveryOrderOfRowsAndWhateverStandsInUnusedColumns) {
  std::mt19937 draw(7);
  std::map<bool, std::size_t> met;
  for (int i = 0; i < 400; ++i) {
    const std::size_t columns = 3;
    Rows rows = random_rows(draw, columns);
    std::vector<bool> used(columns, true);
    ReadOptions options{.nominal = {"c1"}, .keep = {"c1"}};
    if (draw() % 2 == 0) {
      used[0] = false;
      options.ignore = {"c0"};
    } else {
      options.nominal.emplace_back("c0");
    }
    const bool text = quotes_mean_text(rows, used);
    ++met[text];
    for (int order = 0; order < 3; ++order) {
      const auto file = read(in_csv(rows), options);
      const auto at = file.table.find("c1");
      ASSERT_TRUE(at);
      for (std::size_t r = 1; r < rows.size(); ++r)
        ASSERT_EQ(values_of(file.table, *at)[r - 1][0], meant(rows[r][1], text)) << in_csv(rows);
      ASSERT_TRUE(!file.quotes_mean_text || *file.quotes_mean_text == text) << in_csv(rows);
      std::shuffle(rows.begin() + 1, rows.end(), draw);
    }
  }
  EXPECT_GT(met[true], 50U);
  EXPECT_GT(met[false], 50U);
}

TEST(Quotes, AreKnownToMatterOnlyWhereTheyDo) {
  EXPECT_EQ(read("\"a\",\"y\"\n\"u\",\"p\"\n\"v\",\"q\"\n").quotes_mean_text, std::nullopt);
  EXPECT_EQ(read("\"a\",\"y\"\n\"NA\",\"p\"\n\"v\",\"q\"\n").quotes_mean_text, false);
  EXPECT_EQ(read("\"a\",\"y\"\n\"NA\",\"p\"\n\"v\",q\n").quotes_mean_text, true);
  EXPECT_EQ(read("a,y\nNA,p\nv,q\n").quotes_mean_text, std::nullopt);
}

// The class "NA" is refused as missing until a later row shows that quotes mean text.
TEST(Quotes, ALaterRowTakesBackARefusal) {
  const std::string start = "\"a\",\"y\"\n\"u\",\"NA\"\n\"v\",\"q\"\n";
  EXPECT_EQ(refusal(start).substr(0, 31), "t:2:6: the class is missing (co");
  EXPECT_EQ(read(start + "w,\"q\"\n").table.column(1).levels, (Texts{"NA", "q"}));
}

TEST(Quotes, AreLookedUpInAFileOfManyWindows) {
  const std::string path = ::testing::TempDir() + "/quotes.csv";
  std::ofstream out(path, std::ios::binary);
  const std::string pad(70000, 'x');
  out << "\"a\",\"pad\",\"y\"\n";
  for (int i = 0; i < 500; ++i) out << "\"NA\",\"" << pad << "\",\"p\"\n\"u\",\"" << pad << "\",\"q\"\n";
  out << "v,\"\",q\n";
  out.close();
  const auto found = quotes_say_something(path, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(*found);
  const auto file = read_table(path, {.ignore = {"pad"}});
  ASSERT_TRUE(file);
  EXPECT_EQ(file->table.column(0).levels, (Texts{"NA", "u", "v"}));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace beadwork
