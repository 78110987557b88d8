// Names that collide: what forbid, candidate, require and prices mean is a column or a test, whatever else is called
// so. The right answers come from a search through all sets of the tests of a column, told by its number.
#include <beadwork/engine.hpp>
#include <beadwork/engine/ranked.hpp>
#include <beadwork/evidence.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace beadwork {
namespace {

struct Colliding {
  Table table;
  Binarizer binarizer;
  Dataset features;
  std::shared_ptr<const RankedData> ranks;

  explicit Colliding(const std::string& text)
      : table(parse_table(text, "t.csv")->table),
        binarizer(*Binarizer::fit(table, {{ThresholdRule::Kind::all, 0}})),
        features(*binarizer.apply(table)),
        ranks(std::make_shared<const RankedData>(*rank(table))) {}

  std::size_t column_of(std::size_t f) const { return binarizer.tests()[f].column; }
  const std::string& column(std::size_t c) const { return binarizer.inputs()[c].name; }
  bool is_test_of_another(std::size_t c) const {
    for (std::size_t f = 0; f < features.num_features(); ++f)
      if (column_of(f) != c && features.feature_name(Feature{f}) == column(c)) return true;
    return false;
  }
  // The fewest errors of any set of at most two of the tests that pass.
  template <class Allowed>
  std::int64_t least(Allowed allowed) const {
    std::vector<std::vector<Feature>> sets{{}};
    for (std::size_t f = 0; f < features.num_features(); ++f)
      for (std::size_t g = 0; g <= f && allowed(f); ++g)
        if (g == f)
          sets.push_back({Feature{f}});
        else if (allowed(g))
          sets.push_back({Feature{g}, Feature{f}});
    std::int64_t best = features.total_weight();
    for (const auto& set : sets) {
      const auto counts = count_cells(features, set);
      std::int64_t errors = features.total_weight();
      for (std::size_t at = 0; at < counts.size(); at += features.num_classes())
        errors -= *std::max_element(counts.begin() + static_cast<std::ptrdiff_t>(at),
                                    counts.begin() + static_cast<std::ptrdiff_t>(at + features.num_classes()));
      best = std::min(best, errors);
    }
    return best;
  }
};

// Columns of words, flags and numbers, some with gaps, of which some are called like tests of others.
std::string random_text(Rng& rng) {
  std::vector<std::string> names{"x", "n", "z"};
  const std::vector<std::string> more{"x = a",        "x = b",        "n <= 1.5",    "n <= 2.5",
                                      "x is missing", "n is missing", "z is missing"};
  for (std::size_t i = 1 + rng.below(3); i > 0; --i) {
    const std::string& name = more[rng.below(more.size())];
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::vector<bool> gaps;
  std::string text;
  for (const std::string& name : names) {
    text += name + ",";
    gaps.push_back(rng.below(3) == 0);
  }
  text += "class\n";
  for (std::size_t row = 0; row < 24; ++row) {
    for (std::size_t c = 0; c < names.size(); ++c) {
      const std::size_t value = rng.below(c == 0 ? 3 : c == 1 ? 4 : 2);
      const bool gap = gaps[c] && rng.below(4) == 0;
      text += gap      ? ","
              : c == 0 ? fmt::format("{},", "abc"[value])
                       : fmt::format("{},", c == 1 ? value + 2 * row / 24 : value);
    }
    text += rng.below(2) == 0 ? "yes\n" : "no\n";
  }
  return text;
}

Request of_two() {
  Request request;
  request.run.depth.most = 2;
  return request;
}

// Over features and over sorted columns: the cost, or the refusal.
void expect_least(const Colliding& data, const Request& request, std::int64_t least, bool ambiguous,
                  const std::string& what) {
  const auto check = [&](const Result<Outcome>& outcome) {
    if (ambiguous) {
      ASSERT_FALSE(outcome) << what;
      EXPECT_NE(outcome.error().message.find("ambiguous"), std::string::npos) << what << outcome.error().message;
      return;
    }
    ASSERT_TRUE(outcome) << what << outcome.error().message;
    EXPECT_EQ(outcome->status(), SolveStatus::optimal) << what;
    EXPECT_EQ(outcome->claim.upper_bound, least) << what;
  };
  check(learn(data.features, request));
  check(learn_by_ranks(ranked_dataset(data.ranks), request, {}, {}));
  check(learn(ranked_dataset(data.ranks), request));
}

TEST(Names, AColumnIsMeantByItsNumber) {
  Rng rng(11);
  std::size_t refused = 0, answered = 0;
  for (int round = 0; round < 60; ++round) {
    const std::string text = random_text(rng);
    const Colliding data(text);
    for (std::size_t c = 0; c < data.binarizer.inputs().size(); ++c) {
      const auto of_it = [&](std::size_t f) { return data.column_of(f) == c; };
      bool any = false;
      for (std::size_t f = 0; f < data.features.num_features(); ++f) any = any || of_it(f);
      if (!any) continue;
      const bool ambiguous = data.is_test_of_another(c);
      ++(ambiguous ? refused : answered);
      Request without = of_two(), alone = of_two();
      without.pin.forbid = {data.column(c)};
      alone.choice.candidate = {data.column(c)};
      const std::string what = fmt::format("'{}' of\n{}", data.column(c), text);
      expect_least(data, without, data.least([&](std::size_t f) { return !of_it(f); }), ambiguous, what);
      expect_least(data, alone, data.least(of_it), ambiguous, what);
    }
  }
  EXPECT_GT(refused, 20U);
  EXPECT_GT(answered, 100U);
}

TEST(Names, APriceIsThatOfTheColumnAlone) {
  Rng rng(12);
  for (int round = 0; round < 40; ++round) {
    const std::string text = random_text(rng);
    const Colliding data(text);
    const std::int64_t best = data.least([](std::size_t) { return true; });
    Request request = of_two();
    request.ask<ForSearch>().prices = true;
    for (const Dataset& dataset : {data.features, ranked_dataset(data.ranks)}) {
      auto outcome = learn(dataset, request);
      ASSERT_TRUE(outcome) << text;
      weigh_columns(*outcome, data.binarizer, dataset);
      ASSERT_TRUE(price_columns(*outcome, data.binarizer, dataset, request, {})) << text;
      for (const ColumnWorth& column : outcome->columns) {
        const std::string& name = data.binarizer.inputs()[column.input].name;
        const auto true_price =
            data.least([&](std::size_t f) { return data.column(data.column_of(f)) != name; }) - best;
        ASSERT_TRUE(column.price) << text;
        EXPECT_EQ(column.price->least, true_price) << name << " of\n" << text;
        EXPECT_EQ(column.price->most, true_price) << name << " of\n" << text;
      }
    }
  }
}

TEST(Names, AmbiguityIsToldWithItsChoices) {
  const Colliding data("x,x = a,class\na,0,n\nb,1,y\nc,0,n\na,1,y\n");
  for (const char* option : {"forbid", "candidate", "require"}) {
    Request request = of_two();
    ASSERT_TRUE(set_option(request, option, "x = a"));
    for (const Dataset& dataset : {data.features, ranked_dataset(data.ranks)}) {
      const auto outcome = learn(dataset, request);
      ASSERT_FALSE(outcome);
      EXPECT_TRUE(outcome.error().to_string().starts_with(std::string(option) + ": 'x = a' is ambiguous: it is the "))
          << outcome.error().to_string();
      EXPECT_NE(outcome.error().message.find("the feature 'x = a' of column 'x'"), std::string::npos);
    }
  }
}

// Also where one of the column's tests, `x` and `x is missing`, is called like it; over sorted columns as well.
TEST(Names, AColumnsNameIsTheColumnWhereverItStands) {
  const Colliding data("x,z,class\n0,0,n\n1,1,y\n,0,y\n,1,y\n1,0,n\n");
  for (const Dataset& dataset : {data.features, ranked_dataset(data.ranks)}) {
    Request request = of_two();
    const auto scope = [&] { return learn(dataset, request)->claim.scope; };
    request.pin.require = {"x"};
    EXPECT_EQ(scope().required, std::vector<std::string>{});
    EXPECT_EQ(scope().required_columns, std::vector<std::string>{"x"});
    request.pin.forbid = {"x is missing"};
    EXPECT_EQ(scope().required, std::vector<std::string>{"x"});
    EXPECT_EQ(scope().num_allowed, 2U);
    request.pin = {{}, {"x"}};
    EXPECT_EQ(scope().num_allowed, 1U);
    request.pin = {};
    request.choice.candidate = {"x"};
    EXPECT_EQ(scope().num_allowed, 2U);
  }
}

// A column stands for any of its tests, over features and over sorted columns.
TEST(Names, ARequiredColumnIsOneOfItsTests) {
  const Colliding data("x,z,w,class\n1,0,a,n\n2,1,b,y\n3,0,c,y\n4,1,a,y\n5,0,b,n\n,1,c,y\n");
  const auto needs = [&](std::vector<std::string> names, std::size_t depth) {
    Request request;
    request.run.depth = {depth, {}};
    request.pin.require = std::move(names);
    return request;
  };
  for (const Dataset& dataset : {data.features, ranked_dataset(data.ranks)}) {
    const auto said = [&](const Request& request) {
      const auto outcome = learn(dataset, request);
      return outcome ? to_words(outcome->claim) : outcome.error().to_string();
    };
    EXPECT_TRUE(
        said(needs({"w"}, 2))
            .starts_with("optimal: no diagram on at most 2 of these 9 features with a test of w makes fewer errors"));
    EXPECT_TRUE(
        said(needs({"w", "x"}, 2))
            .starts_with(
                "optimal: no diagram on at most 2 of these 9 features with a test of each of w, x makes fewer errors"));
    EXPECT_TRUE(said(needs({"w", "x <= 1.5", "x"}, 2))
                    .starts_with("optimal: no diagram on at most 2 of these 9 features with x <= 1.5 and with a test "
                                 "of w makes fewer errors"));
    EXPECT_TRUE(said(needs({"w", "x", "w = a"}, 2))
                    .starts_with("optimal: no diagram on at most 2 of these 9 features with w = a and with a test of x "
                                 "makes fewer errors"));
    Request one = needs({"w"}, 2);
    one.pin.forbid = {"w = a", "w = b"};
    EXPECT_TRUE(said(one).starts_with(
        "optimal: no diagram on at most 2 of the 7 features that are not forbidden with w = c makes fewer errors"))
        << said(one);
    one.pin.forbid = {"w"};
    EXPECT_EQ(said(one), "require: column 'w' is required, and none of its features may be selected");
    one.pin.forbid.clear();
    one.choice.candidate = {"x"};
    EXPECT_EQ(said(one), "require: column 'w' is required, and none of its features may be selected");
    EXPECT_EQ(said(needs({"w", "x"}, 1)), "require: 2 columns are required, but the depth is 1");
    EXPECT_EQ(said(needs({"w", "z"}, 1)), "require: 1 feature and 1 column are required, but the depth is 1");
    EXPECT_EQ(said(needs({"x"}, 0)), "require: 1 column is required, but the depth is 0");
    EXPECT_TRUE(said(needs({"xx"}, 2)).starts_with("require: unknown feature 'xx'; did you mean "))
        << said(needs({"xx"}, 2));
    Request certified = needs({"x"}, 2);
    certified.ask<ForSearch>().certificate.path = "c";
    EXPECT_EQ(said(certified),
              "certificate: cannot be combined with a required column that has several features; require one of them, "
              "or forbid the others");
    certified.pin.require = {"z"};
    EXPECT_TRUE(said(certified).starts_with("optimal: "));
    // Errors are those of a search through all sets, whatever the search is.
    for (const char* name : {"w", "x", "z"}) {
      const auto outcome = learn(dataset, needs({name}, 2));
      ASSERT_TRUE(outcome);
      EXPECT_TRUE(std::any_of(outcome->features.begin(), outcome->features.end(),
                              [&](Feature f) { return dataset.input_name(dataset.input_of(f)) == name; }));
      const auto in = [&](std::size_t f) { return data.column(data.column_of(f)) == name; };
      std::int64_t least = data.features.total_weight();
      for (std::size_t f = 0; f < data.features.num_features(); ++f)
        for (std::size_t g = 0; g < data.features.num_features(); ++g)
          if (in(f)) least = std::min(least, data.least([&](std::size_t h) { return h == f || h == g; }));
      EXPECT_EQ(outcome->claim.upper_bound, least) << name;
      EXPECT_EQ(outcome->claim.lower_bound, least) << name;
      EXPECT_EQ(outcome->claim.certifiable, std::string_view(name) == "z");
    }
  }
  const Colliding constant("x,z,class\n5,0,n\n5,1,y\n5,0,y\n");
  EXPECT_EQ(learn(constant.features, needs({"x"}, 2)).error().to_string(),
            "require: column 'x' has no feature: nothing of it can be tested");
}

// A dataset keeps the numbers of its columns wherever it goes.
TEST(Names, ColumnsKeepTheirNumbers) {
  const Colliding data("x,x = a,class\na,0,n\nb,1,y\nc,0,n\na,1,y\n");
  const std::vector<Row> rows{Row{0}, Row{1}, Row{2}};
  const std::vector<Feature> some{Feature{3}, Feature{0}};
  for (const Dataset& d :
       {data.features.subset(rows), data.features.select(some), data.features.select(some).subset(rows)})
    for (std::size_t f = 0; f < d.num_features(); ++f)
      EXPECT_EQ(d.input_name(d.input_of(Feature{f})), d.input_of(Feature{f}) == 0 ? "x" : "x = a");
  EXPECT_EQ(data.features.select(some).input_of(Feature{0}), 1U);
  const Dataset sorted = ranked_dataset(data.ranks);
  EXPECT_EQ(sorted.input_of(Feature{3}), 1U);
  EXPECT_EQ(sorted.input_name(1), "x = a");
}

}  // namespace
}  // namespace beadwork
