// A request in parts gives what `learn` gives for the whole, through texts, over features and over sorted columns.

#include "unit/ordered/tables.hpp"
#include <beadwork/engine.hpp>
#include <beadwork/engine/plan.hpp>

#include <algorithm>

namespace beadwork {
namespace {

using namespace test;

// As a part comes back from another machine.
Part travelled(const Part& part) {
  const auto back = parse_part(to_text(part));
  EXPECT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(*back, part);
  return *back;
}

struct Divided {
  Dataset dataset;
  Request request;
  Plan plan;
  std::vector<Part> parts;  // all, complete
};

Divided divide(Dataset dataset, const Request& request, std::size_t num_parts) {
  auto made = plan_search(dataset, request, num_parts);
  EXPECT_TRUE(made) << made.error().to_string();
  const auto plan = parse_plan(to_text(*made));
  EXPECT_TRUE(plan) << plan.error().to_string();
  EXPECT_EQ(to_text(*plan), to_text(*made));
  EXPECT_EQ(plan->num_parts(), num_parts);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < num_parts; ++i) {
    const auto part = search_part(dataset, request, *plan, i);
    EXPECT_TRUE(part) << part.error().to_string();
    EXPECT_TRUE(part->complete);
    parts.push_back(travelled(*part));
  }
  return {std::move(dataset), request, *plan, std::move(parts)};
}

void expect_as_the_whole(const Divided& d, const std::vector<Part>& parts, const std::string& what) {
  const auto merged = merge_parts(d.plan, parts);
  ASSERT_TRUE(merged) << what << merged.error().to_string();
  EXPECT_EQ(merged->missing.size(), d.parts.size() - parts.size()) << what;
  EXPECT_EQ(merged->left.empty(), merged->missing.empty()) << what;
  const auto whole = learn(d.dataset, d.request), got = learn(d.dataset, d.request, {}, merged->exchange());
  ASSERT_TRUE(whole && got) << what;
  EXPECT_EQ(claim_json(got->claim), claim_json(whole->claim)) << what;
  EXPECT_EQ(got->features, whole->features) << what;
  EXPECT_EQ(got->diagram, whole->diagram) << what;
}

Request request_of(Rng& rng, const Dataset& dataset) {
  Request request;
  request.run.depth.most = 1 + rng.below(3);
  request.run.threads = 1 + static_cast<std::int64_t>(rng.below(2));
  if (rng.below(4) == 0 && dataset.num_features() > 0)
    request.pin.forbid = {dataset.feature_name(Feature{rng.below(dataset.num_features())})};
  return request;
}

class PlanOfRequest : public testing::TestWithParam<bool> {
 protected:
  // With all thresholds, as features or as sorted columns.
  Dataset table(Rng& rng) const {
    for (;;) {
      const Table table = random_table(rng, random_shape(rng));
      if (table.num_rows() == 0) continue;
      if (GetParam()) return ranked_dataset(std::make_shared<const RankedData>(*rank(table)));
      return *Binarizer::fit(table, {{ThresholdRule::Kind::all, 0}})->apply(table);
    }
  }
};

TEST_P(PlanOfRequest, PartsInAnyOrderGiveTheWhole) {
  Rng rng(3);
  std::size_t busy = 0;  // parts with something to do
  for (int i = 0; i < 150 && !HasFailure(); ++i) {
    const Dataset dataset = table(rng);
    Request request;
    request.run.depth.most = 1 + rng.below(3);
    if (!GetParam()) request = request_of(rng, dataset);
    Divided d = divide(dataset, request, 1 + rng.below(9));
    for (std::size_t j = d.parts.size(); j > 1; --j) std::swap(d.parts[j - 1], d.parts[rng.below(j)]);
    expect_as_the_whole(d, d.parts, "table " + std::to_string(i) + ": ");
    for (std::size_t j = 0; j < d.parts.size(); ++j) busy += d.plan.is_empty(j) ? 0 : 1;
  }
  EXPECT_GT(busy, 150u);
}

TEST_P(PlanOfRequest, WhatIsMissingIsSearchedAtTheEnd) {
  Rng rng(4);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    Request request;
    request.run.depth.most = 2;
    const Divided d = divide(table(rng), request, 6);
    std::vector<Part> some;
    std::vector<std::size_t> missing;
    for (const Part& part : d.parts)
      if (rng.below(2) == 0)
        some.push_back(part);
      else
        missing.push_back(part.number);
    const auto merged = merge_parts(d.plan, some);
    ASSERT_TRUE(merged);
    std::erase_if(missing, [&](std::size_t part) { return d.plan.is_empty(part); });
    std::vector<std::size_t> named = merged->missing;
    std::erase_if(named, [&](std::size_t part) { return d.plan.is_empty(part); });
    EXPECT_EQ(named, missing);
    const auto whole = learn(d.dataset, request), got = learn(d.dataset, request, {}, merged->exchange());
    ASSERT_TRUE(whole && got);
    EXPECT_EQ(got->claim.upper_bound, whole->claim.upper_bound);
    EXPECT_TRUE(is_proven(got->claim));
  }
}

