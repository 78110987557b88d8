#include "fitting.hpp"
#include <beadwork/engine.hpp>
#include <beadwork/model.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

namespace beadwork {
namespace {

using fixtures::fitted;
using fixtures::table_of;

TEST(Predict, RawRowsMatchedByName) {
  const auto f = fitted(fixtures::kShop, 3);
  const auto straight = predict(f.model, f.table);
  ASSERT_TRUE(straight);
  const Table turned = table_of("color,member,size,age\nred,0,S,20\nblue,1,L,50\n,1,M,\n", f.model);
  const auto p = predict(f.model, turned);
  ASSERT_TRUE(p);
  ASSERT_EQ(p->classes.size(), 3U);
  // The same rows in the order of training.
  const Table plain = table_of("age,color,size,member\n20,red,S,0\n50,blue,L,1\n,,M,1\n", f.model);
  const auto q = predict(f.model, plain);
  ASSERT_TRUE(q);
  EXPECT_EQ(p->classes, q->classes);
  EXPECT_EQ(p->paths, q->paths);
}

TEST(Predict, AnswersAreThoseOfTheDiagramOnTheMatrix) {
  for (std::int64_t depth = 0; depth <= 4; ++depth) {
    const auto f = fitted(fixtures::kShop, depth);
    const auto p = predict(f.model, f.table);
    ASSERT_TRUE(p);
    std::int64_t errors = 0;
    std::vector<std::vector<std::int64_t>> counts(f.model.counts().num_paths(),
                                                  std::vector<std::int64_t>(f.dataset.num_classes()));
    for (std::size_t r = 0; r < f.dataset.num_rows(); ++r) {
      const auto passes = [&](Feature i) { return f.dataset.value(Feature{f.model.matrix_columns()[i()]}, Row{r}); };
      EXPECT_EQ(p->classes[r], f.model.diagram().classify(passes));
      EXPECT_EQ(p->paths[r], f.model.diagram().path_of(passes));
      errors += p->classes[r] == f.dataset.label(Row{r}) ? 0 : 1;
      ++counts[p->paths[r]][f.dataset.label(Row{r})()];
    }
    EXPECT_EQ(errors, f.model.training().errors);
    for (std::uint64_t path = 0; path < counts.size(); ++path) {
      const auto got = f.model.counts().of(path);
      EXPECT_EQ(counts[path], std::vector<std::int64_t>(got.begin(), got.end()));
    }
  }
}

TEST(Predict, RefusesAMissingColumnAndAWrongType) {
  const Model m = fixtures::small_model();
  Column age{"age", ColumnType::numeric, {20}, {}, {}};
  auto table = Table::make({age});
  ASSERT_TRUE(table);
  const auto missing = predict(m, *table);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "column 'color' is missing");
  Column color{"color", ColumnType::numeric, {1}, {}, {}};
  table = Table::make({age, color});
  ASSERT_TRUE(table);
  const auto wrong = predict(m, *table);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "column 'color' is numeric, expected nominal");
}

TEST(Predict, TheReaderSaysWhichColumnTheModelNeeds) {
  const Model m = fixtures::small_model();
  const auto file = parse_table("ages,color\n1,red\n", "t", read_options(m));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().to_string(), "t: the model needs column 'age', which is missing; did you mean 'ages'?");
  // A number stands for a column in an option, never in a model.
  const auto numbered = parse_table("age,2nd\n1,red\n", "t", read_options(m));
  ASSERT_FALSE(numbered);
  EXPECT_EQ(numbered.error().to_string(),
            "t: the model needs column 'color', which is missing; the columns are 'age', '2nd'");
}

TEST(Predict, CategoriesNeverSeenAreCountedAndFailEveryTest) {
  const Model m = fixtures::small_model();
  const auto p = predict(m, table_of("age,color\n20,red\n20,mauve\n50,taupe\n50,\n", m));
  ASSERT_TRUE(p);
  EXPECT_EQ(p->unseen, (UnseenCounts{{"color", 2}}));
  EXPECT_EQ(p->classes, (std::vector<Class>{Class{1}, Class{0}, Class{0}, Class{0}}));
}

