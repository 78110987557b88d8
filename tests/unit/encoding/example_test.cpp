#include <beadwork/encoding.hpp>
#include <beadwork/sat.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace beadwork {
namespace {

// The paper's Table of Example 2: f1 f2 f3 f4 and the label of e1..e8.
Dataset example() {
  static constexpr std::array<std::string_view, 8> kRows{"10100", "10010", "00101", "11000",
                                                         "00011", "11110", "01100", "00111"};
  Dataset::Parts p;
  p.columns.assign(4, BitColumn(1));
  for (std::size_t r = 0; r < kRows.size(); ++r) {
    for (std::size_t f = 0; f < 4; ++f)
      if (kRows[r][f] == '1') set_bit(p.columns[f], r);
    p.labels.emplace_back(kRows[r][4] == '1' ? 1U : 0U);
  }
  p.feature_names = {"f1", "f2", "f3", "f4"};
  p.class_names = {"0", "1"};
  return Dataset(std::move(p));
}

std::vector<Lit> sorted(Clause clause) {
  std::vector<Lit> out(clause.begin(), clause.end());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(PaperExample, TheClauseForE1AndC1) {
  const auto e = faithful_examples(example());
  ASSERT_TRUE(e);
  Cnf cnf;
  const BddVariables v = encode_bdd1(*e, 2, named(cnf));
  // not c1 or a_1^1 or a_3^1 or a_1^2 or a_3^2
  std::vector<Lit> wanted{~Lit(v.cell[0]), v.place[0][0], v.place[0][2], v.place[1][0], v.place[1][2]};
  std::sort(wanted.begin(), wanted.end());
  bool found = false;
  for (std::size_t i = 0; i < cnf.clauses().size(); ++i) found = found || sorted(cnf.clauses()[i]) == wanted;
  EXPECT_TRUE(found);
  EXPECT_EQ(cnf.names().at(v.place[0][2]).substr(0, 6), "a[3,1]");
}

TEST(PaperExample, BothModelsFindTheTable1000) {
  const auto e = faithful_examples(example());
  ASSERT_TRUE(e);
  for (const auto encode : {encode_bdd1, encode_bdd2}) {
    Cnf cnf;
    const BddVariables v = encode(*e, 2, named(cnf));
    const auto outcome = solve(cnf);
    ASSERT_TRUE(outcome);
    ASSERT_EQ(outcome->answer, Answer::satisfiable);
    const TruthTable table = decode(v, *e, outcome->model);
    EXPECT_EQ(table.to_string(), "1000");
    std::vector<Feature> features = table.order();
    std::sort(features.begin(), features.end());
    EXPECT_EQ(features, (std::vector<Feature>{Feature{0}, Feature{1}}));
  }
}

TEST(PaperExample, NoDiagramOfOneFeature) {
  const auto e = faithful_examples(example());
  for (const auto encode : {encode_bdd1, encode_bdd2}) {
    Cnf cnf;
    encode(*e, 1, named(cnf));
    EXPECT_EQ(solve(cnf)->answer, Answer::unsatisfiable);
  }
}

TEST(Examples, MergingEndsWhereTheLimitsSay) {
  Control stopped;
  stopped.deadline = Deadline::in(0);
  EXPECT_FALSE(merged_examples(example(), stopped));
  Control little;
  little.memory_limit = 1;
  EXPECT_FALSE(merged_examples(example(), little));
  EXPECT_TRUE(merged_examples(example(), Control{}));
}

TEST(Examples, ThoseOfThePaperEndWhereTheLimitsSay) {
  Control stopped;
  stopped.deadline = Deadline::in(0);
  EXPECT_EQ(faithful_examples(example(), true, stopped).error().code, ErrorCode::limit);
  Control little;
  little.memory_limit = 1;
  EXPECT_EQ(faithful_examples(example(), true, little).error().code, ErrorCode::limit);
  EXPECT_TRUE(faithful_examples(example(), true, Control{}));
}

TEST(Examples, FaithfulDropsOnlyAllZeroAndOnlyTwoClasses) {
  Dataset::Parts p;
  p.columns = {BitColumn{0b00}, BitColumn{0b11}, BitColumn{0b01}, BitColumn{0b01}};
  p.feature_names = {"zero", "one", "a", "copy of a"};
  p.labels = {Class{0}, Class{1}};
  p.class_names = {"0", "1"};
  EXPECT_EQ(faithful_examples(Dataset(p))->num_features(), 3U);
  EXPECT_EQ(faithful_examples(Dataset(p), true)->num_features(), 4U);
  EXPECT_EQ(merged_examples(Dataset(p)).num_features(), 1U);
  p.class_names.emplace_back("2");
  EXPECT_EQ(faithful_examples(Dataset(p)).error().message, "this encoding needs two classes, the data have 3");
}

}  // namespace
}  // namespace beadwork
