// Columns become features as their texts say, and large ones obey limits: told by what was done, not by the clock.

#include "columns.hpp"
#include <beadwork/dataset.hpp>

#include <atomic>

namespace beadwork {
namespace {

using namespace testing_support;

// A column with as many categories as there are rows, a few of them missing.
Table many_categories(std::size_t rows) {
  std::vector<std::string> values, classes;
  for (std::size_t r = 0; r < rows; ++r) {
    values.push_back(r % 97 == 5 ? "" : "v" + std::to_string(r * 7919 % rows));
    classes.emplace_back(r % 2 == 0 ? "a" : "b");
  }
  return table_of({nominal("c", values), nominal("class", classes)});
}

TEST(Bits, EachCategoryHasItsRows) {
  const Table t = many_categories(300);
  const auto b = Binarizer::fit(t, {});
  ASSERT_TRUE(b);
  const auto d = b->apply(t);
  ASSERT_TRUE(d);
  for (std::size_t f = 0; f < b->num_features(); ++f)
    for (std::size_t r = 0; r < t.num_rows(); ++r) {
      const beadwork::Test& test = b->tests()[f];
      const std::string text = t.column(0).text(r);
      EXPECT_EQ(d->value(Feature{f}, Row{r}), test.kind == TestKind::missing ? text.empty() : text == test.level);
    }
}

TEST(Bits, CategoriesThatTrainingDidNotHaveAreNobodys) {
  const auto b = Binarizer::fit(table_of({nominal("c", {"x", "y", "z"}), nominal("class", {"a", "b", "a"})}), {});
  ASSERT_TRUE(b);
  UnseenCounts unseen;
  const auto columns = b->bits(
      table_of({nominal("c", {"new", "z", "", "other", "x"}), nominal("class", {"a", "a", "a", "a", "a"})}), &unseen);
  ASSERT_TRUE(columns);
  EXPECT_EQ(*columns, (std::vector<BitColumn>{{16}, {0}, {2}}));
  EXPECT_EQ(unseen, (UnseenCounts{{"c", 2}}));
}

TEST(Bits, LimitsAreObeyedOnceThereIsMuchToDo) {
  Control over, interrupted, narrow;
  over.deadline = Deadline::in(-1);
  const std::atomic<bool> yes = true;
  interrupted.interrupt = &yes;
  narrow.memory_limit = 1;
  const Table small = many_categories(50), large = many_categories(5000);  // 25 million bits
  const auto few = *Binarizer::fit(small, {}), many = *Binarizer::fit(large, {});
  EXPECT_TRUE(few.bits(small, nullptr, over));
  EXPECT_TRUE(few.bits(small, nullptr, narrow));
  EXPECT_TRUE(Binarizer::fit(small, {}, over));
  for (const Control& control : {over, narrow, interrupted}) {
    const auto bits = many.bits(large, nullptr, control);
    ASSERT_FALSE(bits);
    EXPECT_EQ(bits.error().code, ErrorCode::limit);
  }
  EXPECT_FALSE(few.bits(small, nullptr, interrupted));
  EXPECT_FALSE(Binarizer::fit(small, {}, interrupted));
}

TEST(Bits, ManyColumnsAreFoundByTheirNames) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < 20000; ++i) columns.push_back(numeric("x" + std::to_string(i * 7919 % 20000), {0, 1}));
  columns.push_back(nominal("class", {"a", "b"}));
  const Table t = table_of(columns);
  for (std::size_t i = 0; i < t.num_columns(); ++i) EXPECT_EQ(t.find(t.column(i).name), i);
  for (const char* name : {"", "x", "x20000", "y", "clas"}) EXPECT_FALSE(t.find(name)) << name;
  const auto b = Binarizer::fit(t, {{ThresholdRule::Kind::all, 0}});
  ASSERT_TRUE(b);
  EXPECT_EQ(b->apply(t)->num_features(), 20000U);
}

}  // namespace
}  // namespace beadwork
