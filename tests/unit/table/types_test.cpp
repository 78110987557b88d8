#include "reading.hpp"

#include <cmath>

namespace beadwork {
namespace {

ColumnType type_of(const std::string& values, const ReadOptions& options = {}) {
  std::string text = "x,y\n";
  for (const char c : values) text += c == ' ' ? std::string(",k\n") : std::string(1, c);
  return read(text + ",k\n", options).table.column(0).type;
}

TEST(Types, FollowTheContent) {
  EXPECT_EQ(type_of("1 2 3"), ColumnType::numeric);
  EXPECT_EQ(type_of("1 2 x"), ColumnType::nominal);
  EXPECT_EQ(type_of("x 2 3"), ColumnType::nominal);
  EXPECT_EQ(type_of("0 1 1"), ColumnType::nominal);
  EXPECT_EQ(type_of("1 1 1"), ColumnType::nominal);
  EXPECT_EQ(type_of("0 1 ?"), ColumnType::nominal);
  EXPECT_EQ(type_of("0 1 2"), ColumnType::numeric);
  EXPECT_EQ(type_of("0 1 1.0"), ColumnType::numeric);
  EXPECT_EQ(type_of("0 1 x"), ColumnType::nominal);
  EXPECT_EQ(type_of("? NA NaN"), ColumnType::numeric);
  EXPECT_EQ(type_of("? 1e5 +3"), ColumnType::numeric);
  EXPECT_EQ(type_of("12 0x1F 3"), ColumnType::nominal);
}

TEST(Types, AreOverruled) {
  EXPECT_EQ(type_of("0 1 1", {.numeric = {"x"}}), ColumnType::numeric);
  EXPECT_EQ(type_of("7 8 9", {.nominal = {"1"}}), ColumnType::nominal);
}

TEST(Types, TextAfterNumbersKeepsTheirSpelling) {
  const auto file = read("x,z,y\n1.50,0,k\n,1,l\n02,?,k\n5more,yes,l\n1.50,0,m\n");
  EXPECT_EQ(texts(file.table.column(0)), (Texts{"1.50", "", "02", "5more", "1.50"}));
  EXPECT_EQ(file.table.column(0).levels, (Texts{"1.50", "02", "5more"}));
  EXPECT_EQ(file.table.column(1).levels, (Texts{"0", "1"}));  // yes is 1
  EXPECT_EQ(file.notes.back(), "column 'x' is nominal: '02' in line 4 begins with a zero");
}

TEST(Types, ManySurprisesMakeAFewNotes) {
  std::string text = "a,b,c,d,e,f,g,y\n2,2,2,2,2,2,2,k\nx,x,x,x,x,x,x,k\n";
  EXPECT_EQ(read(text).notes.back(), "the same for 2 more columns");
  EXPECT_EQ(read(text).notes.size(), 8U);
}

TEST(Types, BitsBeforeNumbersAreNumbers) {
  const auto column = read("x,y\n0,k\n?,k\n1,k\n7,k\n").table.column(0);
  ASSERT_EQ(column.type, ColumnType::numeric);
  EXPECT_EQ(column.numbers[0], 0);
  EXPECT_TRUE(std::isnan(column.numbers[1]));
  EXPECT_EQ(column.numbers[2], 1);
  EXPECT_EQ(column.numbers[3], 7);
}

TEST(Types, TheTargetKeepsItsSpelling) {
  EXPECT_EQ(read("x,y\n1,1.0\n2,2\n3,1\n").table.column(1).levels, (Texts{"1.0", "2", "1"}));
}

TEST(Types, WordsThatSpellLikeNoNumberAreWordsAmongWords) {
  EXPECT_EQ(read("x,y\n12,k\ninf,k\nsoup,k\n").table.column(0).levels, (Texts{"12", "inf", "soup"}));
}

TEST(Missing, TokensAreDeclared) {
  const ReadOptions options{.missing = {"-999", "none"}};
  const auto file = read("x,z,y\n-999,none,k\n5,?,k\n", options);
  EXPECT_EQ(texts(file.table.column(0)), (Texts{"", "5"}));
  EXPECT_EQ(texts(file.table.column(1)), (Texts{"", "?"}));
  EXPECT_EQ(read("x,y\ninf,k\n5,k\n", {.missing = {"inf"}}).table.column(0).type, ColumnType::numeric);
}

TEST(Missing, QuotedTextIsThere) {
  EXPECT_EQ(read("x,y\n\"NA\",k\nNA,k\n\"?\",k\n\"\",k\n").table.column(0).levels, (Texts{"NA", "?"}));
}

TEST(Roles, ByNameNumberOrPosition) {
  const std::string text = "a,b,3,d\n5,6,7,8\n";
  EXPECT_EQ(read(text, {.target = "a"}).table.target(), 0U);
  EXPECT_EQ(read(text, {.target = "2"}).table.target(), 1U);
  EXPECT_EQ(read(text, {.target = "3"}).table.target(), 2U);
  EXPECT_EQ(read(text, {.target = "-1"}).table.target(), 3U);
  EXPECT_EQ(read(text, {.target = "-4"}).table.target(), 0U);
  EXPECT_EQ(read(text, {.needs_target = false}).table.target(), std::nullopt);
}

TEST(Roles, WeightAndIgnoredColumns) {
  const auto file = read("a,b,y,w,z\n5,6,k,0.5,q\n1,1,l,2,q\n", {.weight = "w", .ignore = {"a", "z"}});
  EXPECT_EQ(names(file.table), (Texts{"b", "y", "w"}));
  EXPECT_EQ(file.table.target(), 1U);
  EXPECT_EQ(file.table.weight(), 2U);
  EXPECT_EQ(file.table.column(2).numbers, (std::vector<double>{0.5, 2}));
}

TEST(Roles, AgreeingOptionsAreFine) {
  const auto file = read("a,w,y\n5,1,k\n", {.weight = "w", .numeric = {"w"}, .nominal = {"a", "y", "a"}});
  EXPECT_EQ(file.table.column(0).type, ColumnType::nominal);
}

TEST(Ordered, WordsBecomeTheirPlaces) {
  ReadOptions options{.ordered = {{"size", {"small", "medium", "large"}}}};
  const auto file = parse_table("size,y\nlarge,a\nsmall,b\n,a\n", "t", options);
  ASSERT_TRUE(file) << file.error().to_string();
  const Column& size = file->table.column(0);
  EXPECT_EQ(size.type, ColumnType::numeric);
  EXPECT_EQ(size.numbers[0], 2);
  EXPECT_EQ(size.numbers[1], 0);
  EXPECT_TRUE(size.missing(2));
  EXPECT_EQ(texts(size), (Texts{"large", "small", ""}));
  EXPECT_EQ(text_of(size.reading, 0.5), "small");
  EXPECT_EQ(text_of(size.reading, 1), "medium");
  EXPECT_EQ(number_of(size.reading, "medium"), 1);
  EXPECT_FALSE(number_of(size.reading, "huge"));
  const auto again = parse_table(write_csv(file->table), "t", options);
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(again->table, file->table);
}

TEST(Ordered, WhatIsNoOrderIsRefused) {
  const auto complaint = [](std::vector<OrderedWords> ordered, const std::string& text = "size,y\na,k\nb,l\nc,k\n") {
    const auto file = parse_table(text, "t", {.ordered = std::move(ordered)});
    return file ? "" : file.error().to_string();
  };
  EXPECT_EQ(complaint({{"size", {"c", "b", "a"}}}), "");
  EXPECT_EQ(complaint({{"1", {"c", "b", "a"}}}), "");
  EXPECT_EQ(complaint({{"size", {"a", "b"}}}),
            "t:4:1: 'c' is not in the order of 'size' (a,b); add it there, or to the missing values");
  EXPECT_NE(complaint({{"size", {"a"}}}).find("at least two values"), std::string::npos);
  EXPECT_NE(complaint({{"size", {"a", "b", "a"}}}).find("'a' stands twice"), std::string::npos);
  EXPECT_NE(complaint({{"size", {"a", "", "c"}}}).find("is empty"), std::string::npos);
  EXPECT_NE(complaint({{"size", {"a", "NA", "c"}}}).find("'NA' stands for a missing value"), std::string::npos);
  EXPECT_NE(complaint({{"y", {"k", "l"}}}).find("is the target"), std::string::npos);
  EXPECT_NE(complaint({{"siz", {"a", "b"}}}).find("did you mean 'size'?"), std::string::npos);
  EXPECT_NE(complaint({{"size", {"a", "b"}}, {"size", {"b", "a", "c"}}}).find("two orders"), std::string::npos);
}

TEST(Codes, WidenAsTheyGrow) {
  Codes codes;
  Codes again;
  std::vector<std::uint32_t> plain;
  for (std::uint32_t i = 0; i < 70000; ++i) {
    plain.push_back(i % 5 == 0 ? Codes::kMissing : i);
    codes.push_back(plain.back());
  }
  ASSERT_EQ(codes.size(), plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(codes[i], plain[i]) << i;
  EXPECT_FALSE(codes == again);
  for (const auto c : plain) again.push_back(c);
  EXPECT_TRUE(codes == again);
}

TEST(Table, RefusesWhatIsNoTable) {
  const Column a{"a", ColumnType::numeric, {1, 2}, {}, {}};
  const Column shorter{"b", ColumnType::numeric, {1}, {}, {}};
  const Column nameless{"", ColumnType::numeric, {1, 2}, {}, {}};
  Codes codes;
  codes.push_back(0);
  codes.push_back(1);
  const Column dangling{"c", ColumnType::nominal, {}, codes, {"x"}};
  EXPECT_EQ(Table::make({a, shorter}).error().message, "column 'b' has 1 rows, the first column has 2");
  EXPECT_EQ(Table::make({a, a}).error().message, "two columns are named 'a'");
  EXPECT_EQ(Table::make({nameless}).error().message, "a column has no name");
  EXPECT_EQ(Table::make({dangling}).error().message, "column 'c', row 2: a code without a level");
  EXPECT_EQ(Table::make({a}, 0).error().message, "the target 'a' is not nominal");
  EXPECT_EQ(Table::make({Column{"w", ColumnType::numeric, {1, -2}, {}, {}}}, {}, 0).error().message,
            "column 'w' has negative or missing weights");
  EXPECT_EQ(Table::make({Column{"w", ColumnType::numeric, {0x1p62, 0x1p63}, {}, {}}}, {}, 0).error().message,
            "the weights in 'w' add up to more than 2^63");
  EXPECT_THROW((void)Table::make({a}, 1), ContractViolation);
  EXPECT_TRUE(Table::make({a, Column{"c", ColumnType::nominal, {}, codes, {"x", "y"}}}, 1, 0));
}

}  // namespace
}  // namespace beadwork
