#include <beadwork/formula.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace beadwork {
namespace {

Lit lit(int d) {
  return Lit::from_dimacs(d);
}

TEST(Lit, SpeaksDimacs) {
  for (const int d : {1, -1, 2, -2, 77, -77}) {
    EXPECT_EQ(lit(d).dimacs(), d);
    EXPECT_EQ((~lit(d)).dimacs(), -d);
    EXPECT_EQ(lit(d).code(), 2 * static_cast<std::size_t>(std::abs(d) - 1) + (d < 0 ? 1 : 0));
  }
}

TEST(Formula, TheExampleOfTheFrontHeader) {
  Cnf cnf;
  const Lit tie = cnf.fresh_var("tie"), shirt = cnf.fresh_var("shirt");
  cnf.add_clause({~tie, shirt});
  exactly_one_sequential(cnf, std::vector{tie, shirt});
  EXPECT_EQ(to_dimacs(cnf), "c var 1 tie\nc var 2 shirt\np cnf 2 3\n-1 2 0\n-1 -2 0\n1 2 0\n");
  EXPECT_EQ(size_of(cnf), (FormulaSize{2, 3, 6}));
}

Cnf random_cnf(Rng& rng) {
  Cnf cnf;
  cnf.ensure_vars(1 + rng.below(9));
  if (rng.below(2) != 0) cnf.set_name(Var(0), "a b [1]");
  for (std::uint64_t i = rng.below(8); i > 0; --i) {
    std::vector<Lit> c;
    for (std::uint64_t j = rng.below(4); j > 0; --j)
      c.push_back(Lit(Var(rng.below(cnf.num_vars())), rng.below(2) != 0));
    cnf.add_clause(c);
  }
  return cnf;
}

Wcnf random_wcnf(Rng& rng) {
  const Cnf hard = random_cnf(rng), soft = random_cnf(rng);
  Wcnf w;
  for (std::size_t i = 0; i < hard.clauses().size(); ++i) w.add_clause(hard.clauses()[i]);
  for (std::size_t i = 0; i < soft.clauses().size(); ++i) w.add_soft(soft.clauses()[i], 1 + rng.below(1ULL << 50));
  for (const auto& [v, name] : hard.names()) w.set_name(v, name);
  return w;
}

TEST(Dimacs, RoundTrips) {
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    const Cnf cnf = random_cnf(rng);
    EXPECT_EQ(*parse_cnf(to_dimacs(cnf), "x"), cnf);
    const Wcnf wcnf = random_wcnf(rng);
    EXPECT_EQ(*parse_wcnf(to_dimacs(wcnf), "x"), wcnf);
    EXPECT_EQ(*parse_wcnf(to_dimacs(wcnf, WcnfForm::classic), "x"), wcnf);
  }
}

TEST(Dimacs, TheLargestWeightsRoundTrip) {
  Wcnf w;
  w.add_soft({lit(1)}, kMaxWeight - 1);
  w.add_soft({lit(-1)}, 1);
  w.add_clause({lit(2)});
  EXPECT_EQ(*parse_wcnf(to_dimacs(w), "x"), w);
  EXPECT_EQ(*parse_wcnf(to_dimacs(w, WcnfForm::classic), "x"), w);
  EXPECT_THROW(w.add_soft({lit(1)}, 1), ContractViolation);
  EXPECT_THROW(w.add_soft({lit(1)}, 0), ContractViolation);
}

TEST(Dimacs, TakesWhatTheFormatAllows) {
  EXPECT_EQ(parse_cnf("c hi\n p  cnf 3 3 \r\n1 2\nc middle\n 3 0 0\n\n-1 0", "x")->clauses().size(), 3U);
  const auto soft = parse_wcnf("p wcnf 2 2\n3 1 0\n4 -1 2 0\n", "x");
  EXPECT_EQ(soft->hard().size(), 0U);
  EXPECT_EQ(soft->total_weight(), 7U);
  const auto mixed = parse_wcnf("c x\nh 1 -2 0\nc y\n5 2 0\nh 0\n", "x");
  EXPECT_EQ(mixed->hard().size(), 2U);
  EXPECT_EQ(mixed->num_vars(), 2U);
  EXPECT_TRUE(parse_wcnf("", "x"));
}

