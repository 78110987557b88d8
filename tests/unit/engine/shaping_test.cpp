// A limit that comes while an answer is shaped leaves a valid one, and what is claimed of it holds.
#include "support/looks.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>
#include <beadwork/engine/held_cells.hpp>
#include <beadwork/engine/ranked.hpp>

#include <gtest/gtest.h>

#include <atomic>

namespace beadwork {
namespace {

using namespace testing_support;

// Rows without a pattern, in more classes than a word has bits.
Dataset scattered(std::size_t rows, std::size_t features, std::size_t classes) {
  Rng rng(21);
  Dataset::Parts p;
  p.columns.resize(features, BitColumn(words_for(rows)));
  for (std::size_t f = 0; f < features; ++f) {
    p.feature_names.push_back("f" + std::to_string(f));
    for (std::size_t r = 0; r < rows; ++r)
      if (rng.below(2) == 0) set_bit(p.columns[f], r);
  }
  for (std::size_t k = 0; k < classes; ++k) p.class_names.push_back("c" + std::to_string(k));
  for (std::size_t r = 0; r < rows; ++r) p.labels.emplace_back(rng.below(classes));
  return Dataset(std::move(p));
}

Request deep(const char* bias, const char* depth) {
  Request request;
  ask(request, "engine", "local");
  ask(request, "depth", depth);
  ask(request, "bias", bias);
  return request;
}

void expect_valid(const Dataset& d, const Request& request, const Result<Outcome>& outcome) {
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  ASSERT_TRUE(outcome->diagram);
  const std::int64_t errors = *training_cost(d, *outcome->diagram, request);
  EXPECT_EQ(outcome->claim.upper_bound, errors);
  EXPECT_LE(outcome->claim.lower_bound, errors);
  EXPECT_NE(outcome->status(), SolveStatus::optimal);  // of a heuristic
  if (!outcome->table) return;
  for (std::size_t r = 0; r < d.num_rows(); ++r) {  // the diagram fills the table
    std::size_t cell = 0;
    for (const Feature f : outcome->table->order()) cell = 2 * cell + (d.value(f, Row{r}) ? 1 : 0);
    ASSERT_TRUE(
        outcome->table->allows(cell, outcome->diagram->classify([&](Feature f) { return d.value(f, Row{r}); })));
  }
}

TEST(Shaping, ALimitAtAnyLookLeavesAValidAnswer) {
  const Dataset d = scattered(1500, 12, 70);
  for (const char* bias : {"N", "P", "C", "S"}) {
    const Request request = deep(bias, "12");
    for (const std::size_t at : {1U, 2U, 4U, 8U, 16U, 32U, 64U}) {
      const Looks some;
      expect_valid(d, request, learn(d, request, some.stopping_at(at)));
      EXPECT_LE(some.made(), at + 20) << bias << " from look " << at;
    }
  }
}

TEST(Shaping, ASignalDoesNotLoseWhatWasFound) {
  const Dataset d = scattered(3000, 14, 70);
  std::atomic<bool> signal{true};
  Control control;
  control.interrupt = &signal;
  for (const char* bias : {"N", "P", "C", "S"}) expect_valid(d, deep(bias, "14"), learn(d, deep(bias, "14"), control));
}

// Without the moment after a limit: the constant, and the bound that was proven of all.
TEST(Shaping, WhereThereIsNoTimeForACountTheAnswerIsTheConstant) {
  const Dataset d = scattered(400000, 6, 3);
  Request request = deep("N", "6");
  const Exchange none;
  const std::vector<Feature> set{Feature{0}, Feature{2}, Feature{3}, Feature{4}, Feature{5}};
  const Looks looks;
  for (const bool required : {false, true}) {
    request.pin.require.clear();
    if (required) request.pin.require.emplace_back("f0");
    const auto task = make_task(d, request, none, {});
    ASSERT_TRUE(task) << task.error().to_string();
    const EngineAnswer whole = best_function(*task, set, 17, looks.stopping_at(1));  // within the moment
    EXPECT_TRUE(is_of(whole, set));
    EXPECT_EQ(whole.status, SolveStatus::feasible);
    const EngineAnswer none_left = best_function(*task, set, 17, looks.stopping_at(1), 0);
    EXPECT_EQ(none_left.lower_bound, 17);
    EXPECT_FALSE(is_of(none_left, set));
    EXPECT_FALSE(none_left.canonical);
    EXPECT_EQ(none_left.status, required ? SolveStatus::unknown : SolveStatus::feasible);
    if (required) continue;  // no constant uses it
    const auto outcome = believe_nothing(*task, none_left, looks.stopping_at(1));
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    EXPECT_EQ(outcome->diagram->size(), 1U);
    EXPECT_EQ(outcome->claim.lower_bound, 17);
    EXPECT_EQ(training_errors(d, *outcome->diagram), *outcome->claim.upper_bound);
  }
}

TEST(Shaping, HeldCellsAreWhatTheirRowsCost) {
  Rng rng(5);
  for (int round = 0; round < 100; ++round) {
    const std::size_t classes = 1 + rng.below(5);
    const Dataset d = scattered(1 + rng.below(200), 6, classes);
    CostMatrix costs;
    for (std::size_t i = 0; round % 2 == 0 && i < classes * classes; ++i)
      costs.push_back(static_cast<std::int64_t>(rng.below(4)));
    std::vector<Feature> set;
    for (std::size_t f = 0; f < 6; ++f)
      if (rng.below(2) == 0) set.emplace_back(f);
    const auto held = held_cells(d, set, costs);
    ASSERT_TRUE(held);
    const auto counts = count_cells(d, set);
    EXPECT_EQ(held->cost, cells_cost(counts, classes, costs));
    const auto table = open_table(d, set, costs);
    const auto answers = answer_costs(counts, classes, costs);
    for (std::size_t cell = 0; cell < table->num_cells(); ++cell) {
      const auto of_cell = std::span(answers).subspan(cell * classes, classes);
      const std::int64_t least = *std::min_element(of_cell.begin(), of_cell.end());
      for (std::size_t k = 0; k < classes; ++k) EXPECT_EQ(table->allows(cell, Class{k}), of_cell[k] == least);
    }
  }
}

}  // namespace
}  // namespace beadwork
