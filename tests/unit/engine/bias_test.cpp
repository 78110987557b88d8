// Biases: what they may change and what they may not.

#include "support/datasets.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>
#include <beadwork/engine/ranked.hpp>
#include <beadwork/engine/registry.hpp>
#include <beadwork/smallest.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace beadwork {
namespace {

using namespace testing_support;

std::int64_t errors_on(const std::vector<BitRow>& rows, const Diagram& d) {
  std::int64_t errors = 0;
  for (const BitRow& r : rows)
    if (d.classify([&](Feature f) { return r.bits[f()] == '1'; })() != r.label) errors += r.weight;
  return errors;
}

// Every test leads to later features of the order.
bool follows(const Diagram& d, const std::vector<Feature>& order) {
  const auto level = [&](Node n) {
    return d[n].sink ? order.end() : std::find(order.begin(), order.end(), d[n].feature);
  };
  for (std::size_t n = 0; n < d.size(); ++n)
    if (!d.nodes()[n].sink && (level(Node{n}) == order.end() || level(d.nodes()[n].low) <= level(Node{n}) ||
                               level(d.nodes()[n].high) <= level(Node{n})))
      return false;
  return true;
}

void check_biases(const std::vector<BitRow>& rows, const Dataset& data, Request options) {
  SCOPED_TRACE(fmt::format("{} depth {}{}\n{}", engine_of(options).name, options.depth(),
                           options.reading.faithful ? " faithful" : "", describe(rows)));
  std::map<std::string, Outcome> by_bias;
  for (const char* bias : {"P", "C", "S", "N", "size"}) {
    ask(options, "bias", bias);
    const auto o = learn(data, options);
    ASSERT_TRUE(o) << o.error().to_string();
    by_bias[bias] = *o;
  }
  const Outcome& p = by_bias["P"];
  for (const auto& [bias, o] : by_bias) {
    SCOPED_TRACE(bias);
    ASSERT_EQ(o.status(), p.status());
    ASSERT_EQ(o.claim.upper_bound, p.claim.upper_bound);
    ASSERT_EQ(o.claim.lower_bound, p.claim.lower_bound);
    ASSERT_EQ(o.size.has_value(), bias == "size" && o.diagram);
    if (!o.diagram) continue;
    ASSERT_EQ(errors_on(rows, *o.diagram), *p.claim.upper_bound);
    ASSERT_TRUE(o.diagram->reduced());
    ASSERT_TRUE(follows(*o.diagram, o.features));
    ASSERT_EQ(o.table->order(), o.features);
  }
  if (!p.diagram) return;
  const Outcome& size = by_bias["size"];
  ASSERT_EQ(size.size->status, SolveStatus::optimal);
  ASSERT_EQ(size.size->lower_bound, size.diagram->size());
  // Engines whose answer is one set of features whatever the run: then all biases fill the same table.
  for (const char* other : {"P", "C", "S", "N"})
    if (std::is_permutation(size.features.begin(), size.features.end(), by_bias[other].features.begin(),
                            by_bias[other].features.end())) {
      ASSERT_LE(size.diagram->size(), by_bias[other].diagram->size()) << other;
    }
}

TEST(Bias, TrainingErrorIsTheSameUnderAll) {
  Rng rng(21);
  for (int round = 0; round < 400; ++round) {
    const std::size_t features = 1 + rng.below(5);
    const std::size_t classes = 2 + rng.below(2);
    const auto rows = random_rows(rng, 1 + rng.below(14), features, classes, true);
    const Dataset data = dataset_of(rows, features, classes);
    Request options;
    ask(options, "depth", static_cast<std::int64_t>(rng.below(5)));
    for (const Engine& engine : engines()) {
      if (!takes(engine, "bias")) continue;
      ask(options, "engine", engine.name);
      check_biases(rows, data, options);
      if (HasFatalFailure()) return;
    }
    ask(options, "engine", "maxsat");
    ask(options, "encoding", "bdd3");
    check_biases(rows, data, options);
    ask(options, "encoding", "auto");
    if (classes == 2 && options.depth() <= 3)
      for (const char* engine : {"search", "enumerate", "maxsat"}) {
        ask(options, "engine", engine);
        ask(options, "faithful", true);
        check_biases(rows, data, options);
        ask(options, "faithful", false);
      }
    if (HasFatalFailure()) return;
  }
}

// x = 0 is tied, x = 1 is class 1, and no row has y = 1 there.
TEST(Bias, TiesAreFreeButNotForTheFaithful) {
  const std::vector<BitRow> rows = {{"00", 0}, {"00", 1}, {"01", 0}, {"10", 1}};
  const Dataset data = dataset_of(rows, 2);
  Request options;
  ask(options, "depth", 2);
  options.pin.require = {"f0", "f1"};  // one would do
  const auto plain = learn(data, options);
  ASSERT_TRUE(plain);
  EXPECT_EQ(reordered(*plain->table, {Feature{0}, Feature{1}}).to_string(), "u01u");
  options.pin.require.clear();
  ask(options, "faithful", true);
  const auto faithful = learn(data, options);
  ASSERT_TRUE(faithful);
  const std::string cells = reordered(*faithful->table, {Feature{0}, Feature{1}}).to_string();
  EXPECT_EQ(cells.substr(1), "01u");
  EXPECT_NE(cells[0], 'u');
}

// The paper's constraint (3) holds for the solver's own values, and for the biases P and N.
TEST(Bias, TheRootStaysABead) {
  Rng rng(22);
  for (int round = 0; round < 200; ++round) {
    const auto rows = random_rows(rng, 1 + rng.below(8), 3, 2, false);
    const Dataset data = dataset_of(rows, 3);
    Request options;
    ask(options, "depth", 2);
    ask(options, "faithful", true);
    for (const char* engine : {"search", "enumerate", "maxsat"})
      for (const char* bias : {"P", "S", "N"}) {
        ask(options, "engine", engine);
        ask(options, "bias", bias);
        const auto o = learn(data, options);
        ASSERT_TRUE(o) << o.error().to_string();
        if (!o->diagram) continue;
        ASSERT_FALSE(o->diagram->nodes()[0].sink);
        ASSERT_EQ(o->diagram->nodes()[0].feature, o->features[0]);
      }
  }
}

TEST(Bias, TheSolversOwnIsTheFirstClassWhereThereIsNone) {
  const Dataset data = dataset_of({{"00", 1}, {"11", 1}, {"10", 0}}, 2);
  Request options;
  ask(options, "depth", 2);
  ask(options, "bias", "S");
  const auto o = learn(data, options);
  ASSERT_TRUE(o);
  EXPECT_EQ(o->table->to_string(), "1u01");
  EXPECT_EQ(truth_of(*o->diagram, o->features, 2).to_string(), "1001");
  ask(options, "bias", "P");
  EXPECT_EQ(truth_of(*learn(data, options)->diagram, o->features, 2).to_string(), "1101");
}

// Over all sets of least error: each by itself, and the best of them.
TEST(Bias, AllOptimaAreLookedAt) {
  Rng rng(23);
  std::size_t better = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t classes = 2 + rng.below(2);
    const auto rows = random_rows(rng, 4 + rng.below(12), 6, classes, false);
    SCOPED_TRACE(describe(rows));
    const Dataset data = dataset_of(rows, 6, classes);
    Request options;
    ask(options, "depth", 3);
    ask(options, "bias", "size");
    const auto one = learn(data, options);
    ask(options, "all_optima", true);
    const auto all = learn(data, options);
    ASSERT_TRUE(one && all) << all.error().to_string();
    std::size_t best = 1000;
    for (unsigned mask = 0; mask < 64; ++mask) {
      std::vector<Feature> set;
      for (std::size_t f = 0; f < 6; ++f)
        if ((mask >> f & 1U) != 0) set.emplace_back(f);
      if (set.size() > 3) continue;
      const auto table = TruthTable::from_counts(set, classes, count_cells(data, set));
      if (training_errors(data, diagram_of(fill_by_first(table))) != *all->claim.upper_bound) continue;
      best = std::min(best, smallest_diagram(table).diagram.size());
    }
    ASSERT_EQ(all->diagram->size(), best);
    ASSERT_EQ(all->size->status, SolveStatus::optimal);
    ASSERT_EQ(errors_on(rows, *all->diagram), *one->claim.upper_bound);
    better += all->diagram->size() < one->diagram->size() ? 1 : 0;
  }
  EXPECT_GT(better, 0U);
}