TEST(Dimacs, RefusesWithThePlace) {
  const std::vector<std::pair<std::string, std::string>> cnfs = {
      {"", "f:1:1: expected the header 'p cnf variables clauses'"},
      {"1 2 0\n", "f:1:1: expected the header 'p cnf variables clauses'"},
      {"p dnf 1 1\n", "f:1:3: expected 'cnf' after 'p'"},
      {"p cnf\n1 1\n", "f:1:6: the header ends early: expected 'p cnf variables clauses'"},
      {"p cnf 3\n1 0\n", "f:1:8: the header ends early: expected 'p cnf variables clauses'"},
      {"p cnf 3 1 7\n1 0\n", "f:1:11: unexpected text at the end of the header"},
      {"p cnf -3 1\n", "f:1:7: expected the number of variables, got '-3'"},
      {"p cnf 9999999999 1\n", "f:1:7: the number of variables 9999999999 is too large (at most 1073741824)"},
      {"p cnf 99999999999999999999999 1\n",
       "f:1:7: the number of variables 99999999999999999999999 is too large (at most 1073741824)"},
      {"p cnf 2 1\n1 3 0\n", "f:2:3: variable 3 is out of range (at most 2)"},
      {"p cnf 2 1\n1 -99999999999999999999 0\n", "f:2:3: variable -99999999999999999999 is out of range (at most 2)"},
      {"p cnf 2 1\n1 -9223372036854775808 0\n", "f:2:3: variable -9223372036854775808 is out of range (at most 2)"},
      {"p cnf 2 1\n1 2\n", "f:3:1: the last clause has no closing 0"},
      {"p cnf 2 1\n1 2 x 0\n", "f:2:5: expected a literal or 0, got 'x'"},
      {"p cnf 2 1\n1 +2 0\n", "f:2:3: expected a literal or 0, got '+2'"},
      {"p cnf 2 1\n1 2.0 0\n", "f:2:3: expected a literal or 0, got '2.0'"},
      {"p cnf 2 1\n1 0\n2 0\n", "f:4:1: the header announces 1 clauses, the file has 2"},
      {"p cnf 2 2\n1 0\n", "f:3:1: the header announces 2 clauses, the file has 1"},
      {"p cnf 2 1\n1 0\n%\n0\n",
       "f:3:1: '%' (the end mark of some old collections) is not DIMACS; delete it and what follows"},
      {std::string("p cnf 2 1\n1\0 0\n", 15), "f:2:1: expected a literal or 0, got '1\\u{0}'"},
  };
  for (const auto& [text, message] : cnfs) {
    const auto r = parse_cnf(text, "f");
    ASSERT_FALSE(r) << text;
    EXPECT_EQ(r.error().to_string(), message);
  }
}

TEST(Dimacs, RefusesBadWeights) {
  const std::vector<std::pair<std::string, std::string>> wcnfs = {
      {"h 1 0\n-5 1 0\n", "f:2:1: expected 'h' or a weight, got '-5'"},
      {"0 1 0\n", "f:1:1: a weight is below 1"},
      {"1.5 1 0\n", "f:1:1: expected 'h' or a weight, got '1.5'"},
      {"9223372036854775808 1 0\n",
       "f:1:1: 'h' or a weight 9223372036854775808 is too large (at most 9223372036854775807)"},
      {"9223372036854775807 1 0\n1 1 0\n", "f:2:1: the weights add up to 2^63 or more"},
      {"h 1 2", "f:1:6: the last clause has no closing 0"},
      {"h", "f:1:2: the last clause has no closing 0"},
      {"h 1073741825 0", "f:1:3: variable 1073741825 is out of range (at most 1073741824)"},
      {"p wcnf 1 1 5\n6 1 0\n", "f:2:1: a weight 6 is too large (at most 5)"},
      {"p wcnf 1 1 0\n1 1 0\n", "f:1:12: the weight of hard clauses is 0"},
      {"p wcnf 1 1 9223372036854775809\n",
       "f:1:12: the weight of hard clauses 9223372036854775809 is too large (at most 9223372036854775808)"},
      {"p wcnf 1 2 5\n1 1 0\n", "f:3:1: the header announces 2 clauses, the file has 1"},
      {"p wcnf 1 1 5\nh 1 0\n", "f:2:1: expected a weight, got 'h'"},
      {"p cnf 1 1\n1 0\n", "f:1:3: expected 'wcnf' after 'p'"},
  };
  for (const auto& [text, message] : wcnfs) {
    const auto r = parse_wcnf(text, "f");
    ASSERT_FALSE(r) << text;
    EXPECT_EQ(r.error().to_string(), message);
  }
}

