#include "reading.hpp"

namespace beadwork {
namespace {

TEST(Csv, ReadsNumbersAndNames) {
  const auto file = read("age,job,y\n31,cook,no\n42.5,clerk,yes\n-1e3,cook,no\n");
  const Table& table = file.table;
  EXPECT_EQ(file.format, TableFormat::csv);
  EXPECT_EQ(names(table), (Texts{"age", "job", "y"}));
  EXPECT_EQ(table.num_rows(), 3U);
  EXPECT_EQ(table.column(0).numbers, (std::vector<double>{31, 42.5, -1000}));
  EXPECT_EQ(table.column(1).levels, (Texts{"cook", "clerk"}));
  EXPECT_EQ(table.target(), 2U);
  EXPECT_EQ(table.find("job"), 1U);
  EXPECT_EQ(table.find("jobs"), std::nullopt);
  EXPECT_EQ(file.notes, (Texts{"delimiter ','", "target 'y', the last column"}));
}

TEST(Csv, QuotesHoldDelimitersQuotesAndLineBreaks) {
  const auto file = read("\"a,b\",\"say \"\"x\"\"\"\r\n\"1\r\n2\",\"\"\"\"\r\nz,y\r\n");
  EXPECT_EQ(names(file.table), (Texts{"a,b", "say \"x\""}));
  EXPECT_EQ(texts(file.table.column(0)), (Texts{"1\r\n2", "z"}));
  EXPECT_EQ(texts(file.table.column(1)), (Texts{"\"", "y"}));
}

TEST(Csv, ToleratesAndReports) {
  const auto file = read(
      "\xEF\xBB\xBF"
      "a;y\n\n  \n1 ; k\n2;l");
  EXPECT_EQ(file.table.column(0).numbers, (std::vector<double>{1, 2}));
  EXPECT_EQ(file.notes,
            (Texts{"UTF-8 byte-order mark skipped", "delimiter ';'", "target 'y', the last column",
                   "2 blank lines skipped", "blanks trimmed around 2 values", "no line break at the end of the file"}));
}

TEST(Csv, DetectsTheDelimiter) {
  EXPECT_EQ(read("a\tb\n1\tx\n").notes.front(), "delimiter tab");
  EXPECT_EQ(read("a;b;c\n1,5;2,5;x\n").notes.front(), "delimiter ';'");
  EXPECT_EQ(read("\"a;b;c\",d\n1,x\n").notes.front(), "delimiter ','");
  EXPECT_EQ(read("a,b\n1,x;y;z\n").notes.front(), "delimiter ','");
}

TEST(Csv, TakesTheDelimiterItIsGiven) {
  EXPECT_EQ(names(read("a;b,c\n1;2,x\n", {.delimiter = ','}).table), (Texts{"a;b", "c"}));
  EXPECT_EQ(names(read("a b\tc\n\t\n", {.delimiter = '\t', .needs_target = false}).table), (Texts{"a b", "c"}));
}

TEST(Csv, NamesColumnsWithoutHeader) {
  const auto file = read("1,x\n2,y\n", {.header = false});
  EXPECT_EQ(names(file.table), (Texts{"c1", "c2"}));
  EXPECT_EQ(file.table.num_rows(), 2U);
}

TEST(Csv, TrailingDelimiterIsAnEmptyValue) {
  const auto file = read("a,y,b\n1,k,\n2,l,3", {.target = "y"});
  EXPECT_TRUE(file.table.column(2).missing(0));
  EXPECT_EQ(texts(file.table.column(2)), (Texts{"", "3"}));
}

TEST(Csv, QuotedNumbersNameColumns) {
  EXPECT_EQ(names(read("\"1\",2\n3,x\n").table), (Texts{"1", "2"}));
}

TEST(Csv, OneColumnIsEnoughToPredict) {
  const auto file = read("a\n1\n\"\"\n3\n", {.needs_target = false});
  EXPECT_EQ(texts(file.table.column(0)), (Texts{"1", "", "3"}));
  EXPECT_EQ(file.table.target(), std::nullopt);
}

}  // namespace
}  // namespace beadwork