// small_model's paths: age > 30: [0,0]; age <= 30, not red: [3,1]; age <= 30, red: [0,0].
TEST(Probabilities, EmptyBranchesAskTheNearestBranchAbove) {
  const Model m = fixtures::small_model();
  EXPECT_EQ(probabilities(m, 1), (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(probabilities(m, 0), (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(probabilities(m, 2), (std::vector<double>{0.75, 0.25}));
  EXPECT_THROW(probabilities(m, 3), ContractViolation);
}

TEST(Probabilities, TheNearestBranchNotTheWholeTree) {
  const Model m = fixtures::small_model({{8, 2}, {0, 4}, {0, 0}});
  EXPECT_EQ(probabilities(m, 0), (std::vector<double>{0.8, 0.2}));
  EXPECT_EQ(probabilities(m, 1), (std::vector<double>{0, 1}));
  EXPECT_EQ(probabilities(m, 2), (std::vector<double>{0, 1}));  // of age <= 30, not of all 14
}

TEST(Probabilities, EqualSharesWhereThereIsNoWeight) {
  const Model m = fixtures::small_model({{0, 0}, {0, 0}, {0, 0}});
  for (std::uint64_t p = 0; p < 3; ++p) EXPECT_EQ(probabilities(m, p), (std::vector<double>{0.5, 0.5}));
}

TEST(Evaluate, AgainstAnIndependentComputation) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + rng.below(30);
    const std::size_t classes = 1 + rng.below(4);
    std::vector<Class> truth;
    std::vector<Class> predicted;
    std::vector<double> weights;
    for (std::size_t r = 0; r < n; ++r) {
      truth.emplace_back(rng.below(classes));
      predicted.emplace_back(rng.below(classes));
      if (round % 2 == 1) weights.push_back(static_cast<double>(rng.below(50)) / 10);
    }
    const auto weight = [&](std::size_t r) { return weights.empty() ? 1.0 : weights[r]; };
    const Evaluation e = evaluate(truth, predicted, weights, classes);
    double total = 0;
    double wrong = 0;
    for (std::size_t r = 0; r < n; ++r) {
      total += weight(r);
      if (truth[r] != predicted[r]) wrong += weight(r);
    }
    EXPECT_NEAR(e.total, total, 1e-9);
    EXPECT_NEAR(e.errors, wrong, 1e-9);
    EXPECT_NEAR(e.accuracy, total > 0 ? 1 - wrong / total : 0, 1e-9);
    double recalls = 0;
    int occurring = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      double hit = 0;
      double is = 0;
      double said = 0;
      for (std::size_t r = 0; r < n; ++r) {
        is += truth[r]() == k ? weight(r) : 0;
        said += predicted[r]() == k ? weight(r) : 0;
        hit += truth[r]() == k && predicted[r]() == k ? weight(r) : 0;
      }
      const double recall = is > 0 ? hit / is : 0;
      const double precision = said > 0 ? hit / said : 0;
      EXPECT_NEAR(e.per_class[k].support, is, 1e-9);
      EXPECT_NEAR(e.per_class[k].recall, recall, 1e-9);
      EXPECT_NEAR(e.per_class[k].precision, precision, 1e-9);
      EXPECT_NEAR(e.per_class[k].f1, is + said > 0 ? 2 * hit / (is + said) : 0, 1e-9);
      recalls += recall;
      occurring += is > 0 ? 1 : 0;
    }
    EXPECT_NEAR(e.balanced_accuracy, occurring > 0 ? recalls / occurring : 0, 1e-9);
  }
}

// Of many classes there is no matrix; the figures are the same.
TEST(Evaluate, ManyClassesHaveNoMatrix) {
  for (const bool weighted : {false, true}) {
    Rng rng(5);
    std::vector<Class> truth, predicted;
    std::vector<double> weights;
    const std::size_t n = 4000, used = 50;  // classes that occur
    for (std::size_t r = 0; r < n; ++r) {
      truth.emplace_back(rng.below(used));
      predicted.emplace_back(rng.below(2) == 0 ? truth.back()() : rng.below(used));
      if (weighted) weights.push_back(static_cast<double>(rng.below(5)) / 3);
    }
    const auto of = [&](std::size_t classes) {
      std::vector<double> costs(classes * classes, 1);
      for (std::size_t j = 0; j < used; ++j)
        for (std::size_t k = 0; k < used; ++k)
          costs[j * classes + k] = j == k ? 0 : static_cast<double>((3 * j + 5 * k) % 7) / 2;
      return evaluate(truth, predicted, weights, classes, costs);
    };
    const Evaluation few = of(used), most = of(kMostConfused), many = of(kMostConfused + 1);
    EXPECT_EQ(few.confusion.size(), used);
    EXPECT_EQ(most.confusion.size(), kMostConfused);
    EXPECT_TRUE(many.confusion.empty());
    ASSERT_EQ(many.per_class.size(), kMostConfused + 1);
    for (const Evaluation* e : {&most, &many}) {
      EXPECT_DOUBLE_EQ(e->errors, few.errors);
      EXPECT_DOUBLE_EQ(e->total, few.total);
      EXPECT_DOUBLE_EQ(*e->cost, *few.cost);
      EXPECT_DOUBLE_EQ(e->accuracy, few.accuracy);
      EXPECT_DOUBLE_EQ(e->balanced_accuracy, few.balanced_accuracy);
      for (std::size_t k = 0; k < used; ++k) {
        EXPECT_DOUBLE_EQ(e->per_class[k].support, few.per_class[k].support);
        EXPECT_DOUBLE_EQ(e->per_class[k].precision, few.per_class[k].precision);
        EXPECT_DOUBLE_EQ(e->per_class[k].f1, few.per_class[k].f1);
      }
    }
  }
}

TEST(Evaluate, DecimalWeightsAddUpAsPeopleAdd) {
  const std::vector<Class> truth(3, Class{0});
  const std::vector<Class> predicted(3, Class{1});
  const std::vector<double> weights{0.1, 0.2, 0.6};  // as doubles 0.1 + 0.2 + 0.6 is 0.9000000000000001
  const Evaluation e = evaluate(truth, predicted, weights, 2);
  EXPECT_EQ(e.errors, 0.9);
  EXPECT_EQ(e.total, 0.9);
  EXPECT_EQ(e.confusion[0][1], 0.9);
}

// A small error beside large weights that are right: no difference of sums has it.
TEST(Evaluate, CostsAreThoseOfTheAnswers) {
  const std::vector<Class> truth{Class{0}, Class{0}, Class{1}, Class{1}};
  const std::vector<Class> predicted{Class{0}, Class{1}, Class{0}, Class{1}};
  const std::vector<double> costs{0, 0.1, 20, 0.3}, weights{1, 0.1, 0.2, 0.4}, odd{1, 1.0 / 3, 0.2, 0.4};
  EXPECT_EQ(evaluate(truth, predicted, {}, 2).cost, std::nullopt);
  EXPECT_DOUBLE_EQ(*evaluate(truth, predicted, {}, 2, costs).cost, 20.4);
  EXPECT_DOUBLE_EQ(*evaluate(truth, predicted, weights, 2, costs).cost, 0.01 + 4 + 0.12);
  EXPECT_DOUBLE_EQ(*evaluate(truth, predicted, odd, 2, costs).cost, 0.1 / 3 + 4 + 0.12);
  EXPECT_EQ(evaluate(truth, predicted, odd, 2, costs).errors, 1.0 / 3 + 0.2);
  EXPECT_THROW(evaluate(truth, predicted, {}, 2, std::vector{1.0}), ContractViolation);
}

TEST(Evaluate, ErrorsAreTheSumOfWhatIsWrong) {
  for (const auto& [large, small] :
       {std::pair(9007199254740993.0 - 0x1p50, 1.0), {4503599627370497.0, 0.5}, {3e16, 1.0}, {1e12, 0.123456789}}) {
    const std::vector<Class> truth{Class{0}, Class{0}, Class{0}, Class{0}, Class{1}};
    const std::vector<Class> predicted{Class{0}, Class{1}, Class{1}, Class{1}, Class{1}};
    const Evaluation e = evaluate(truth, predicted, std::vector{large, small, small, small, 4 * small}, 2);
    EXPECT_DOUBLE_EQ(e.errors, 3 * small);
    EXPECT_DOUBLE_EQ(e.per_class[1].support, 4 * small);
  }
}

TEST(Evaluate, ABrokenContractThrows) {
  const std::vector<Class> two(2);
  const std::vector<Class> three(3);
  EXPECT_THROW(evaluate(two, three, {}, 1), ContractViolation);
}

TEST(ModelParts, MustFitTogether) {
  const Model m = fixtures::small_model();
  const auto parts = [&] {
    return Model::Parts{m.binarizer(), m.matrix_columns(), m.diagram(), m.counts(), m.training(), m.claim()};
  };
  EXPECT_TRUE(Model::make(parts()));
  auto p = parts();
  p.counts = PathCounts(2, 2);
  EXPECT_FALSE(Model::make(p));
  p = parts();
  p.counts = PathCounts(3, 3);
  EXPECT_FALSE(Model::make(p));
  p = parts();
  p.matrix_columns.pop_back();
  EXPECT_FALSE(Model::make(p));
  p = parts();
  p.diagram = *Diagram::make({DiagramNode::leaf(Class{2})});
  EXPECT_FALSE(Model::make(p));
  p = parts();
  p.diagram = *Diagram::make({DiagramNode::leaf(std::nullopt)});
  EXPECT_FALSE(Model::make(p));
}

// What cannot be read again is not made.
TEST(ModelParts, AreWhatAFileMayHold) {
  const Model m = fixtures::small_model();
  using Parts = Model::Parts;
  const auto tried = [&](const std::function<void(Parts&)>& change) {
    Parts p{m.binarizer(), m.matrix_columns(), m.diagram(), m.counts(), m.training(), m.claim()};
    change(p);
    const auto made = Model::make(p);
    return made ? model_from_json(to_json(*made)) ? "made and read" : "made but not read" : "refused";
  };
  EXPECT_STREQ(tried([](Parts&) {}), "made and read");
  EXPECT_STREQ(tried([](Parts& p) { p.claim = {}; }), "refused");
  EXPECT_STREQ(tried([](Parts& p) { p.claim.upper_bound.reset(); }), "refused");
  EXPECT_STREQ(tried([](Parts& p) { ++*p.claim.upper_bound; }), "refused");
  EXPECT_STREQ(tried([](Parts& p) { p.claim.lower_bound = *p.claim.upper_bound + 1; }), "refused");
  EXPECT_STREQ(tried([](Parts& p) { p.claim.scale = 0; }), "refused");
  EXPECT_STREQ(tried([](Parts& p) { ++p.training.errors; }), "refused");
  EXPECT_STREQ(tried([](Parts& p) { ++p.training.total_weight; }), "refused");
  EXPECT_STREQ(tried([](Parts& p) { p.training.seed = -1; }), "refused");
  EXPECT_STREQ(tried([](Parts& p) { p.training.weight_scale = 0; }), "refused");
  EXPECT_STREQ(tried([](Parts& p) { p.training.engine = "by hand"; }), "made and read");
}

}  // namespace
}  // namespace beadwork