TEST(Dimacs, SurvivesRandomBytes) {
  Rng rng(9);
  const std::string alphabet = "pcnfwh 0123456789-\n\t%x";
  for (int i = 0; i < 20000; ++i) {
    std::string text = rng.below(2) != 0 ? "p cnf 3 2\n" : "p wcnf 3 2 9\n";
    for (std::uint64_t n = rng.below(30); n > 0; --n) text += alphabet[rng.below(alphabet.size())];
    (void)parse_cnf(text, "f");
    (void)parse_wcnf(text, "f");
    (void)parse_wcnf(std::string_view(text).substr(10), "f");
  }
}

TEST(DimacsFile, WritesWhatAFormulaWould) {
  const std::string path = testing::TempDir() + "stream.cnf";
  auto file = DimacsFile::create(path, DimacsFile::Kind::cnf);
  Cnf cnf;
  for (int i = 0; i < 5; ++i) {
    file->fresh_var("x" + std::to_string(i));
    cnf.fresh_var("x" + std::to_string(i));
  }
  const std::vector<Lit> xs = {lit(1), lit(2), lit(-3), lit(4), lit(5)};
  exactly_one_sequential(cnf, xs);
  exactly_one_sequential(*file, xs);
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(file->finish());
  EXPECT_EQ(*read_cnf(path), cnf);
  std::filesystem::remove(path);
}

TEST(DimacsFile, StreamsSoftClausesAndLeavesNothingBehind) {
  const std::string path = testing::TempDir() + "stream.wcnf";
  {
    auto file = DimacsFile::create(path, DimacsFile::Kind::wcnf);
    file->comment("two lines\nof text");
    file->add_clause(std::vector{lit(1), lit(2)});
    file->add_soft(std::vector{lit(-1)}, 7);
    ASSERT_TRUE(file->finish());
  }
  EXPECT_EQ(read_wcnf(path)->weight(0), 7U);
  std::filesystem::remove(path);
  { auto abandoned = DimacsFile::create(path, DimacsFile::Kind::cnf); }
  for (const auto& entry : std::filesystem::directory_iterator(testing::TempDir()))
    EXPECT_EQ(entry.path().string().find("stream.wcnf"), std::string::npos);
  EXPECT_FALSE(DimacsFile::create("/nonexistent/folder/x.cnf", DimacsFile::Kind::cnf));
}

TEST(Cost, IsTheWeightOfTheFalsified) {
  const auto w = parse_wcnf("h 1 2 0\n3 -1 0\n4 -2 0\n5 1 -2 0\n", "x");
  Assignment a(2);
  EXPECT_FALSE(cost(*w, a));
  a.set(lit(1));
  EXPECT_EQ(cost(*w, a), 3U);
  a.set(lit(2));
  EXPECT_EQ(cost(*w, a), 7U);
}

TEST(Dimacs, ANameBringsNoVariableIntoBeing) {
  const auto modern = parse_wcnf("c var 1073741824 x\nc var 2 second\nh 1 2 0\n", "t");
  ASSERT_TRUE(modern);
  EXPECT_EQ(modern->num_vars(), 2U);
  EXPECT_EQ(modern->names().size(), 1U);
}

}  // namespace
}  // namespace beadwork