// The search is done, and a limit comes while the diagram is chosen.
TEST(Bias, WhatALimitCutShortIsNotCanonical) {
  Rng rng(22);
  const std::atomic<bool> stop{true};
  Control stopped;
  stopped.interrupt = &stop;
  int others = 0;
  for (int round = 0; round < 60; ++round) {
    const Dataset data = dataset_of(random_rows(rng, 40, 6, 2, true), 6);
    for (const char* bias : {"P", "C", "S", "N", "size"}) {
      Request request;
      ask(request, "depth", std::int64_t{5});
      ask(request, "bias", bias);
      const Exchange nothing;
      const auto task = make_task(data, request, nothing, {});
      ASSERT_TRUE(task);
      auto found = engine_of(request).learn(*task, {});
      ASSERT_TRUE(found && found->canonical);
      const auto whole = believe_nothing(*task, *found, {});
      const auto cut = believe_nothing(*task, *std::move(found), stopped);
      ASSERT_TRUE(whole && cut);
      EXPECT_TRUE(whole->claim.canonical);
      EXPECT_EQ(cut->claim.status, SolveStatus::optimal);
      if (*cut->diagram != *whole->diagram) {
        EXPECT_FALSE(cut->claim.canonical) << bias;
        ++others;
      }
    }
  }
  EXPECT_GT(others, 10);
}

