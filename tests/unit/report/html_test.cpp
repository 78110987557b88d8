#include "models.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <regex>

namespace beadwork {
namespace {

using fixtures::make;
using fixtures::numbered;
using fixtures::random_counts;
using fixtures::zero_one;

Model majority_of_three(const std::vector<std::string>& names, std::vector<std::string> classes = {"no", "yes"}) {
  const Diagram d = diagram_of(*TruthTable::parse("00010111", {Feature{0}, Feature{1}, Feature{2}}));
  return make(zero_one(names, std::move(classes)), d, random_counts(d, 2, 7));
}

Table table_of(std::size_t rows, const std::vector<std::string>& names) {
  std::vector<Column> columns;
  Rng rng(3);
  for (const std::string& name : names) {
    Column c{name, ColumnType::nominal, {}, {}, {"0", "1"}};
    for (std::size_t r = 0; r < rows; ++r) c.codes.push_back(static_cast<std::uint32_t>(rng.below(2)));
    columns.push_back(std::move(c));
  }
  Column target{"class", ColumnType::nominal, {}, {}, {"no", "yes"}};
  for (std::size_t r = 0; r < rows; ++r) target.codes.push_back(static_cast<std::uint32_t>(rng.below(2)));
  columns.push_back(std::move(target));
  return *Table::make(std::move(columns), names.size());
}

// What stands in the element "data": by the rule of HTML, all up to the first "</script".
nlohmann::json data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script", from) - from));
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(HtmlReport, CarriesTheModelAsItIs) {
  const Model model = majority_of_three(numbered("f", 3));
  const auto page = html_report(model);
  ASSERT_TRUE(page);
  const auto data = data_of(*page);
  EXPECT_EQ(data["texts"]["model"].get<std::string>(), to_json(model));
  EXPECT_EQ(count_of(*page, to_svg(model)), 1U);  // stands in the page, for readers without a script
  EXPECT_EQ(data["diagram"]["layout"]["nodes"].size(), model.diagram().size());
  EXPECT_EQ(*html_report(model), *page);  // no time, no chance
}

TEST(HtmlReport, OfTooManyClassesIsRefused) {
  const auto page_of = [](std::size_t classes) {
    const Diagram d = diagram_of(*TruthTable::parse("00010111", {Feature{0}, Feature{1}, Feature{2}}));
    return html_report(make(zero_one(numbered("f", 3), numbered("k", classes)), d, random_counts(d, classes, 7)));
  };
  EXPECT_TRUE(page_of(kMostClassesOnPage));
  const auto refused = page_of(kMostClassesOnPage + 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "a page shows at most 2000 classes, and there are 2001");
}

TEST(HtmlReport, NamesCannotLeaveTheDataOrTheTitle) {
  const Model model =
      majority_of_three({"</script><script>alert(1)</script>", "<!--<script>", "&lt;\"'"}, {"</style>", "<img src=x>"});
  const std::string page = *html_report(model);
  EXPECT_EQ(count_of(page, "<script"), 2U);
  EXPECT_EQ(count_of(page, "</script"), 2U);
  EXPECT_EQ(count_of(page, "<!--"), 0U);
  EXPECT_EQ(count_of(page, "</style"), 1U);
  EXPECT_EQ(count_of(page, "<img"), 0U);
  EXPECT_EQ(data_of(page)["diagram"]["tests"][0][0], "</script><script>alert(1)</script>");
}

TEST(HtmlReport, LabelsChangeNamesAndNothingElse) {
  const Model model = majority_of_three(numbered("f", 3));
  ReportFacts facts;
  facts.rows.push_back({ReportRows::Role::other, "", table_of(50, numbered("f", 3))});
  const auto plain = data_of(*html_report(model, facts));
  facts.labels = {{"f1", "", "<b>first</b>"}, {"f2", "1", "on"}, {"class", "yes", "ill"}};
  facts.positive = "yes";
  facts.date = "2026-03-01";
  const std::string page = *html_report(model, facts);
  const auto data = data_of(page);
  EXPECT_EQ(data["texts"]["model"], plain["texts"]["model"]);
  EXPECT_EQ(data["positive"], "ill");
  EXPECT_EQ(data["date"], "2026-03-01");
  EXPECT_EQ(data["rows"][1]["evaluation"], plain["rows"][1]["evaluation"]);
  EXPECT_EQ(data["rows"][1]["paths"], plain["rows"][1]["paths"]);
  EXPECT_EQ(data["rows"][1]["columns"][0]["name"], "<b>first</b>");
  EXPECT_EQ(data["diagram"]["tests"][1][0], "f2 = on");  // a column of 0 and 1 whose 1 has a name
  EXPECT_EQ(count_of(page, "<b>first"), 0U);
  EXPECT_GT(count_of(page, "&lt;b&gt;first"), 0U);
  const auto refused = [&](std::vector<ReportFacts::Label> labels) {
    facts.labels = std::move(labels);
    return !html_report(model, facts);
  };
  EXPECT_TRUE(refused({{"f9", "", "x"}}));
  EXPECT_TRUE(refused({{"f1", "2", "x"}}));
  EXPECT_TRUE(refused({{"f1", "", "f2"}}));
  EXPECT_TRUE(refused({{"f1", "0", "1"}}));
  EXPECT_TRUE(refused({{"f1", "", ""}}));
  EXPECT_TRUE(refused({{"f1", "", "a"}, {"f1", "", "b"}}));
  facts.labels.clear();
  facts.positive = "perhaps";
  EXPECT_EQ(html_report(model, facts).error().message, "'perhaps' is not a class; the classes are no, yes");
}

TEST(HtmlReport, PolicyAllowsNothingButTheTwoHashes) {
  const std::string page = *html_report(majority_of_three(numbered("f", 3)));
  const std::regex policy(
      "content=\"default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}='; style-src "
      "'sha256-[A-Za-z0-9+/]{43}='; "
      "img-src blob: data:; base-uri 'none'; form-action 'none'\"");
  EXPECT_TRUE(std::regex_search(page.substr(0, 1000), policy)) << page.substr(0, 600);
  EXPECT_EQ(count_of(page, "http://www.w3.org/2000/svg"), count_of(page, "://"));  // a name, not an address
}

TEST(HtmlReport, LargeTablesAreSampledAndTheFiguresAreOfAll) {
  const std::vector<std::string> names = numbered("f", 3);
  const Model model = majority_of_three(names);
  const Table table = table_of(25'000, names);
  ReportFacts facts;
  facts.rows.push_back({ReportRows::Role::training, "t.csv", table});
  const auto rows = data_of(*html_report(model, facts))["rows"];
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["rows"], 25'000);
  EXPECT_EQ(rows[0]["shown"], 10'000);
  EXPECT_EQ(rows[0]["truth"].get<std::string>().size(), 10'000U);
  EXPECT_EQ(rows[0]["evaluation"]["total"], 25'000);
  const auto predictions = predict(model, table);
  const auto labels = model.binarizer().labels(table);
  EXPECT_EQ(rows[0]["evaluation"]["errors"], evaluate(*labels, predictions->classes, {}, 2).errors);
  // A sample says as much as it can: 10,000 of 25,000 fair coins.
  const std::string truth = rows[0]["truth"];
  EXPECT_NEAR(static_cast<double>(std::count(truth.begin(), truth.end(), '1')), 5'000, 400);
}

TEST(HtmlReport, ColumnsThatAreNotTestedGoFirstWhenRoomIsShort) {
  const std::vector<std::string> names = numbered("f", 3);
  const Model model = majority_of_three(names);
  std::vector<Column> columns = table_of(10'000, names).columns();
  Rng rng(1);
  for (int i = 0; i < 60; ++i) {
    Column c{"extra" + std::to_string(i), ColumnType::numeric, {}, {}, {}};
    for (std::size_t r = 0; r < 10'000; ++r) c.numbers.push_back(rng.unit());
    columns.insert(columns.begin(), std::move(c));
  }
  ReportFacts facts;
  facts.rows.push_back({ReportRows::Role::training, "wide.csv", *Table::make(columns, columns.size() - 1)});
  const std::string page = *html_report(model, facts);
  EXPECT_LT(page.size(), 5'000'000U);
  const auto rows = data_of(page)["rows"][0];
  EXPECT_GT(rows["columns_left_out"].get<int>(), 20);
  EXPECT_EQ(rows["columns"][0]["name"], "f1");
  EXPECT_EQ(rows["columns"].size() + rows["columns_left_out"].get<std::size_t>(), 63U);
}

TEST(HtmlReport, RefusesATableThatDoesNotFit) {
  ReportFacts facts;
  facts.rows.push_back({ReportRows::Role::test, "other.csv", table_of(5, {"a", "b"})});
  const auto page = html_report(majority_of_three(numbered("f", 3)), facts);
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().where, "other.csv");
}

TEST(HtmlReport, StandsWithoutItsScript) {
  const Model model = majority_of_three(numbered("f", 3));
  const std::string page = *html_report(model);
  const std::string still =
      page.substr(page.find("<div id=\"still\">"), page.find("<script") - page.find("<div id=\"still\">"));
  EXPECT_EQ(count_of(still, " THEN "), model.diagram().num_paths());
  EXPECT_EQ(count_of(still, "data-node=\""), model.diagram().size());
  EXPECT_EQ(count_of(still, "How the model decides: "), 1U);
  ReportFacts facts;
  facts.title = "Loans & <b>risk</b>";
  const std::string titled = *html_report(model, facts);
  EXPECT_EQ(count_of(titled, "Loans &amp; &lt;b&gt;risk&lt;/b&gt;"), 2U);
  EXPECT_EQ(data_of(titled)["title"], facts.title);
}

TEST(HtmlReport, TheLiftIsTheDifferenceToTheMostFrequentClass) {
  const std::vector<std::string> names = numbered("f", 3);
  const Model model = majority_of_three(names);
  ReportFacts facts;
  facts.rows.push_back({ReportRows::Role::test, "t.csv", table_of(200, names)});
  const auto rows = data_of(*html_report(model, facts))["rows"][1];
  const auto lift = rows["baselines"][0]["lift"];
  EXPECT_NEAR(lift["points"].get<double>(),
              rows["evaluation"]["accuracy"].get<double>() - rows["baselines"][0]["accuracy"].get<double>(), 1e-12);
  EXPECT_LT(lift["low"].get<double>(), lift["points"].get<double>());
  EXPECT_GT(lift["high"].get<double>(), lift["points"].get<double>());
}

// Bonett and Price, 2012: over all tables of a multinomial, each with its probability, the interval holds the true
// difference about 95 times in 100.
TEST(PairedInterval, HoldsTheDifferenceAsOftenAsItSays) {
  constexpr int kRows = 40;
  const auto coverage = [&](double first, double second) {
    double held = 0;
    for (int a = 0; a <= kRows; ++a)
      for (int b = 0; a + b <= kRows; ++b) {
        const double log_ways =
            std::lgamma(kRows + 1) - std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(kRows - a - b + 1);
        const double chance = std::exp(log_ways + a * std::log(first) + b * std::log(second) +
                                       (kRows - a - b) * std::log(1 - first - second));
        const Interval i = paired_interval(a, b, kRows);
        if (i.low <= first - second && first - second <= i.high) held += chance;
      }
    return held;
  };
  for (const auto& [first, second] : {std::pair{0.1, 0.1}, {0.2, 0.1}, {0.3, 0.05}, {0.4, 0.4}, {0.02, 0.01}}) {
    EXPECT_GT(coverage(first, second), 0.935) << first << ' ' << second;
    EXPECT_LT(coverage(first, second), 0.9999) << first << ' ' << second;
  }
  EXPECT_EQ(paired_interval(0, 0, 0).low, -1);
  EXPECT_EQ(paired_interval(0, 0, 0).high, 1);
  EXPECT_LT(paired_interval(0, 0, 50).low, 0);  // that nobody differed proves little
}

// By hand: of weights 2, 1, 1, 4 the first alone gets 2 right, the second alone 1.
TEST(PairedInterval, CountsByWeight) {
  const auto classes = [](std::initializer_list<std::size_t> list) {
    std::vector<Class> out;
    for (const std::size_t k : list) out.emplace_back(k);
    return out;
  };
  const std::vector<double> weights{2, 1, 1, 4};
  const Lift lift = lift_over(classes({0, 0, 1, 1}), classes({0, 1, 0, 1}), classes({1, 0, 0, 1}), weights, 16);
  EXPECT_DOUBLE_EQ(lift.points, 0.125);
  EXPECT_DOUBLE_EQ(lift.interval.low, paired_interval(4, 2, 16).low);
  EXPECT_DOUBLE_EQ(effective_rows(weights, 4), 64.0 / 22);
  EXPECT_DOUBLE_EQ(effective_rows({}, 4), 4);
}

// With costs that count errors, what is saved is the gain in accuracy, with the same interval.
TEST(Intervals, WhatIsSavedWithCostsOfErrorsIsTheLift) {
  Rng rng(8);
  for (int round = 0; round < 200; ++round) {
    const std::size_t num_classes = 2 + rng.below(2), n = 1 + rng.below(40);
    std::vector<Class> truth, first, second;
    std::vector<double> weights, costs;
    for (std::size_t r = 0; r < n; ++r) {
      for (auto* list : {&truth, &first, &second}) list->emplace_back(rng.below(num_classes));
      weights.push_back(static_cast<double>(1 + rng.below(9)) / 4);
    }
    for (std::size_t i = 0; i < num_classes * num_classes; ++i) costs.push_back(i % (num_classes + 1) == 0 ? 0 : 1);
    const double rows = effective_rows(weights, n);
    const Lift lift = lift_over(truth, first, second, weights, rows);
    const Lift saved = lift_over(truth, first, second, weights, rows, costs);
    EXPECT_FALSE(lift.cost);
    EXPECT_TRUE(saved.cost);
    EXPECT_NEAR(saved.points, lift.points, 1e-12);
    EXPECT_NEAR(saved.interval.low, lift.interval.low, 1e-12);
    EXPECT_NEAR(saved.interval.high, lift.interval.high, 1e-12);
    for (double& cost : costs) cost *= 20;
    EXPECT_NEAR(lift_over(truth, first, second, weights, rows, costs).interval.low, 20 * lift.interval.low, 1e-10);
  }
}

TEST(Intervals, TheBestConstantIsTheCheapestAnswer) {
  EXPECT_EQ(best_constant(std::vector{7.0, 3.0}, {}), Class{0});
  EXPECT_EQ(best_constant(std::vector{7.0, 3.0}, std::vector{0.0, 1.0, 20.0, 0.0}), Class{1});
}

TEST(KindsOfErrors, ByNameTheWeightiestFirst) {
  EXPECT_EQ(kinds_of_errors({{5, 2}, {7.5, 1}}, {"healthy", "sick"}), "7.5 sick as healthy, 2 healthy as sick");
  EXPECT_EQ(kinds_of_errors({{5, 0}, {0, 1}}, {"healthy", "sick"}), "");
  EXPECT_EQ(kinds_of_errors({{0, 1, 2}, {3, 0, 4}, {5, 6, 0}}, {"a", "b", "c"}),
            "6 c as b, 5 c as a, 4 b as c, 3 b as a and 2 other kinds");
}

// Against the definition: the ends are where the normal test of the share, at its own variance, just gives way.
TEST(WilsonInterval, IsWhereTheScoreTestGivesWay) {
  for (const double n : {1.0, 7.0, 30.0, 958.0, 1e6})
    for (const double share : {0.0, 0.1, 0.5, 0.873, 1.0}) {
      const Interval i = wilson_interval(share, n);
      for (const double p : {i.low, i.high}) {
        if (p <= 0 || p >= 1) continue;
        EXPECT_NEAR(std::abs(share - p) / std::sqrt(p * (1 - p) / n), 1.959963984540054, 1e-6) << share << ' ' << n;
      }
      EXPECT_LE(i.low, share);
      EXPECT_GE(i.high, share);
    }
  EXPECT_EQ(wilson_interval(0.5, 0).low, 0);
  EXPECT_EQ(wilson_interval(0.5, 0).high, 1);
  EXPECT_EQ(wilson_interval(1, 10).high, 1);
}

}  // namespace
}  // namespace beadwork
