#include "reading.hpp"
#include <beadwork/table/tidy.hpp>

namespace beadwork {
namespace {

Column column_of(const Texts& texts) {
  Column column{"x", ColumnType::nominal, {}, {}, {}};
  for (const std::string& text : texts) {
    if (text.empty()) {
      column.codes.push_back(Codes::kMissing);
      continue;
    }
    const auto at = std::find(column.levels.begin(), column.levels.end(), text);
    column.codes.push_back(static_cast<std::uint32_t>(at - column.levels.begin()));
    if (at == column.levels.end()) column.levels.push_back(text);
  }
  return column;
}

struct Tidied {
  Column column;
  bool kept = true;
  Findings findings;
};

Tidied tidied(const Texts& texts, const TidyOptions& options = {}) {
  Tidied out{column_of(texts), true, {}};
  out.kept = tidy(out.column, options, out.findings);
  return out;
}

TEST(Tidy, CountsRowsThatComeTogether) {
  Texts texts;
  for (int i = 0; i < 30; ++i) texts.push_back("name " + std::to_string(i));
  EXPECT_FALSE(tidied(texts).kept);
  Column column = column_of(texts);
  Findings findings;
  EXPECT_TRUE(tidy(column, {}, findings, std::vector<std::int64_t>(30, 10)));
  EXPECT_TRUE(findings.warnings.empty());
}

TEST(Tidy, DoesNotDependOnTheOrderOfRows) {
  for (const Texts& texts :
       {Texts{"1 kg", "2 kg", "-", "n/a", "3 g"}, Texts{"yes", "Yes", "no", "No"}, Texts{"1", "0", "n/a", "-", "1"}}) {
    const Tidied first = tidied(texts), second = tidied(Texts(texts.rbegin(), texts.rend()));
    EXPECT_EQ(first.column.reading, second.column.reading) << texts[0];
    EXPECT_EQ(first.findings.notes, second.findings.notes);
  }
  // Nor does what is said of a column, one example among several.
  for (const Texts& texts : {Texts{"01/02/2024", "03/04/2024", "05/06/2024"}, Texts{"1,234", "2,345"},
                             Texts{"red", "Red", "blue", "Blue"}, Texts{"1", "2", "3", "4", "5", "6", "7", "08", "009"},
                             Texts{"1", "2", "3", "4", "5", "6", "7", "8", "x", "y"}}) {
    const Tidied first = tidied(texts), second = tidied(Texts(texts.rbegin(), texts.rend()));
    ASSERT_EQ(first.findings.warnings.size(), 1U) << texts[0];
    ASSERT_EQ(second.findings.warnings.size(), 1U);
    EXPECT_EQ(first.findings.warnings[0].message, second.findings.warnings[0].message);
    EXPECT_EQ(first.findings.warnings[0].options, second.findings.warnings[0].options);
  }
}

TEST(Tidy, TextsOfManyFilesAreReadTogether) {
  Findings findings;
  const auto together = [&](const Column& column, std::size_t count, const ReadOptions& options = {}) {
    return read_texts(column, std::vector<std::size_t>(column.levels.size(), count), options, findings);
  };
  const auto commas = *together({"x", ColumnType::nominal, {}, {}, {"-", "1,5", "13", "2"}}, 3);
  ASSERT_TRUE(commas);
  EXPECT_EQ(commas->reading.decimal, ',');
  EXPECT_EQ(commas->reading.missing, Texts{"-"});
  Texts names;
  for (int i = 0; i < 30; ++i) names.push_back("name " + std::to_string(i));
  const Column different{"x", ColumnType::nominal, {}, {}, names};
  EXPECT_FALSE(together(different, 1)->has_value());
  EXPECT_TRUE(together(different, 1, {.keep = {"x"}})->has_value());
  EXPECT_TRUE(together(different, 9)->has_value());
  const Column odd{"x", ColumnType::nominal, {}, {}, {"5", "NaN", "inf"}};
  EXPECT_EQ(together(odd, 2).error().remedy->value, "NaN");
}

using Numbers = std::vector<double>;

TEST(Tidy, ReadsTheSpellingsOfNumbers) {
  EXPECT_EQ(tidied({"1,5", "2,25", "3"}).column.numbers, (Numbers{1.5, 2.25, 3}));
  EXPECT_EQ(tidied({"1.234,5", "2.000.000", "7"}).column.numbers, (Numbers{1234.5, 2000000, 7}));
  EXPECT_EQ(tidied({"1,234.5", "12", "1,000,000"}).column.numbers, (Numbers{1234.5, 12, 1000000}));
  EXPECT_EQ(tidied({"1 234,5", "12", "9 999"}).column.numbers, (Numbers{1234.5, 12, 9999}));
  EXPECT_EQ(tidied({"1'234.5", "12"}).column.numbers, (Numbers{1234.5, 12}));
  EXPECT_EQ(tidied({"$5", "$1,200", "-$3.50", "($2)"}).column.numbers, (Numbers{5, 1200, -3.5, -2}));
  EXPECT_EQ(tidied({"5 %", "12.5%"}).column.numbers, (Numbers{5, 12.5}));
  EXPECT_EQ(tidied({"\u22125",
                    "\u2212"
                    "6.5",
                    "7"})
                .column.numbers,
            (Numbers{-5, -6.5, 7}));
  EXPECT_EQ(tidied({"0,123", "0,456"}).column.numbers, (Numbers{0.123, 0.456}));  // no thousand starts with 0
}

TEST(Tidy, LeavesWhatCanBeReadTwoWaysAndNamesTheOptions) {
  const auto both = tidied({"1,234", "2,345", "12"});
  EXPECT_EQ(both.column.type, ColumnType::nominal);
  ASSERT_EQ(both.findings.warnings.size(), 1U);
  EXPECT_EQ(both.findings.warnings[0].message, "column 'x' stays text: '1,234' is 1234 or 1.234");
  EXPECT_EQ(both.findings.warnings[0].options.size(), 2U);
  EXPECT_EQ(tidied({"1,234", "2,345", "12"}, {.decimal = ','}).column.numbers, (Numbers{1.234, 2.345, 12}));
  EXPECT_EQ(tidied({"1,234", "2,345", "12"}, {.thousands = ','}).column.numbers, (Numbers{1234, 2345, 12}));
  const auto days = tidied({"01/02/2024", "03/04/2024"});
  EXPECT_EQ(days.column.type, ColumnType::nominal);
  ASSERT_EQ(days.findings.warnings.size(), 1U);
  EXPECT_EQ(days.findings.warnings[0].message, "column 'x' stays text: '01/02/2024' is 2024-02-01 or 2024-01-02");
  EXPECT_EQ(tidied({"01/02/2024"}, {.dates = Reading::Order::month_first}).column.text(0), "2024-01-02");
}

TEST(Tidy, MixedConventionsUnitsAndTextsStayText) {
  for (const Texts& texts : {Texts{"1,5", "2.5,1"},
                             {"$5", "€6"},
                             {"5%", "6"},
                             {"1,23", "12,34,56"},
                             {"2", "3", "5more"},
                             {"12-13", "14-15"},
                             {"<5", "5-9"},
                             {"v1.2", "v1.3"},
                             {"1:75", "2:80"},
                             {"2024-13-01"},
                             {"31.02.2024"},
                             {"2024-01-01", "2024-01-01T10:00"},
                             {"red", "blue"}})
    EXPECT_EQ(tidied(texts).column.type, ColumnType::nominal) << texts[0];
}

TEST(Tidy, TextsForNoValueAmongNumbersAreMissing) {
  const auto dash = tidied({"1", "2", "-", "4.5", "n/a"});
  EXPECT_EQ(dash.column.type, ColumnType::numeric);
  EXPECT_TRUE(dash.column.missing(2) && dash.column.missing(4));
  EXPECT_EQ(dash.column.reading.missing, (Texts{"-", "n/a"}));
  const auto bits = tidied({"0", "1", "-", "1"});
  EXPECT_EQ(bits.column.levels, (Texts{"0", "1"}));
  EXPECT_TRUE(bits.column.missing(2));
  Texts most(20, "1");
  most[0] = "2";
  most[1] = "3";
  most[2] = "spoilt";
  const auto stray = tidied(most);
  EXPECT_EQ(stray.column.type, ColumnType::nominal);
  ASSERT_EQ(stray.findings.warnings.size(), 1U);
  EXPECT_EQ(stray.findings.warnings[0].options[0], (std::pair<std::string, std::string>{"missing_also", "spoilt"}));
}

TEST(Tidy, DatesAndTimesAreNumbersThatReadAsDates) {
  const auto iso = tidied({"1970-01-02", "2024-03-01", ""});
  EXPECT_EQ(iso.column.numbers[0], 1);
  EXPECT_EQ(iso.column.numbers[1], 19783);
  EXPECT_TRUE(iso.column.missing(2));
  EXPECT_EQ(text_of(iso.column.reading, 19783.5), "2024-03-01");
  EXPECT_EQ(tidied({"31.12.2024", "1.2.2024"}).column.numbers, (Numbers{20088, 19754}));
  EXPECT_EQ(tidied({"12/31/2024", "01/02/2024"}).column.text(1), "2024-01-02");
  EXPECT_EQ(tidied({"05-Mar-2024", "17 April 2024"}).column.type, ColumnType::numeric);
  const auto moments = tidied({"1970-01-01T00:00:10Z", "1970-01-01 01:00:00+01:00"});
  EXPECT_EQ(moments.column.numbers, (Numbers{10, 0}));
  EXPECT_EQ(text_of(moments.column.reading, 86405.5), "1970-01-02 00:00:05");
  const auto clock = tidied({"8:05", "12:30"});
  EXPECT_EQ(clock.column.numbers, (Numbers{485, 750}));
  EXPECT_EQ(text_of(clock.column.reading, 617.5), "10:17");
  EXPECT_EQ(text_of(tidied({"1:00:01", "0:00:59"}).column.reading, 3600.5), "1:00:00");
}

TEST(Tidy, TruthsInMixedSpellingsBecomeTwoLevels) {
  const auto truths = tidied({"yes", "No", "Yes", "no", "no", "Y", "yes"});
  EXPECT_EQ(truths.column.levels, (Texts{"no", "yes"}));
  EXPECT_EQ(texts(truths.column), (Texts{"yes", "no", "yes", "no", "no", "yes", "yes"}));
  EXPECT_EQ(tidied({"yes", "no"}).column.reading, Reading{});  // two spellings are plain
  EXPECT_EQ(tidied({"yes", "no", "maybe"}).column.levels.size(), 3U);
}

TEST(Tidy, LeavesOutNamesAndLimitsCategories) {
  Texts names, towns;
  for (int i = 0; i < 200; ++i) names.push_back("name" + std::to_string(i) + "x");
  for (int i = 0; i < 200; ++i)
    towns.push_back("town " + std::string(1, static_cast<char>('a' + i % 20)) + (i < 60 ? "x" : ""));
  EXPECT_FALSE(tidied(names).kept);
  EXPECT_TRUE(tidied(names, {.keep = true}).kept);
  EXPECT_EQ(tidied(names, {.keep = true}).column.levels.size(), 65U);
  EXPECT_TRUE(tidied(names, {.typed = true}).kept);
  EXPECT_TRUE(tidied(Texts(names.begin(), names.begin() + 19)).kept);
  const auto few = tidied(towns, {.max_categories = 3});
  EXPECT_EQ(few.column.levels, (Texts{"town a", "town b", "town c", "other"}));
  EXPECT_EQ(few.column.reading.other, "other");
  EXPECT_EQ(few.column.text(0), "other");
  EXPECT_EQ(few.column.text(60), "town a");
  EXPECT_EQ(tidied({"other", "b", "c", "b", "other"}, {.max_categories = 2}).column.levels.back(), "(other)");
}

// predict takes a text that is another spelling of a category for that category.
TEST(Tidy, AnotherSpellingOfACategoryThatStaysIsNoPartOfTheRest) {
  const auto few = tidied({"1", "1", "1", "1.0", "x", "x", "True", "TRUE", "TRUE", "z"}, {.max_categories = 3});
  EXPECT_EQ(few.column.levels, (Texts{"1", "x", "TRUE", "other"}));
  EXPECT_EQ(texts(few.column), (Texts{"1", "1", "1", "1", "x", "x", "TRUE", "TRUE", "TRUE", "other"}));
  const auto all = tidied({"1", "1", "1.0", "x", "x", "1.00"}, {.max_categories = 2});
  EXPECT_EQ(all.column.levels, (Texts{"1", "x"}));
  EXPECT_EQ(all.column.reading.other, "");
}

TEST(Tidy, AWordBehindEveryNumberIsAUnit) {
  EXPECT_EQ(tidied({"50 kg", "51,5 kg", "-"}).column.numbers[1], 51.5);
  EXPECT_EQ(tidied({"5mm", "12mm"}).column.reading.unit, "mm");
  EXPECT_EQ(tidied({"5 mm", "12 cm"}).column.type, ColumnType::nominal);
  EXPECT_EQ(tidied({"5 mm", "12"}).column.type, ColumnType::nominal);
}

TEST(Tidy, WarnsOfLevelsThatLookAlike) {
  EXPECT_EQ(tidied({"Rome", "rome", "Bonn"}).findings.warnings.at(0).message,
            "column 'x' has categories 'Rome' and 'rome', which are read as different");
  Column target = column_of({"no", "No", "yes", "n/a"});
  Findings findings;
  EXPECT_TRUE(tidy_target(target, 0, findings));
  ASSERT_EQ(findings.warnings.size(), 2U);
  EXPECT_EQ(findings.warnings[0].message, "'No' and 'no' in the target 'x' are different classes");
  EXPECT_EQ(findings.warnings[1].message, "'n/a' in the target 'x' is a class (1 row), not a missing value");
}

TEST(Tidy, TextsAreNoClassesWhereNearlyAllDiffer) {
  Texts texts, prices;
  for (int i = 0; i < 30; ++i) texts.push_back("remark " + std::to_string(i) + "!");
  for (int i = 0; i < 30; ++i) prices.push_back("$" + std::to_string(i));
  Findings findings;
  Column remarks = column_of(texts);
  EXPECT_EQ(tidy_target(remarks, 0, findings).error().where, "target");
  Column price = column_of(prices);
  EXPECT_EQ(tidy_target(price, 0, findings).error().where, "target_bins");
}

TEST(Tidy, ANumberThatMayBeThousandsIsDoubted) {
  const auto warnings = [](const std::string& text) { return read(text).warnings.size(); };
  EXPECT_EQ(warnings("x,y\n1.169,a\n886,b\n12.345,a\n"), 1U);
  EXPECT_EQ(warnings("x,y\n1.169,a\n8.861,b\n12.345,a\n"), 0U);  // always three decimals
  EXPECT_EQ(warnings("x,y\n1.169,a\n886,b\n12.3,a\n"), 0U);
  EXPECT_EQ(warnings("x,y\n0.169,a\n886,b\n12.345,a\n"), 0U);
  EXPECT_EQ(warnings("x,y\n1.169,a\n1886,b\n12.345,a\n"), 0U);
  EXPECT_EQ(read("x,y\n1.169,a\n886,b\n12.345,a\n", {.thousands = '.'}).table.column(0).numbers,
            (Numbers{1169, 886, 12345}));
}

TEST(Tidy, QuotesMeanNothingInAFileThatQuotesEverything) {
  const auto file = read("\"c\",\"y\"\n\"red \",\"p\"\n\"NA\",\"q\"\n\"red\",\"q\"\n");
  EXPECT_EQ(texts(file.table.column(0)), (Texts{"red", "", "red"}));
  EXPECT_EQ(texts(read("c,y\n\"red \",p\n\"NA\",q\n").table.column(0)), (Texts{"red ", "NA"}));
  EXPECT_EQ(texts(read("c,y\na,p\n\"no\",q\n", {.missing = {"", "no"}}).table.column(0)), (Texts{"a", ""}));
}

TEST(Tidy, EmptyColumnsAtTheEndAreSkipped) {
  const auto file = read("a,y,,\n1,p,,\n2,q,,\n");
  EXPECT_EQ(names(file.table), (Texts{"a", "y"}));
  EXPECT_EQ(file.table.target(), 1U);
  EXPECT_EQ(parse_table("a,y,,\n1,p,,\n2,q,5,\n", "t").error().to_string(),
            "t:3:5: a value in a column without a name; give it one in the header");
}

TEST(Tidy, ATargetOfNumbersIsRefusedOrCut) {
  Texts values;
  for (int i = 0; i < 40; ++i) values.push_back(std::to_string(i) + ".5");
  Column target = column_of(values);
  Findings findings;
  const auto refused = tidy_target(target, 0, findings);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, "target_bins");
  ASSERT_TRUE(tidy_target(target, 4, findings));
  EXPECT_EQ(target.levels, (Texts{"<= 9.5", "9.5 to 19.5", "19.5 to 29.5", "> 29.5"}));
  EXPECT_EQ(target.codes[9], 0U);
  EXPECT_EQ(target.codes[10], 1U);
  EXPECT_EQ(target.codes[39], 3U);
  Column few = column_of({"1", "2", "3", "1"});
  EXPECT_TRUE(tidy_target(few, 0, findings));
  Column words = column_of({"a", "b"});
  EXPECT_FALSE(tidy_target(words, 2, findings));
}

}  // namespace
}  // namespace beadwork
