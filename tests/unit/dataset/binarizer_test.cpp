#include "columns.hpp"
#include <beadwork/dataset.hpp>

#include <cmath>

namespace beadwork {
namespace {

using namespace testing_support;
using Names = std::vector<std::string>;

const BinarizeOptions kAll{{ThresholdRule::Kind::all, 0}};

Binarizer fit(const Table& table, const BinarizeOptions& options = kAll) {
  auto b = Binarizer::fit(table, options);
  EXPECT_TRUE(b) << b.error().to_string();
  return *std::move(b);
}
Names names(const Binarizer& b) {
  Names out;
  for (std::size_t f = 0; f < b.num_features(); ++f) out.push_back(b.feature_name(Feature{f}));
  return out;
}
std::string bits(const Dataset& d, std::size_t f) {
  std::string out;
  for (std::size_t r = 0; r < d.num_rows(); ++r) out += d.value(Feature{f}, Row{r}) ? '1' : '0';
  return out;
}

TEST(Binarizer, NamesTestsAsAPersonWould) {
  const Table t = table_of({numeric("age", {30, 45, 45, kNone}), nominal("color", {"red", "blue", "green", "red"}),
                            nominal("smokes", {"yes", "no", "", "no"}), nominal("flag", {"1", "0", "1", "1"}),
                            numeric("income", {1, 1, kNone, 1}), nominal("same", {"x", "x", "x", "x"}),
                            nominal("class", {"b", "a", "b", "a"})});
  const Binarizer b = fit(t);
  EXPECT_EQ(names(b), (Names{"age <= 37.5", "age is missing", "color = blue", "color = green", "color = red",
                             "smokes = yes", "smokes is missing", "flag", "income is missing"}));
  EXPECT_EQ(b.target(), "class");
  EXPECT_EQ(b.class_names(), (Names{"a", "b"}));
  EXPECT_EQ(b.inputs().size(), 6U);
  const auto d = b.apply(t);
  ASSERT_TRUE(d) << d.error().to_string();
  const Names expected{"1000", "0001", "0100", "0010", "1001", "1000", "0010", "1011", "0010"};
  for (std::size_t f = 0; f < expected.size(); ++f) EXPECT_EQ(bits(*d, f), expected[f]) << names(b)[f];
  EXPECT_EQ(d->feature_names(), names(b));
  EXPECT_EQ(d->label(Row{0}), Class{1});
  EXPECT_TRUE(d->unit_weights());
}

TEST(Binarizer, KeepsAZeroOneColumnWhateverItsValues) {
  const Table t = table_of({nominal("one", {"1", "1"}), nominal("zero", {"0", "0"}), nominal("none", {"", ""}),
                            nominal("class", {"a", "b"})});
  EXPECT_EQ(names(fit(t)), (Names{"one", "zero", "none is missing"}));
  const auto d = fit(t).apply(t);
  EXPECT_EQ(bits(*d, 0), "11");
  EXPECT_EQ(bits(*d, 1), "00");
}

TEST(Binarizer, SortsLevelsAndLabelsAsNumbersWhereAllAre) {
  const Table t = table_of({nominal("n", {"10", "9", "2", "10"}), nominal("m", {"10", "9", "x", "10"}),
                            nominal("class", {"10", "9", "-1", "9"})});
  const Binarizer b = fit(t);
  EXPECT_EQ(b.class_names(), (Names{"-1", "9", "10"}));
  EXPECT_EQ(names(b), (Names{"n = 2", "n = 9", "n = 10", "m = 10", "m = 9", "m = x"}));
}

TEST(Binarizer, LeavesOutLevelsThatNoRowHas) {
  Column color = nominal("color", {"red", "blue", "red"});
  color.levels.push_back("mauve");
  Column target = nominal("class", {"a", "b", "a"});
  target.levels.insert(target.levels.begin(), "never");
  target.codes = {};
  for (const std::uint32_t code : {1U, 2U, 1U}) target.codes.push_back(code);
  const Binarizer b = fit(table_of({color, target}));
  EXPECT_EQ(names(b), Names{"color = red"});
  EXPECT_EQ(b.class_names(), (Names{"a", "b"}));
  const auto d = b.apply(table_of({color, target}));
  ASSERT_TRUE(d);
  EXPECT_EQ(d->label(Row{1}), Class{1});
}

TEST(Binarizer, FailsEveryTestOnUnseenAndMissingValues) {
  const Binarizer b = fit(table_of({nominal("c", {"r", "g", "b"}), nominal("two", {"p", "q", "p"}),
                                    numeric("x", {1, 2, 3}), nominal("class", {"a", "b", "a"})}));
  const Table other = table_of({numeric("x", {kNone, 1.5}), nominal("two", {"z", ""}), nominal("c", {"w", "g"}),
                                nominal("class", {"a", "a"})});  // columns are matched by name
  UnseenCounts unseen;
  const auto columns = b.bits(other, &unseen);
  ASSERT_TRUE(columns) << columns.error().to_string();
  EXPECT_EQ(unseen, (UnseenCounts{{"c", 1}, {"two", 1}}));
  EXPECT_EQ(names(b), (Names{"c = b", "c = g", "c = r", "two = q", "x <= 1.5", "x <= 2.5"}));
  const std::vector<std::uint64_t> expected{0, 2, 0, 0, 2, 2};  // bit r: row r
  for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ((*columns)[f], BitColumn{expected[f]}) << names(b)[f];
}

TEST(Binarizer, ErrorsNameTheColumn) {
  const Binarizer b = fit(table_of({nominal("c", {"r", "g"}), numeric("x", {1, 2}), nominal("class", {"a", "b"})}));
  const auto message = [&](const Table& t) {
    const auto d = b.apply(t);
    return d ? "" : d.error().message;
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_PRED2(has, message(table_of({nominal("c", {"r"}), nominal("class", {"a"})})), "'x'");
  EXPECT_PRED2(has, message(table_of({nominal("c", {"r"}), nominal("x", {"one"}), nominal("class", {"a"})})), "'x'");
  EXPECT_PRED2(has, message(table_of({nominal("c", {"r"}), numeric("x", {1}), nominal("kind", {"a"})})), "'class'");
  EXPECT_PRED2(has, message(table_of({nominal("c", {"r"}), numeric("x", {1}), nominal("class", {"z"})})), "'z'");
  EXPECT_FALSE(Binarizer::fit(table_of({numeric("x", {}), nominal("class", {})}), {}));
  EXPECT_THROW((void)Binarizer::fit(*Table::make({numeric("x", {1})}), {}), ContractViolation);
}

TEST(Binarizer, MakeRefusesTestsThatCannotBe) {
  const std::vector<InputColumn> inputs{{"x", ColumnType::numeric, {}}, {"c", ColumnType::nominal, {"r", "g"}}};
  const auto make = [&](beadwork::Test test) {
    return static_cast<bool>(Binarizer::make({inputs, {test}, "class", {"a"}}));
  };
  EXPECT_TRUE(make({0, TestKind::at_most, 1.5, {}}));
  EXPECT_TRUE(make({1, TestKind::equals, 0, "g"}));
  EXPECT_TRUE(make({1, TestKind::missing, 0, {}}));
  EXPECT_FALSE(make({2, TestKind::missing, 0, {}}));
  EXPECT_FALSE(make({1, TestKind::at_most, 1.5, {}}));
  EXPECT_FALSE(make({0, TestKind::at_most, kNone, {}}));
  EXPECT_FALSE(make({1, TestKind::equals, 0, "z"}));
  EXPECT_FALSE(make({0, TestKind::equals, 0, "1"}));
  EXPECT_FALSE(Binarizer::make({inputs, {}, "class", {}}));
}

// An `equals` test on a numeric column would read codes that are not there.
TEST(Binarizer, MakeRefusesAnEqualsTestOnANumericColumn) {
  EXPECT_FALSE(Binarizer::make({{{"x", ColumnType::numeric, {"1"}}}, {{0, TestKind::equals, 0, "1"}}, "class", {"a"}}));
}

TEST(Binarizer, SelectKeepsOnlyTheInputsNeeded) {
  const Table t = table_of({numeric("x", {1, 2, 3}), nominal("c", {"r", "g", "b"}), nominal("u", {"p", "q", "q"}),
                            nominal("class", {"a", "b", "a"})});
  const Binarizer b = fit(t);
  const Binarizer s = b.select(std::vector{Feature{4}, Feature{0}, Feature{2}});
  EXPECT_EQ(names(s), (Names{"c = r", "x <= 1.5", "c = b"}));
  ASSERT_EQ(s.inputs().size(), 2U);
  EXPECT_EQ(s.inputs()[0].levels, (Names{"b", "g", "r"}));
  const auto d = s.apply(t);
  ASSERT_TRUE(d);
  EXPECT_EQ(bits(*d, 0), "100");
  EXPECT_EQ(bits(*d, 1), "100");
  EXPECT_EQ(bits(*d, 2), "001");
  EXPECT_EQ(b.select(std::vector<Feature>{}).num_features(), 0U);
  EXPECT_TRUE(b.select(std::vector<Feature>{}).inputs().empty());
  EXPECT_THROW((void)b.select(std::vector{Feature{99}}), ContractViolation);
}

TEST(Binarizer, TakesWeights) {
  const Table t =
      table_of({numeric("x", {1, 2, 3}), nominal("class", {"a", "b", "a"}), numeric("w", {0.5, 1, 0.25})}, true);
  const Binarizer b = fit(t);
  EXPECT_EQ(b.inputs().size(), 1U);
  const auto d = b.apply(t);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->weight_scale(), 4);
  EXPECT_EQ(d->weight(Row{0}), 2);
  EXPECT_EQ(d->total_weight(), 7);
  const auto third =
      b.apply(table_of({numeric("x", {1, 2}), nominal("class", {"a", "b"}), numeric("w", {1.0 / 3, 1})}, true));
  ASSERT_TRUE(third);
  EXPECT_EQ(third->weight_rounding(), 1);
  EXPECT_EQ(third->subset(std::vector{Row{0}}).weight_rounding(), 1);
  EXPECT_EQ(third->select(std::vector<Feature>{}).weight_rounding(), 1);
  const auto heavy = b.apply(
      table_of({numeric("x", {1, 2, 3}), nominal("class", {"a", "b", "a"}), numeric("w", {1e18, 1e18, 1e18})}, true));
  EXPECT_EQ(heavy.error().message, "column 'w': the weights add up to more than 2^56; scale them down");
}

TEST(Binarizer, StopsWhenAsked) {
  const Table t = table_of({numeric("x", {1, 2, 3}), nominal("class", {"a", "b", "a"})}, false);
  std::atomic<bool> flag = true;
  Control control;
  control.interrupt = &flag;
  EXPECT_EQ(Binarizer::fit(t, {}, control).error().code, ErrorCode::limit);
  EXPECT_EQ(fit(t).apply(t, control).error().code, ErrorCode::limit);
}

TEST(Binarizer, SeparatesNeighbouringNumbers) {
  const double tiny = 5e-324;
  const double next = std::nextafter(1.0, 2.0);
  const double big = std::numeric_limits<double>::max();
  const std::vector<double> values{-big, -1, -tiny, 0, tiny, 0.1, 0.2, 1, next, std::nextafter(big, 0), big};
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < values.size(); ++i) labels.push_back(i % 2 == 0 ? "a" : "b");
  const Table t = table_of({numeric("x", values), nominal("class", labels)});
  const Binarizer b = fit(t);
  ASSERT_EQ(b.num_features(), values.size() - 1);
  const auto d = b.apply(t);
  for (std::size_t f = 0; f + 1 < values.size(); ++f) {
    EXPECT_LE(values[f], b.tests()[f].threshold);
    EXPECT_LT(b.tests()[f].threshold, values[f + 1]);
    EXPECT_EQ(bits(*d, f), std::string(f + 1, '1') + std::string(values.size() - f - 1, '0'));
    // The name says all: read back it is the same threshold.
    EXPECT_EQ(parse_number(b.feature_name(Feature{f}).substr(5)), b.tests()[f].threshold);
  }
  EXPECT_EQ(b.feature_name(Feature{5}), "x <= 0.15");
}

}  // namespace
}  // namespace beadwork
