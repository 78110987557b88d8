// Option size: the curve over the folds, counted again.

#include "support/datasets.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>
#include <beadwork/smallest.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>
#include <thread>

namespace beadwork {
namespace {

using namespace testing_support;

// Two features decide, one row in ten is noise, the others say nothing.
Dataset noisy_parity(std::size_t rows, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<BitRow> out;
  for (std::size_t r = 0; r < rows; ++r) {
    std::string bits;
    for (int f = 0; f < 6; ++f) bits += rng() % 2 == 0 ? '0' : '1';
    const bool odd = (bits[1] == '1') != (bits[4] == '1');
    out.push_back({bits, static_cast<std::size_t>(odd != (rng() % 10 == 0)), static_cast<std::int64_t>(1 + rng() % 3)});
  }
  return dataset_of(out, 6);
}

Request sized(const char* rule, std::size_t depth, std::int64_t threads = 1) {
  Request request;
  request.run.depth.most = depth;
  request.run.threads = threads;
  EXPECT_TRUE(set_option(request, "size", rule));
  return request;
}

double right(const Dataset& rows, const Diagram& diagram) {
  double sum = 0, all = 0;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const auto weight = static_cast<double>(rows.weight(Row{r}));
    all += weight;
    if (diagram.classify([&](Feature f) { return rows.value(f, Row{r}); }) == rows.label(Row{r})) sum += weight;
  }
  return sum / all;
}

// Work that is counted, not time, ends a search of one thread: what it has found, and what it has proven by then, is
// the same in every run, while others keep the machine busy, too.
TEST(Choose, CountedWorkEndsASearchInTheSamePlace) {
  std::mt19937_64 rng(3);
  std::vector<BitRow> rows;
  for (std::size_t r = 0; r < 300; ++r) {
    std::string bits;
    for (int f = 0; f < 24; ++f) bits += rng() % 2 == 0 ? '0' : '1';
    rows.push_back({bits, rng() % 3});
  }
  const Dataset d = dataset_of(rows, 24, 3);
  for (const std::size_t depth : {4U, 8U}) {
    std::vector<Outcome> outcomes;
    const auto run = [&](std::size_t place) {
      Request request;
      request.run.depth.most = depth;
      request.ask<ForSearch>().max_nodes = 14;
      Control control;
      control.deadline = Deadline::never().counted(std::make_shared<WorkCount>(), 0.05);
      outcomes[place] = *learn(d, request, control);
    };
    outcomes.resize(3);
    run(0);
    {
      std::jthread other([&] { run(1); });
      run(2);
    }
    EXPECT_EQ(outcomes[0].status(), depth == 8 ? SolveStatus::feasible : SolveStatus::optimal);
    for (const std::size_t i : {1U, 2U}) {
      EXPECT_EQ(claim_json(outcomes[i].claim), claim_json(outcomes[0].claim)) << depth;
      EXPECT_EQ(*outcomes[i].diagram, *outcomes[0].diagram) << depth;
    }
  }
}

TEST(Choose, TheSizeIsTheSameForAnyNumberOfThreads) {
  const Dataset d = noisy_parity(150, 4);
  Request request = sized("auto", 4);
  request.run.time_limit = 100000;
  const auto one = learn(d, request);
  ASSERT_TRUE(one);
  for (const std::int64_t threads : {1, 2, 5}) {
    request.run.threads = threads;
    const auto other = learn(d, request);
    ASSERT_TRUE(other);
    EXPECT_EQ(claim_json(other->claim), claim_json(one->claim));
    EXPECT_EQ(*other->diagram, *one->diagram);
    EXPECT_EQ(other->choice->chosen, one->choice->chosen);
  }
}

TEST(Choose, TheCurveIsThatOfTheFolds) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Dataset d = noisy_parity(120, seed);
    const auto outcome = learn(d, sized("auto", 3));
    ASSERT_TRUE(outcome);
    ASSERT_TRUE(outcome->choice);
    const SizeChoice& choice = *outcome->choice;
    EXPECT_TRUE(choice.complete);
    std::vector<Class> labels;
    for (std::size_t r = 0; r < d.num_rows(); ++r) labels.push_back(d.label(Row{r}));
    const auto splits = stratified_k_folds(labels, 5, 0);
    std::vector<Front> fronts;
    SearchOptions options;
    options.depth = 3;
    for (const Split& s : *splits) fronts.push_back(*error_front(d.subset(s.train), options));
    for (const SizeChoice::Point& p : choice.curve) {
      std::vector<double> scores;
      for (std::size_t i = 0; i < fronts.size(); ++i) {
        const FrontPoint* best = nullptr;
        for (const FrontPoint& q : fronts[i].points)
          if (q.features <= p.depth && q.nodes <= p.nodes &&
              (best == nullptr || q.errors < best->errors ||
               (q.errors == best->errors &&
                (q.nodes < best->nodes || (q.nodes == best->nodes && q.features < best->features)))))
            best = &q;
        scores.push_back(right(d.subset((*splits)[i].test), diagram_of(best->table)));
      }
      double mean = 0, spread = 0;
      for (const double s : scores) mean += s / 5;
      for (const double s : scores) spread += (s - mean) * (s - mean);
      EXPECT_NEAR(p.mean, mean, 1e-12);
      EXPECT_NEAR(p.standard_error, std::sqrt(spread / 20), 1e-12);
      EXPECT_LE(p.mean, choice.curve[choice.chosen].mean + 1e-12);
    }
  }
}

