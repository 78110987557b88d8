#include <beadwork/instance.hpp>
#include <beadwork/maxsat.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace beadwork {
namespace {

constexpr std::array kAll = {Encoding::bdd2, Encoding::bdd3, Encoding::pair, Encoding::dt};

Dataset random_rows(Rng& rng, std::size_t rows, std::size_t features) {
  Dataset::Parts p;
  p.columns.assign(features, BitColumn(1));
  for (std::size_t f = 0; f < features; ++f) {
    p.feature_names.push_back("f" + std::to_string(f));
    for (std::size_t r = 0; r < rows; ++r)
      if (rng.below(2) == 1) set_bit(p.columns[f], r);
  }
  for (std::size_t r = 0; r < rows; ++r) p.labels.emplace_back(rng.below(2));
  p.labels[0] = Class{0};
  p.labels[1] = Class{1};
  p.class_names = {"0", "1"};
  return Dataset(std::move(p));
}

std::string in_temp(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) / name).string();
}

// The assignment of a solver's model, made anew from the diagram that it stands for: the solver's own variables beside
// it may differ, the cost may not.
TEST(Instance, ADiagramHasTheCostOfTheModelThatItComesFrom) {
  Rng rng(3);
  for (int round = 0; round < 12; ++round) {
    const Dataset rows = random_rows(rng, 8 + rng.below(20), 3 + rng.below(4));
    for (const Encoding e : kAll) {
      const bool by_row = e == Encoding::bdd2 || e == Encoding::dt;
      const Examples examples = by_row ? *faithful_examples(rows) : merged_examples(rows);
      const std::size_t depth = 1 + rng.below(std::min<std::size_t>(3, examples.num_features()));
      const Instance instance{e, examples, depth};
      const Wcnf wcnf = maxsat_model(e, examples, depth);
      const auto solved = solve(wcnf);
      ASSERT_TRUE(solved);
      ASSERT_EQ(solved->status, MaxsatStatus::optimal);
      EXPECT_EQ(**cost_of(instance, solved->model), solved->upper);
      if (e == Encoding::pair) continue;  // its models decide no cells
      Wcnf again;
      Result<std::optional<Assignment>> values = std::optional<Assignment>();
      if (e == Encoding::dt) {
        const TreeVariables v =
            lift_dt(examples, depth, unnamed(again), [&](Clause c, Weight w) { again.add_soft(c, w); });
        values = assignment_of(instance, decode(v, examples, solved->model));
      } else {
        const auto lift = e == Encoding::bdd2 ? lift_bdd2 : lift_bdd3;
        const BddVariables v = lift(examples, depth, unnamed(again), [&](Clause c, Weight w) { again.add_soft(c, w); });
        values = assignment_of(instance, decode(v, examples, solved->model));
      }
      ASSERT_TRUE(values && *values) << to_string(e);
      EXPECT_EQ(**cost_of(instance, **values), solved->upper) << to_string(e);
      EXPECT_EQ(cost(wcnf, **values), solved->upper) << to_string(e);
      EXPECT_EQ((*values)->num_vars(), wcnf.num_vars());
    }
  }
}

TEST(Instance, ItsFileIsTheFormulaAndItsSizeToo) {
  Rng rng(4);
  const Dataset rows = random_rows(rng, 12, 4);
  const Examples examples = *faithful_examples(rows);
  for (const Encoding e : kAll) {
    const Instance instance{e, examples, 2};
    const Wcnf wcnf = maxsat_model(e, examples, 2);
    const std::string path = in_temp("instance.wcnf");
    const auto size = write_instance(instance, path, {"a comment"});
    ASSERT_TRUE(size);
    EXPECT_EQ(*read_wcnf(path), wcnf);
    EXPECT_EQ(size->soft, wcnf.soft().size());
    EXPECT_EQ((FormulaSize{size->variables, size->clauses(), size->literals}), size_of(wcnf));
    EXPECT_EQ(**measure(instance), *size);
    EXPECT_EQ(**measure(instance, size->literals), *size);
    EXPECT_FALSE(*measure(instance, size->literals - 1));
    const std::string packed = in_temp("instance.wcnf.gz");
    ASSERT_TRUE(write_instance(instance, packed, {"a comment"}));
    EXPECT_EQ(*read_rest(**open_stream(packed)), *read_file(path));
    std::filesystem::remove(path);
    std::filesystem::remove(packed);
  }
}