TEST_P(PlanOfRequest, WithoutTimeTheBestOfThePartsStands) {
  Rng rng(6);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    Request request;
    request.run.depth.most = 2;
    const Divided d = divide(table(rng), request, 4);
    const auto merged = merge_parts(d.plan, {d.parts[0], d.parts[2]});
    ASSERT_TRUE(merged);
    const auto best = best_of(d.plan);
    if (!best) continue;  // nothing to choose from
    const auto whole = learn(d.dataset, request);
    request.run.time_limit = 0;
    const auto got = learn(d.dataset, request, {}, merged->exchange());
    ASSERT_TRUE(whole && got);
    EXPECT_FALSE(is_proven(got->claim));
    EXPECT_LE(*got->claim.upper_bound, std::min({best->error, error_of(d.parts[0]), error_of(d.parts[2])}));
    EXPECT_LE(got->claim.lower_bound, *whole->claim.upper_bound);
  }
}

TEST_P(PlanOfRequest, SharesWhatItFindsAndTakesWhatOthersFound) {
  Rng rng(5);
  std::size_t shared = 0;
  for (int i = 0; i < 40 && !HasFailure(); ++i) {
    const Dataset dataset = table(rng);
    Request request;
    request.run.depth.most = 2;
    const auto plan = plan_search(dataset, request, 3);
    ASSERT_TRUE(plan);
    const auto best = best_of(*plan);
    if (!best) continue;  // nothing to choose from
    ++shared;
    std::size_t calls = 0;
    PartExchange exchange;
    exchange.share_seconds = 0;
    exchange.share = [&](const PlanBest& mine) -> std::optional<PlanBest> {
      ++calls;
      EXPECT_LE(mine.error, best->error);
      EXPECT_EQ(*parse_best(*plan, to_text(*plan, mine)), mine);
      PlanBest lie = mine;  // a set is counted again before it is believed
      lie.error = 0;
      return lie;
    };
    std::vector<Part> parts;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto part = search_part(dataset, request, *plan, k, {}, exchange);
      ASSERT_TRUE(part) << part.error().to_string();
      parts.push_back(*part);
    }
    const auto merged = merge_parts(*plan, parts);
    ASSERT_TRUE(merged);
    const auto got = learn(dataset, request, {}, merged->exchange()), whole = learn(dataset, request);
    ASSERT_TRUE(got && whole);
    EXPECT_EQ(claim_json(got->claim), claim_json(whole->claim));
    EXPECT_TRUE(calls > 0 || best->error == 0);
  }
  EXPECT_GT(shared, 10u);
}

