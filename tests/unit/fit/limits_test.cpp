// Limits that come while a table becomes features. They are counted in looks at the clock.
#include "support/looks.hpp"
#include "support/requests.hpp"
#include <beadwork/fit.hpp>

#include <gtest/gtest.h>

#include <memory>

namespace beadwork {
namespace {

using namespace testing_support;

// More values, and more bits of features, than no limit is too short for; class 2 of three is the most frequent.
const Table& wide() {
  static const Table table = [] {
    constexpr std::size_t kRows = 3500, kColumns = 700;
    Rng rng(2);
    std::vector<Column> columns;
    for (std::size_t c = 0; c < kColumns; ++c) {
      Column column{"x" + std::to_string(c), ColumnType::numeric, {}, {}, {}};
      for (std::size_t r = 0; r < kRows; ++r) column.numbers.push_back(static_cast<double>(rng.below(1000)));
      columns.push_back(std::move(column));
    }
    Column target{"y", ColumnType::nominal, {}, {}, {"a", "b", "c"}};
    for (std::size_t r = 0; r < kRows; ++r)
      target.codes.push_back(static_cast<std::uint32_t>(r % 7 < 4 ? r % 7 / 2 : 2));
    columns.push_back(std::move(target));
    return *Table::make(std::move(columns), kColumns);
  }();
  return table;
}

std::size_t looks_in_all(const Request& request) {
  const Looks looks;
  const auto made = learnable(wide(), {}, request, looks.never_stopping());
  EXPECT_TRUE(made && !made->dataset.lacks_features());
  return looks.made();
}

TEST(LimitsOfFeatures, LeaveTheConstant) {
  const std::size_t all = looks_in_all({});
  ASSERT_GT(all, 100U);
  for (const std::size_t most : {std::size_t{1}, all / 20, all / 4, all / 2, all - 1}) {
    const Looks looks;
    const auto made = learnable(wide(), {}, {}, looks.stopping_at(most));
    ASSERT_TRUE(made) << made.error().to_string();
    EXPECT_TRUE(made->dataset.lacks_features()) << most << " of " << all;
    EXPECT_LE(looks.made(), most + 4);
    EXPECT_EQ(made->dataset.num_features(), 0U);
    EXPECT_EQ(made->dataset.num_rows(), wide().num_rows());
    EXPECT_EQ(made->binarizer.class_names(), (std::vector<std::string>{"a", "b", "c"}));
  }
}

// Whatever was asked: nothing is proven of it, and the model predicts.
TEST(LimitsOfFeatures, EveryEngineAnswersTheConstantAndProvesNothing) {
  std::vector<std::vector<std::pair<const char*, const char*>>> ways;
  for (const Engine& engine : engines()) ways.push_back({{"engine", engine.name.data()}});
  for (const std::vector<std::pair<const char*, const char*>>& more :
       std::vector<std::vector<std::pair<const char*, const char*>>>{{{"depth", "1..3"}},
                                                                     {{"depth", "cv"}},
                                                                     {{"size", "auto"}},
                                                                     {{"max_nodes", "5"}},
                                                                     {{"node_penalty", "2"}},
                                                                     {{"within", "3"}},
                                                                     {{"front", "true"}},
                                                                     {{"committee", "1%"}},
                                                                     {{"bias", "size"}},
                                                                     {{"forbid", "x1"}},
                                                                     {{"candidate", "x1"}},
                                                                     {{"features_from", "cart"}},
                                                                     {{"prices", "true"}}})
    ways.push_back(more);
  for (const auto& options : ways) {
    FitOptions asked;
    for (const auto& [name, text] : options) ask(asked.request, name, text);
    const Looks looks;
    const auto fitted = fit(wide(), asked, looks.stopping_at(3));
    ASSERT_TRUE(fitted) << options[0].second << ": " << fitted.error().to_string();
    const Outcome& o = fitted->outcome;
    EXPECT_TRUE(o.without_features) << options[0].second;
    EXPECT_EQ(o.status(), SolveStatus::feasible) << options[0].second;
    EXPECT_FALSE(o.out_of_memory) << options[0].second;
    EXPECT_EQ(o.claim.lower_bound, 0);
    EXPECT_EQ(o.diagram->size(), 1U);
    EXPECT_EQ(training_errors(fitted->dataset, *o.diagram), o.claim.upper_bound);
    EXPECT_EQ(*predict(fitted->model, wide())->classes.begin(), Class{2});
    const auto again = model_from_json(to_json(fitted->model));
    ASSERT_TRUE(again) << again.error().to_string();
    EXPECT_TRUE(learnt_from(*again, wide()));  // it is of these rows
  }
}

TEST(LimitsOfFeatures, TheCheapestClassWhereErrorsHaveCosts) {
  FitOptions asked;
  asked.request.cost.costs = {0, 1, 1, 30, 0, 1, 1, 1, 0};
  asked.request.cost.costs[3] = 1, asked.request.cost.costs[2] = 50;  // a as c
  const Looks looks;
  const auto fitted = fit(wide(), asked, looks.stopping_at(1));
  ASSERT_TRUE(fitted) << fitted.error().to_string();
  EXPECT_EQ(*training_cost(fitted->dataset, *fitted->outcome.diagram, asked.request),
            fitted->outcome.claim.upper_bound);
  EXPECT_NE(*predict(fitted->model, wide())->classes.begin(), Class{2});
  EXPECT_FALSE(is_proven(fitted->outcome.claim));
}

// What no constant is or has is not answered by one.
TEST(LimitsOfFeatures, MayLeaveNothing) {
  for (const auto& [name, text] : {std::pair("faithful", "true"), {"require", "x1 <= 100.5"}, {"certificate", "-"}}) {
    FitOptions asked;
    ask(asked.request, name, text);
    const Looks looks;
    const auto fitted = fit(wide(), asked, looks.stopping_at(3));
    ASSERT_FALSE(fitted) << name;
    EXPECT_EQ(fitted.error().code, ErrorCode::limit) << name;
  }
  const std::atomic<bool> interrupted = true;
  Control signal;
  signal.interrupt = &interrupted;
  const auto fitted = fit(wide(), {}, signal);
  ASSERT_FALSE(fitted);
  EXPECT_EQ(fitted.error().code, ErrorCode::limit);
}

TEST(LimitsOfFeatures, OfMemory) {
  FitOptions asked;
  asked.request.run.memory_limit = 1;
  std::string said;
  Control control;
  control.log = [&](LogLevel, std::string_view text) { said += text; };
  const auto fitted = fit(wide(), asked, control);
  ASSERT_TRUE(fitted) << fitted.error().to_string();
  EXPECT_TRUE(fitted->outcome.without_features);
  EXPECT_TRUE(fitted->outcome.out_of_memory);
  EXPECT_NE(said.find("the memory limit leaves no room for the features: the answer is one class"), std::string::npos);
}

}  // namespace
}  // namespace beadwork
