#include <beadwork/maxsat.hpp>
#include <beadwork/proof.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>
namespace beadwork {
namespace {

std::string proof_path() {
  return testing::TempDir() + "proof_test_" + std::to_string(getpid()) + ".drat";
}

ProofVerdict check(const char* cnf, const char* proof) {
  return *check_proof(*parse_cnf(cnf, "cnf"), proof, "proof");
}

constexpr const char* kSquare = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";

TEST(Proof, TakesARefutation) {
  const auto v = check(kSquare, "c two steps\n2 0\n0\n");
  EXPECT_TRUE(v.refuted) << v.reason;
  EXPECT_EQ(v.added, 1U);  // the unit is in conflict already
  EXPECT_TRUE(check("p cnf 1 1\n0\n", "").refuted);
  EXPECT_TRUE(check("p cnf 1 2\n1 0\n-1 0\n", "").refuted);
}

TEST(Proof, RefusesWhatDoesNotFollow) {
  EXPECT_EQ(check("p cnf 2 3\n1 2 0\n-1 2 0\n1 -2 0\n", "0\n").reason,
            "line 1: the clause is neither RUP nor RAT on its first literal");
  EXPECT_EQ(check("p cnf 2 3\n1 2 0\n-1 2 0\n1 -2 0\n", "2 0\n1 0\n").reason,
            "the proof ends without the empty clause");
  EXPECT_FALSE(check(kSquare, "d 1 2 0\nd -1 2 0\n0\n").refuted);
}

TEST(Proof, KnowsRatOnTheFirstLiteral) {
  const char* formula = "p cnf 3 2\n1 2 3 0\n-1 -2 0\n";  // 4 is new, and defined as (1 and 3)
  const auto v = check(formula, "-4 1 0\n-4 3 0\n4 -1 -3 0\n");
  EXPECT_EQ(v.reason, "the proof ends without the empty clause");
  EXPECT_EQ(v.rat, 3U);
  EXPECT_EQ(check(formula, "1 -4 0\n").reason, "line 1: the clause is neither RUP nor RAT on its first literal");
}

TEST(Proof, IgnoresDeletionsOfUnitsAndStrangers) {
  const auto v = check("p cnf 2 3\n1 0\n-1 2 0\n-1 -2 0\n", "d 1 0\nd 1 2 0\n0\n");
  EXPECT_TRUE(v.refuted);
  const auto w = check("p cnf 3 2\n1 0\n1 2 3 0\n", "d 1 0\nd 3 -3 0\nd 3 2 1 0\n");
  EXPECT_EQ(w.ignored, 2U);
  EXPECT_EQ(w.deleted, 1U);
}

TEST(Proof, UnreadableProofsAreErrors) {
  const Cnf cnf = *parse_cnf(kSquare, "x");
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"1 2\n", "p:1: the clause has no closing 0"},
           {"c\n1 x 0\n", "p:2: expected a literal (is it a binary proof? only text proofs can be read)"},
           {std::string("a\x02\x00", 3),
            "p:1: expected a literal (is it a binary proof? only text proofs can be read)"},
           {"1 0 2 0\n", "p:1: text after the closing 0"},
           {"2000000000 0\n", "p:1: variable out of range"},
           {"99999999999 0\n", "p:1: expected a literal (is it a binary proof? only text proofs can be read)"}}) {
    const auto r = check_proof(cnf, text, "p");
    ASSERT_FALSE(r) << text;
    EXPECT_EQ(r.error().to_string(), message);
  }
}

Cnf random_cnf(Rng& rng, std::size_t vars, std::size_t clauses) {
  Cnf cnf;
  cnf.ensure_vars(vars);
  for (std::size_t i = 0; i < clauses; ++i) {
    std::vector<Lit> c;
    for (int j = 0; j < 3; ++j) c.push_back(Lit(Var(rng.below(vars)), rng.below(2) != 0));
    cnf.add_clause(c);
  }
  return cnf;
}