TEST(Bias, RefusesWhatItDoesNotKnow) {
  const Dataset data = dataset_of({{"0", 0}, {"1", 1}}, 1);
  Request options;
  EXPECT_EQ(set_option(options, "bias", "p").error().to_string(), "bias: expected P, C, S, N or size, got 'p'");
  ask(options, "bias", "C");
  ask(options, "all_optima", true);
  EXPECT_EQ(learn(data, options).error().to_string(), "all_optima: needs --bias size");
}

// Limits on nodes through learn: bounds as documented, and what does not go together.
TEST(Sized, AnswersWithinItsNodes) {
  Rng rng(24);
  const auto rows = random_rows(rng, 60, 8, 2, false);
  const Dataset data = dataset_of(rows, 8);
  Request options;
  ask(options, "depth", 4);
  std::int64_t last = data.total_weight();
  for (std::int64_t nodes = 1; nodes <= 14; ++nodes) {
    ask(options, "max_nodes", nodes);
    const auto o = learn(data, options);
    ASSERT_TRUE(o) << o.error().to_string();
    EXPECT_EQ(o->status(), SolveStatus::optimal);
    EXPECT_LE(o->diagram->size(), static_cast<std::size_t>(nodes));
    EXPECT_EQ(errors_on(rows, *o->diagram), *o->claim.upper_bound);
    EXPECT_LE(*o->claim.upper_bound, last);
    last = *o->claim.upper_bound;
  }
  ask(options, "max_nodes", "none");
  EXPECT_LE(*learn(data, options)->claim.upper_bound, last);
  ask(options, "node_penalty", "0");
  EXPECT_FALSE(learn(data, options));
  ask(options, "node_penalty", "0.25");
  const auto o = learn(data, options);
  ASSERT_TRUE(o) << o.error().to_string();
  EXPECT_EQ(o->status(), SolveStatus::optimal);
  ask(options, "max_nodes", 3);
  EXPECT_EQ(learn(data, options).error().where, "node_penalty");
  ask(options, "node_penalty", "none");
  ask(options, "time_limit", 0);
  const auto hasty = learn(data, options);
  ASSERT_TRUE(hasty) << hasty.error().to_string();
  EXPECT_EQ(hasty->status(), SolveStatus::feasible);
  ask(options, "engine", "maxsat");
  EXPECT_EQ(learn(data, options).error().where, "max_nodes");
}

}  // namespace
}  // namespace beadwork