// The example of the front header.
TEST(Instance, Example) {
  Rng rng(8);
  const Dataset dataset = random_rows(rng, 20, 5);
  const std::string path = in_temp("vote.wcnf.gz");
  const auto examples = faithful_examples(dataset);
  const Instance instance{Encoding::bdd2, *examples, 3};
  auto size = write_instance(instance, path);
  const TruthTable table = *TruthTable::parse("01101001", {Feature{0}, Feature{1}, Feature{2}});
  auto values = assignment_of(instance, table);
  auto cost = cost_of(instance, **values);
  ASSERT_TRUE(size && *cost);
  std::int64_t errors = 0;
  for (std::size_t r = 0; r < 20; ++r) {
    std::size_t cell = 0;
    for (std::size_t f = 0; f < 3; ++f) cell = 2 * cell + (dataset.value(Feature{f}, Row{r}) ? 1U : 0U);
    errors += table.allows(cell, dataset.label(Row{r})) ? 0 : 1;
  }
  EXPECT_EQ(static_cast<std::int64_t>(**cost), errors);
  std::filesystem::remove(path);
}

TEST(Instance, AsSat) {
  Rng rng(5);
  const Examples examples = *faithful_examples(random_rows(rng, 9, 3));
  for (const Encoding e : {Encoding::bdd1, Encoding::bdd2}) {
    Cnf cnf;
    e == Encoding::bdd1 ? encode_bdd1(examples, 2, named(cnf)) : encode_bdd2(examples, 2, named(cnf));
    const std::string path = in_temp("instance.cnf");
    const auto size = write_instance({e, examples, 2, false}, path);
    ASSERT_TRUE(size);
    EXPECT_EQ(*read_cnf(path), cnf);
    EXPECT_EQ((FormulaSize{size->variables, size->clauses(), size->literals}), size_of(cnf));
    EXPECT_EQ(size->soft, 0U);
    std::filesystem::remove(path);
  }
  EXPECT_FALSE(write_instance({Encoding::bdd2, examples, 2, false}, in_temp("instance.cnf.gz")));
}

TEST(Instance, WhatDoesNotFitHasNoAssignment) {
  Rng rng(6);
  const Examples examples = *faithful_examples(random_rows(rng, 9, 4));
  const Instance instance{Encoding::bdd2, examples, 2};
  const std::vector<Feature> two{examples.features[0], examples.features[1]};
  EXPECT_FALSE(*assignment_of(instance, *TruthTable::parse("01", {two[0]})));
  EXPECT_FALSE(*assignment_of(instance, *TruthTable::parse("0110", {two[0], Feature{99}})));
  EXPECT_TRUE(*assignment_of(instance, *TruthTable::parse("0110", two)));
  // The root is no bead: either there is no assignment, or it breaks a hard clause.
  const auto constant = assignment_of(instance, *TruthTable::parse("0101", two));
  EXPECT_TRUE(!*constant || !*cost_of(instance, **constant));
  EXPECT_FALSE(*cost_of(instance, Assignment()));
}

TEST(Instance, AStoppedWalkIsALimit) {
  Rng rng(7);
  const Examples examples = *faithful_examples(random_rows(rng, 60, 8));
  Control control;
  control.deadline = Deadline::in(0);
  const Instance instance{Encoding::bdd2, examples, 6};
  const auto size = measure(instance, 1'000'000'000, control);
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().code, ErrorCode::limit);
  const std::string path = in_temp("stopped.wcnf");
  EXPECT_FALSE(write_instance(instance, path, {}, control));
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace beadwork