TEST_P(PlanOfRequest, RefusesWhatDoesNotBelongTogether) {
  Rng rng(6);
  Dataset dataset = table(rng);
  while (dataset.num_rows() < 10) dataset = table(rng);
  Request request;
  request.run.depth.most = 2;
  const Divided d = divide(dataset, request, 4);
  auto twice = d.parts;
  twice.push_back(d.parts[0]);
  EXPECT_FALSE(merge_parts(d.plan, twice));
  auto foreign = d.parts;
  foreign[1].plan = std::string(64, '0');
  EXPECT_FALSE(merge_parts(d.plan, foreign));
  auto beyond = d.parts;
  beyond[2].number = 4;
  EXPECT_FALSE(merge_parts(d.plan, beyond));
  if (!d.plan.is_empty(0) && !d.plan.is_empty(1)) {
    auto exchanged = d.parts;  // each says what was the other's to say
    std::swap(exchanged[0].state, exchanged[1].state);
    EXPECT_FALSE(merge_parts(d.plan, exchanged));
  }
  Request other = request;
  other.run.depth.most = 1;
  EXPECT_FALSE(check_plan(d.plan, dataset, other));
  EXPECT_FALSE(search_part(dataset, other, d.plan, 0));
  Dataset changed = table(rng);
  EXPECT_FALSE(check_plan(d.plan, changed, request));
  PartExchange exchange;
  exchange.resume = d.parts[1];
  EXPECT_FALSE(search_part(dataset, request, d.plan, 0, {}, exchange));
  exchange.resume = d.parts[0];
  const auto again = search_part(dataset, request, d.plan, 0, {}, exchange);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->complete);
}

INSTANTIATE_TEST_SUITE_P(Columns, PlanOfRequest, testing::Bool(),
                         [](const auto& info) { return info.param ? "sorted" : "features"; });

TEST(Plan, RequestsThatHaveNoParts) {
  const auto refused = [](const auto& change) {
    Request request;
    change(request);
    const auto ok = check_divisible(request);
    return !ok && !ok.error().where.empty();
  };
  EXPECT_TRUE(check_divisible(Request{}));
  EXPECT_TRUE(refused([](Request& r) { r.run.depth.from = 1; }));
  EXPECT_TRUE(refused([](Request& r) { r.ask<ForSearch>().max_nodes = 5; }));
  EXPECT_TRUE(refused([](Request& r) { r.ask<ForSearch>().node_penalty = 1; }));
  EXPECT_TRUE(refused([](Request& r) { r.ask<ForSearch>().front = true; }));
}

TEST(Plan, TextsThatAreDamagedAreRefused) {
  Rng rng(8);
  Request request;
  request.run.depth.most = 2;
  Table table = random_table(rng, random_shape(rng));
  while (table.num_rows() < 10) table = random_table(rng, random_shape(rng));
  const Divided d = divide(*Binarizer::fit(table, {})->apply(table), request, 3);
  Plan kept = d.plan;  // what a host keeps is data, whatever it looks like
  kept.kept = {{"table", "/a b/t.csv"}, {"missing", ""}, {"missing", "--checkpoint=x y\nkept o =p"}, {"target", "=a%"}};
  const auto back = parse_plan(to_text(kept));
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(*back, kept);
  const std::string plan = to_text(kept), part = to_text(d.parts[0]);
  std::string old = plan.substr(0, plan.rfind("sha256 "));
  old.replace(0, old.find('\n'), "beadwork-plan 1");
  EXPECT_NE(parse_plan(seal(old)).error().message.find("older version"), std::string::npos);
  for (int i = 0; i < 400; ++i) {
    std::string a = plan, b = part;
    a[rng.below(a.size())] ^= static_cast<char>(1 + rng.below(127));
    b[rng.below(b.size())] ^= static_cast<char>(1 + rng.below(127));
    EXPECT_FALSE(parse_plan(a));
    EXPECT_FALSE(parse_part(b));
    EXPECT_FALSE(parse_plan(plan.substr(0, rng.below(plan.size()))));
    EXPECT_FALSE(parse_part(part.substr(0, rng.below(part.size()))));
  }
}

}  // namespace
}  // namespace beadwork