// By CART and by search, over features and over ranks: each depth learnt again from each fold.
TEST(Choose, DepthsAreThoseOfTheFolds) {
  for (const char* engine : {"search", "cart"}) {
    const Dataset d = noisy_parity(150, 5);
    Request request;
    ASSERT_TRUE(set_option(request, "engine", engine));
    ASSERT_TRUE(set_option(request, "depth", "cv:1..4"));
    const auto outcome = learn(d, request);
    ASSERT_TRUE(outcome);
    std::vector<Class> labels;
    for (std::size_t r = 0; r < d.num_rows(); ++r) labels.push_back(d.label(Row{r}));
    const auto splits = stratified_k_folds(labels, 5, 0);
    ASSERT_EQ(outcome->choice->curve.size(), 4u);
    for (std::size_t depth = 1; depth <= 4; ++depth) {
      ASSERT_TRUE(set_option(request, "depth", std::to_string(depth)));
      double mean = 0;
      for (const Split& s : *splits) mean += right(d.subset(s.test), *learn(d.subset(s.train), request)->diagram) / 5;
      EXPECT_NEAR(outcome->choice->curve[depth - 1].mean, mean, 1e-12);
    }
    const std::size_t chosen = outcome->choice->curve[outcome->choice->chosen].depth;
    ASSERT_TRUE(set_option(request, "depth", std::to_string(chosen)));
    EXPECT_EQ(outcome->diagram, learn(d, request)->diagram);
    EXPECT_EQ(outcome->claim, learn(d, request)->claim);
  }
}

TEST(Choose, FindsWhatIsThere) {
  const Dataset d = noisy_parity(400, 3);
  const auto outcome = learn(d, sized("auto-1se", 4));
  ASSERT_TRUE(outcome);
  const SizeChoice::Point& chosen = outcome->choice->curve[outcome->choice->chosen];
  EXPECT_EQ(chosen.depth, 2u);
  EXPECT_EQ(chosen.nodes, 5u);  // x1 xor x4
  EXPECT_EQ(outcome->diagram->size(), 5u);
  EXPECT_EQ(outcome->claim.scope.max_nodes, 5u);
  EXPECT_EQ(outcome->claim.scope.depth, 2u);
  EXPECT_TRUE(is_proven(outcome->claim));
}

TEST(Choose, IsTheSameWhateverTheNumberOfThreads) {
  const Dataset d = noisy_parity(150, 9);
  const auto one = learn(d, sized("auto", 4, 1)), four = learn(d, sized("auto", 4, 4));
  ASSERT_TRUE(one && four);
  EXPECT_EQ(one->diagram, four->diagram);
  ASSERT_EQ(one->choice->curve.size(), four->choice->curve.size());
  for (std::size_t i = 0; i < one->choice->curve.size(); ++i)
    EXPECT_EQ(one->choice->curve[i].mean, four->choice->curve[i].mean);
}

TEST(Choose, AnInterruptLeavesADiagram) {
  const Dataset d = noisy_parity(120, 1);
  const std::atomic<bool> interrupt = true;
  Control control;
  control.interrupt = &interrupt;
  Request by_depth;
  ASSERT_TRUE(set_option(by_depth, "depth", "cv:1..3"));
  for (const Request& request : {sized("auto", 3), by_depth}) {
    const auto outcome = learn(d, request, control);
    ASSERT_TRUE(outcome && outcome->diagram && outcome->choice);
    EXPECT_FALSE(outcome->choice->complete);
    EXPECT_GT(right(d, *outcome->diagram), 0.8);
  }
}

TEST(Choose, LimitsAndTinyTables) {
  Request request = sized("auto", 4);
  request.run.time_limit = 0;
  const auto stopped = learn(noisy_parity(200, 2), request);
  ASSERT_TRUE(stopped);
  EXPECT_FALSE(is_proven(stopped->claim));
  EXPECT_FALSE(stopped->choice->complete);
  const auto one_row = learn(dataset_of({{"01", 0, 1}}, 2), sized("auto", 2));
  ASSERT_TRUE(one_row);
  EXPECT_FALSE(one_row->choice);
  const auto two_rows = learn(dataset_of({{"01", 0, 1}, {"10", 1, 1}}, 2), sized("auto", 2));
  ASSERT_TRUE(two_rows);
  EXPECT_EQ(two_rows->choice->folds, 2u);
}

}  // namespace
}  // namespace beadwork
