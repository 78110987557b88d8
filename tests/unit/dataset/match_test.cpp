#include <beadwork/dataset.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

Table table_of(const std::string& text, const ReadOptions& options = {}) {
  auto file = parse_table(text, "t", options);
  EXPECT_TRUE(file) << (file ? "" : file.error().to_string());
  return file->table;
}

std::string bits_of(const Binarizer& binarizer, const Table& table) {
  const auto columns = binarizer.bits(table);
  if (!columns) return columns.error().to_string();
  std::string out;
  for (const BitColumn& column : *columns) {
    for (std::size_t r = 0; r < table.num_rows(); ++r) out += bit(column, r) ? '1' : '0';
    out += ' ';
  }
  return out;
}

const char* const kTraining =
    "price,opened,ok,town,y\n\"1,5 €\",01.03.2024,yes,a,k\n\"20,5 €\",31.03.2024,No,b,l\n"
    "-,15.03.2024,Yes,a,k\n\"1.000,5 €\",20.03.2024,no,c,l\n";

// Read as text, as a table to predict is; then each column stands for what it stood for in training.
TEST(Match, ReadsTextsAsInTraining) {
  const Table training = table_of(kTraining, {.max_categories = 1});
  const auto binarizer = Binarizer::fit(training, {{ThresholdRule::Kind::all, 0}});
  ASSERT_TRUE(binarizer);
  const ReadOptions as_text{.needs_target = false, .nominal = {"price", "opened", "ok", "town"}};
  EXPECT_EQ(bits_of(*binarizer, table_of(kTraining, as_text)), bits_of(*binarizer, training));
  EXPECT_EQ(binarizer->feature_name(Feature{0}), "price <= 11");
  EXPECT_EQ(binarizer->feature_name(Feature{3}), "opened <= 2024-03-08");
  const Table fresh = table_of("town,ok,opened,price\nzzz,TRUE,01.01.2023,7 €\n", as_text);
  EXPECT_EQ(bits_of(*binarizer, fresh), "1 1 0 1 1 1 1 1 ");
  EXPECT_EQ(bits_of(*binarizer, table_of("town,ok,opened,price\nz,y,soon,7\n", as_text)),
            "column 'opened': 'soon' is none of dates, which training had");
}

const Reading kSizes{.kind = Reading::Kind::ordinal, .levels = {"small", "medium", "large", "huge"}};

// Whatever it comes as: text, numbers that spell the words, another order. What has no place fails, and is counted.
TEST(Match, WordsInAnOrder) {
  const ReadOptions ordered{.ordered = {{"size", kSizes.levels}}};
  const Table training = table_of("size,y\nsmall,k\nlarge,l\nhuge,l\n,k\n", ordered);
  const auto binarizer = Binarizer::fit(training, {{ThresholdRule::Kind::all, 0}});
  ASSERT_TRUE(binarizer);
  EXPECT_EQ(binarizer->feature_name(Feature{0}), "size <= medium");  // halfway between small and large
  EXPECT_EQ(binarizer->feature_name(Feature{1}), "size <= large");
  EXPECT_EQ(bits_of(*binarizer, training), "1000 1100 0001 ");
  const Table fresh = table_of("size\nmedium\nlarge\ngiant\n?\n", {.needs_target = false, .nominal = {"size"}});
  EXPECT_EQ(bits_of(*binarizer, fresh), "1000 1100 0001 ");
  UnseenCounts unseen;
  ASSERT_TRUE(binarizer->bits(fresh, &unseen));
  EXPECT_EQ(unseen, (UnseenCounts{{"size", 1}}));
  const Table other = table_of("size,y\nmedium,k\nsmall,l\n", {.ordered = {{"size", {"medium", "small"}}}});
  EXPECT_EQ(bits_of(*binarizer, other), "11 11 00 ");
  EXPECT_EQ(bits_of(*binarizer, table_of("size,z\n12,1\n13,2\n", {.needs_target = false})), "00 00 00 ");
  const auto ranked = rank(training);
  ASSERT_TRUE(ranked);
  EXPECT_EQ(ranked_dataset(std::make_shared<RankedData>(*ranked)).feature_names(),
            (std::vector<std::string>{"size <= medium", "size <= large", "size is missing"}));
}

TEST(Match, RefusesOrdersThatDoNotFit) {
  Binarizer::Parts parts{{{"x", ColumnType::numeric, {}, kSizes}}, {{0, TestKind::at_most, 1.5, {}}}, "y", {"k"}};
  EXPECT_TRUE(Binarizer::make(parts));
  for (const double beyond : {-0.5, 4.0}) {
    parts.tests[0].threshold = beyond;
    EXPECT_FALSE(Binarizer::make(parts)) << beyond;
  }
  parts.tests.clear();
  parts.inputs[0].type = ColumnType::nominal;
  EXPECT_FALSE(Binarizer::make(parts));
  for (const auto& levels : {std::vector<std::string>{"a"}, std::vector<std::string>{"a", "b", "a"}}) {
    parts.inputs[0] = {"x", ColumnType::numeric, {}, {.kind = Reading::Kind::ordinal, .levels = levels}};
    EXPECT_FALSE(Binarizer::make(parts));
  }
  parts.inputs[0].reading = {.levels = {"a", "b"}};
  EXPECT_FALSE(Binarizer::make(parts));
}

TEST(Match, RefusesReadingsThatDoNotFit) {
  Binarizer::Parts parts{{{"x", ColumnType::nominal, {"a"}, {.kind = Reading::Kind::boolean}}}, {}, "y", {"k"}};
  EXPECT_FALSE(Binarizer::make(parts));
  parts.inputs[0].reading = {.other = "rest"};
  EXPECT_FALSE(Binarizer::make(parts));
  parts.inputs[0].levels.push_back("rest");
  EXPECT_TRUE(Binarizer::make(parts));
}

}  // namespace
}  // namespace beadwork