TEST(Proof, EveryRefutationOfTheSolverChecks) {
  Rng rng(21);
  int refuted = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t vars = 5 + rng.below(60);
    const Cnf cnf = random_cnf(rng, vars, 5 * vars);
    const auto out = solve(cnf, {}, {.proof = proof_path(), .settings = {}});
    ASSERT_TRUE(out);
    const auto verdict = check_proof(cnf, *read_file(proof_path()), "proof");
    ASSERT_TRUE(verdict) << verdict.error().to_string();
    EXPECT_EQ(verdict->refuted, out->answer == Answer::unsatisfiable) << verdict->reason;
    refuted += verdict->refuted ? 1 : 0;
  }
  EXPECT_GT(refuted, 100);
  std::filesystem::remove(proof_path());
}

// Whatever stands in a proof, a satisfiable formula is not refuted.
TEST(Proof, NoProofRefutesASatisfiableFormula) {
  Rng rng(22);
  for (int i = 0; i < 20000; ++i) {
    const std::size_t vars = 2 + rng.below(4);
    Cnf cnf;
    cnf.ensure_vars(vars);
    Assignment hidden(vars);
    for (std::size_t v = 0; v < vars; ++v) hidden.set(Var(v), rng.below(2) != 0);
    for (std::size_t c = rng.below(14); c > 0; --c) {
      std::vector<Lit> clause;
      for (std::size_t j = 1 + rng.below(3); j > 0; --j) clause.push_back(Lit(Var(rng.below(vars)), rng.below(2) != 0));
      if (hidden.satisfies(clause)) cnf.add_clause(clause);
    }
    std::string proof;
    for (std::size_t line = rng.below(12); line > 0; --line) {
      std::string text = rng.below(4) == 0 ? "d " : "";
      for (std::size_t j = rng.below(4); j > 0; --j)
        text += std::to_string(Lit(Var(rng.below(vars + 1)), rng.below(2) != 0).dimacs()) + " ";
      proof += text + "0\n";
      const auto verdict = check_proof(cnf, proof, "proof");
      ASSERT_TRUE(verdict);
      ASSERT_FALSE(verdict->refuted) << to_dimacs(cnf) << proof;
      if (verdict->reason.find("RUP") != std::string::npos) proof.resize(proof.size() - text.size() - 2);
    }
  }
}

TEST(Proof, ProofsOfTheCadicalProgramCheck) {
  if (!std::filesystem::exists("/usr/bin/cadical")) GTEST_SKIP();
  Rng rng(23);
  const Cnf cnf = random_cnf(rng, 120, 600);
  const auto out = solve_external(cnf, "cadical -q --no-binary {} " + proof_path());
  ASSERT_TRUE(out) << out.error().to_string();
  ASSERT_EQ(out->answer, Answer::unsatisfiable);
  const auto verdict = check_proof(cnf, *read_file(proof_path()), "proof");
  EXPECT_TRUE(verdict->refuted) << verdict->reason;
  std::filesystem::remove(proof_path());
}

// The whole road of a certificate: optimum by search, "one less" refuted afresh, refutation checked.
TEST(Proof, CertifiesAMaxsatOptimum) {
  Rng rng(24);
  for (int i = 0; i < 20; ++i) {
    Wcnf w;
    const Cnf hard = random_cnf(rng, 20, 40), soft = random_cnf(rng, 20, 150);
    for (std::size_t c = 0; c < hard.clauses().size(); ++c) w.add_clause(hard.clauses()[c]);
    for (std::size_t c = 0; c < soft.clauses().size(); ++c) w.add_soft(soft.clauses()[c], 1 + rng.below(3));
    const auto best = solve(w);
    if (best->status != MaxsatStatus::optimal || best->upper == 0) continue;
    const Cnf claim = at_most_cost(w, best->upper - 1);
    EXPECT_EQ(solve(claim, {}, {.proof = proof_path(), .settings = {}})->answer, Answer::unsatisfiable);
    const auto verdict = check_proof(claim, *read_file(proof_path()), "proof");
    EXPECT_TRUE(verdict->refuted) << verdict->reason;
  }
  std::filesystem::remove(proof_path());
}

}  // namespace
}  // namespace beadwork
