#include <beadwork/evidence.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace beadwork {
namespace {

std::string patients(std::uint64_t seed, bool weighted) {
  std::mt19937_64 rng(seed);
  std::string text = weighted ? "age,dose,pain,sex,w,y\n" : "age,dose,pain,sex,y\n";
  const char* pains[] = {"none", "mild", "strong", "?"};
  for (int r = 0; r < 80; ++r) {
    const auto age = rng() % 8, pain = rng() % 4;
    text += fmt::format("{},{},{},{},", age, rng() % 5, pains[pain], rng() % 2 == 0 ? "f" : "m");
    if (weighted) text += fmt::format("{},", 0.5 * static_cast<double>(1 + rng() % 4));
    text += (age > 4) == (pain == 2) || rng() % 4 == 0 ? "ill\n" : "well\n";
  }
  return text;
}

struct Fit {
  Table table;
  Binarizer binarizer;
  Dataset dataset;
  Request request;
  Outcome outcome;
  Model model;
};

Fit fitted(const std::string& text, const Request& request, bool ranks = false) {
  ReadOptions options;
  if (text.starts_with("age,dose,pain,sex,w")) options.weight = "w";
  Table table = parse_table(text, "patients.csv", options)->table;
  Binarizer binarizer = *Binarizer::fit(table, {*parse_threshold_rule("all")});
  Dataset dataset = ranks ? ranked_dataset(std::make_shared<const RankedData>(*rank(table))) : *binarizer.apply(table);
  Outcome outcome = *learn(dataset, request);
  remove_implied_tests(outcome, binarizer, request);
  Model model = *model_of(binarizer, dataset, request, outcome, "all");
  return {std::move(table), std::move(binarizer), std::move(dataset), request, std::move(outcome), std::move(model)};
}

OtherModels others_of(const Fit& f, const Control& control = {}) {
  auto others = other_models(f.binarizer, f.dataset, f.request, f.outcome, f.model, control);
  EXPECT_TRUE(others) << others.error().message;
  return *std::move(others);
}

Request near_request(std::size_t depth, double within) {
  Request request;
  request.run.depth.most = depth;
  request.ask<ForSearch>().within = within;
  return request;
}

std::vector<std::string> tested(const Model& model) {
  std::vector<std::string> out;
  for (const Feature f : model.diagram().used_features()) out.push_back(model.feature_name(f));
  std::sort(out.begin(), out.end());
  return out;
}

// What answers cost, followed row by row: errors, or `miss` for an ill one called well.
double cost_of(const Model& model, const Table& table, double miss) {
  const auto answers = predict(model, table);
  const auto labels = model.binarizer().labels(table);
  const auto weight = table.weight();
  const auto ill = static_cast<std::size_t>(std::find(model.class_names().begin(), model.class_names().end(), "ill") -
                                            model.class_names().begin());
  double sum = 0;
  for (std::size_t r = 0; r < table.num_rows(); ++r)
    if (answers->classes[r] != (*labels)[r])
      sum += (weight ? table.column(*weight).numbers[r] : 1.0) * ((*labels)[r]() == ill ? miss : 1.0);
  return sum;
}

TEST(Alternatives, EachIsAWholeModelWithItsExactClaim) {
  for (const bool weighted : {false, true})
    for (const double miss : {1.0, 3.0}) {
      Request request = near_request(3, 10);
      if (miss != 1.0) request.cost.costs = {0, miss, 1, 0};  // read by the order of classes below
      const Fit f = fitted(patients(weighted ? 2 : 1, weighted), request);
      ASSERT_EQ(f.model.class_names()[0] == "ill" || miss == 1.0, true) << "ill comes first";
      const OtherModels others = others_of(f);
      ASSERT_GT(others.list.size(), 3u);
      std::set<std::vector<std::string>> seen{tested(f.model)};
      const double optimum = in_units(f.outcome.claim, f.outcome.claim.lower_bound);
      for (const ReportFacts::Alternative& a : others.list) {
        const Claim& c = a.model.claim();
        const double cost = in_units(c, *c.upper_bound);
        EXPECT_DOUBLE_EQ(cost_of(a.model, f.table, miss), cost);
        EXPECT_LE(cost, optimum + 10);
        EXPECT_EQ(is_proven(c), cost == optimum);
        EXPECT_EQ(c.near_optimum, cost > optimum);
        EXPECT_TRUE(seen.insert(tested(a.model)).second) << "no two use the same features";
        const auto back = model_from_json(to_json(a.model));
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(*back, a.model);
      }
      EXPECT_EQ(others.near->extent, CommitteeClaim::Extent::complete);
      EXPECT_EQ(others.near->members, seen.size());
    }
}

TEST(Alternatives, AreTheMembersOfACommitteeOfThatMargin) {
  const std::string text = patients(3, false);
  const Fit f = fitted(text, near_request(3, 12));
  Request request = near_request(3, 0);
  request.ask<ForSearch>() = {};
  request.ask<ForSearch>().committee = Margin{12, false};
  request.ask<ForSearch>().committee_size = 1000;
  const Fit g = fitted(text, request);
  EXPECT_EQ(others_of(f).near->members, g.outcome.committee->claim.num_sets);
}

TEST(Alternatives, OfSortedColumnsToo) {
  const Fit f = fitted(patients(4, false), near_request(2, 12), true);
  ASSERT_TRUE(f.dataset.is_sorted());
  const OtherModels others = others_of(f);
  ASSERT_GT(others.list.size(), 1u);
  for (const ReportFacts::Alternative& a : others.list) {
    EXPECT_DOUBLE_EQ(cost_of(a.model, f.table, 1), in_units(a.model.claim(), *a.model.claim().upper_bound));
    EXPECT_EQ(a.model.claim().scope.num_features, f.outcome.claim.scope.num_features);
  }
}

TEST(Alternatives, TheFrontIsTheBestOfItsSizes) {
  Request request = near_request(3, 0);
  request.ask<ForSearch>() = {};
  request.ask<ForSearch>().front = true;
  const Fit f = fitted(patients(5, false), request);
  const OtherModels others = others_of(f);
  ASSERT_GT(others.list.size(), 2u);
  EXPECT_FALSE(others.near.has_value());
  for (const ReportFacts::Alternative& a : others.list) {
    const Claim& c = a.model.claim();
    Request alone;
    alone.run.depth.most = c.scope.depth;
    alone.ask<ForSearch>().max_nodes = static_cast<std::int64_t>(*c.scope.max_nodes);
    const Outcome again = *learn(f.dataset, alone);
    EXPECT_EQ(to_words(again.claim), to_words(c)) << "as a fit of that size says";
    EXPECT_EQ(again.claim.upper_bound, c.upper_bound);
    EXPECT_LE(a.model.diagram().size(), *c.scope.max_nodes);
  }
}

TEST(Alternatives, WithoutTimeThereAreFewerAndThePageSaysSo) {
  const Fit f = fitted(patients(6, false), near_request(3, 16));
  Control control;
  control.deadline = Deadline::in(-1);
  ReportFacts facts;
  facts.rows.push_back({ReportRows::Role::training, "patients.csv", f.table});
  add_alternatives(others_of(f, control), f.model, facts, control);
  EXPECT_TRUE(facts.alternatives.empty());
  EXPECT_EQ(facts.alternatives_claim,
            "1 diagram: not all of those that make at most 16 errors more than the optimum are known");
  OtherModels others = others_of(f);
  const std::size_t all = others.list.size();
  others.list.resize(all / 2);  // as if time had run out while they were made
  add_alternatives(std::move(others), f.model, facts);
  EXPECT_EQ(facts.alternatives.size(), all / 2);
  EXPECT_TRUE(facts.alternatives_claim.starts_with(fmt::format("{} diagrams: the first", all / 2 + 1)))
      << facts.alternatives_claim;
  for (const ReportFacts::Alternative& a : facts.alternatives) ASSERT_EQ(a.on.size(), 1u);
}

TEST(Alternatives, ManyClassesLeaveRoomForFewer) {
  std::mt19937_64 rng(8);
  std::string text = "a,b,c,d,e,y\n";
  for (int r = 0; r < 900; ++r)
    text += fmt::format("{},{},{},{},{},k{}\n", rng() % 2, rng() % 2, rng() % 2, rng() % 2, rng() % 2, r % 300);
  const Fit f = fitted(text, near_request(2, 100));
  const OtherModels others = others_of(f);
  EXPECT_EQ(others.list.size(), 8u);  // 450 kB each, of 4 MB
  ReportFacts facts;
  const std::size_t all = others.near->members;
  EXPECT_GT(all, 9u);
  add_alternatives(others, f.model, facts);
  EXPECT_TRUE(facts.alternatives_claim.starts_with("9 diagrams: the first, by errors, of the"))
      << facts.alternatives_claim;
}

TEST(Alternatives, RowsThatLackAColumnLeaveItsModelsOut) {
  const Fit f = fitted(patients(7, false), near_request(3, 16));
  OtherModels others = others_of(f);
  const std::size_t all = others.list.size();
  std::vector<Column> columns;
  std::size_t target = 0;
  for (std::size_t c = 0; c < f.table.num_columns(); ++c) {
    if (f.table.column(c).name == "dose") continue;
    if (f.table.column(c).name == "y") target = columns.size();
    columns.push_back(f.table.column(c));
  }
  ReportFacts facts;
  facts.rows.push_back({ReportRows::Role::test, "short.csv", *Table::make(std::move(columns), target, {})});
  add_alternatives(std::move(others), f.model, facts);
  EXPECT_LT(facts.alternatives.size(), all);
  EXPECT_GT(facts.alternatives.size(), 0u);
  EXPECT_FALSE(facts.alternatives_claim.starts_with("all")) << facts.alternatives_claim;
}

}  // namespace
}  // namespace beadwork
