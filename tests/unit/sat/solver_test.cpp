#include "support/processor_time.hpp"
#include <beadwork/sat.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

namespace beadwork {
namespace {

Cnf random_cnf(Rng& rng, std::size_t vars, std::size_t clauses) {
  Cnf cnf;
  cnf.ensure_vars(vars);
  for (std::size_t i = 0; i < clauses; ++i) {
    std::vector<Lit> c;
    for (std::size_t j = 0, n = 2 + rng.below(2); j < n; ++j) c.push_back(Lit(Var(rng.below(vars)), rng.below(2) != 0));
    cnf.add_clause(c);
  }
  return cnf;
}

bool satisfiable(const Cnf& cnf) {
  for (std::size_t bits = 0; bits < std::size_t{1} << cnf.num_vars(); ++bits) {
    Assignment a(cnf.num_vars());
    for (std::size_t v = 0; v < cnf.num_vars(); ++v) a.set(Var(v), (bits >> v & 1U) != 0);
    if (satisfies(a, cnf)) return true;
  }
  return false;
}

// n+1 pigeons in n holes: short, and hard for every resolution solver.
Cnf pigeons(std::size_t holes) {
  Cnf cnf;
  std::vector<std::vector<Lit>> in(holes);
  for (std::size_t p = 0; p <= holes; ++p) {
    std::vector<Lit> somewhere;
    for (std::size_t h = 0; h < holes; ++h) in[h].push_back(somewhere.emplace_back(cnf.fresh_var()));
    cnf.add_clause(somewhere);
  }
  for (const auto& hole : in) at_most_one_pairwise(cnf, hole);
  return cnf;
}

TEST(Solver, TheExampleOfTheFrontHeader) {
  Solver solver;
  const Lit tie = solver.fresh_var(), shirt = solver.fresh_var();
  EXPECT_THROW((void)solver.value(tie), ContractViolation);
  solver.add_clause({~tie, shirt});
  solver.add_clause({tie, shirt});
  solver.add_clause({~tie, ~shirt});
  EXPECT_EQ(solver.solve(), Answer::satisfiable);
  EXPECT_FALSE(solver.value(tie));
  EXPECT_TRUE(solver.value(shirt));
  EXPECT_THROW((void)solver.failed(), ContractViolation);
  EXPECT_EQ(solver.solve(std::vector{tie}), Answer::unsatisfiable);
  EXPECT_EQ(solver.failed(), std::vector{tie});
  EXPECT_EQ(solver.solve(), Answer::satisfiable);
  EXPECT_EQ(solver.stats().solves, 3U);
}

TEST(Solver, AgreesWithBruteForce) {
  Rng rng(2);
  int sat = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::size_t vars = 1 + rng.below(10);
    const Cnf cnf = random_cnf(rng, vars, rng.below(4 * vars));
    const auto out = solve(cnf);
    ASSERT_TRUE(out);
    EXPECT_EQ(out->answer == Answer::satisfiable, satisfiable(cnf));
    sat += out->answer == Answer::satisfiable ? 1 : 0;
  }
  EXPECT_GT(sat, 100);
  EXPECT_LT(sat, 900);
}

TEST(Solver, CoresAreUnsatisfiable) {
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    Cnf cnf = random_cnf(rng, 8, 14);
    Solver solver;
    for (std::size_t c = 0; c < cnf.clauses().size(); ++c) solver.add_clause(cnf.clauses()[c]);
    std::vector<Lit> assumptions;
    for (std::size_t v = 0; v < 8; ++v) assumptions.push_back(Lit(Var(v), rng.below(2) != 0));
    if (solver.solve(assumptions) != Answer::unsatisfiable) continue;
    for (const Lit l : solver.failed()) cnf.add_clause({l});
    EXPECT_FALSE(satisfiable(cnf));
  }
}

TEST(Solver, PhasesAreTriedFirst) {
  for (const bool value : {false, true}) {
    Solver solver;
    std::vector<Lit> xs;
    for (int i = 0; i < 20; ++i) xs.push_back(solver.fresh_var());
    solver.add_clause(xs);
    solver.add_clause({~xs[0], ~xs[1], ~xs[2]});
    for (std::size_t i = 3; i < 20; ++i) solver.phase(value ? xs[i] : ~xs[i]);
    solver.phase(xs[0]);
    EXPECT_EQ(solver.solve(std::vector{xs[0]}), Answer::satisfiable);
    for (std::size_t i = 3; i < 20; ++i) EXPECT_EQ(solver.value(xs[i]), value);
  }
}

TEST(Solver, StopsAtLimits) {
  const Cnf hard = pigeons(12);
  Solver solver;
  for (std::size_t c = 0; c < hard.clauses().size(); ++c) solver.add_clause(hard.clauses()[c]);
  EXPECT_EQ(solver.solve({}, {}, 100), Answer::unknown);
  EXPECT_EQ(solver.stopped_by(), Stop::conflicts);
  Control control;
  control.deadline = Deadline::in(0.2);
  const testing_support::ProcessorTime watch;
  EXPECT_EQ(solver.solve({}, control), Answer::unknown);
  EXPECT_EQ(solver.stopped_by(), Stop::deadline);
  EXPECT_LT(watch.seconds(), 3);
  control.deadline = Deadline::never();
  control.memory_limit = 1;
  EXPECT_EQ(solver.solve({}, control), Answer::unknown);
  EXPECT_EQ(solver.stopped_by(), Stop::memory);
  control.memory_limit = 0;
  std::atomic<bool> flag = false;
  control.interrupt = &flag;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    flag = true;
  });
  EXPECT_EQ(solver.solve({}, control), Answer::unknown);
  later.join();
  EXPECT_EQ(solver.stopped_by(), Stop::interrupt);
}

TEST(Solver, RefusesUnknownSettingsAndUnwritableProofs) {
  EXPECT_FALSE(Solver::make({.proof = "", .settings = {{"nonsense", 1}}}));
  EXPECT_FALSE(Solver::make({.proof = "/nonexistent/folder/proof", .settings = {}}));
}

TEST(Solver, TakesSettingsAndTellsItsName) {
  EXPECT_TRUE(Solver::make({.proof = "", .settings = {{"seed", 7}}}));
  EXPECT_EQ(Solver::name().substr(0, 8), "CaDiCaL ");
  EXPECT_GT(Solver::name().size(), 8U);
}

// Nothing is started that would pass the limit of memory.
TEST(Solver, NoRoomForAFormula) {
  const Cnf cnf = *parse_cnf("p cnf 1 1\n1 0\n", "x");
  Control control;
  control.memory_limit = 1;
  const auto out = solve(cnf, control);
  ASSERT_TRUE(out);
  EXPECT_EQ(out->answer, Answer::unknown);
  EXPECT_EQ(out->stopped_by, Stop::memory);
  EXPECT_EQ(solve(cnf)->answer, Answer::satisfiable);
}

TEST(Solver, AFullDiskIsNoProof) {
  const auto out = solve(*parse_cnf("p cnf 1 2\n1 0\n-1 0\n", "x"), {}, {.proof = "/dev/full", .settings = {}});
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().to_string(), "/dev/full: cannot write the proof");
}

TEST(Solver, KeepsAProofOfTheEmptyClause) {
  for (const char* text : {"p cnf 0 1\n0\n", "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"}) {
    auto solver = Solver::make({.keep_proof = true});
    ASSERT_TRUE(solver);
    const Cnf cnf = *parse_cnf(text, "x");
    for (std::size_t i = 0; i < cnf.clauses().size(); ++i) solver->add_clause(cnf.clauses()[i]);
    ASSERT_EQ(solver->solve(), Answer::unsatisfiable);
    const auto lines = solver->take_proof();
    ASSERT_TRUE(lines) << lines.error().to_string();
    EXPECT_TRUE(lines->ends_with("0\n")) << *lines;
  }
}

TEST(ValueLines, AreShortAndClosed) {
  Assignment a(40);
  a.set(Var(0), true);
  const std::string lines = value_lines(a, 40);
  EXPECT_EQ(lines.substr(0, 9), "v 1 -2 -3");
  EXPECT_EQ(lines.substr(lines.size() - 3), " 0\n");
  for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) EXPECT_LE(lines.find('\n', at) - at, 78U);
}

}  // namespace
}  // namespace beadwork
