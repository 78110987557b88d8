#include "support/processor_time.hpp"
#include "support/repeats.hpp"
#include <beadwork/maxsat.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
namespace beadwork {
namespace {

struct Shape {
  std::size_t vars, hard, soft;
  Weight heaviest;
};

std::vector<Lit> random_clause(Rng& rng, std::size_t vars, std::size_t longest) {
  std::vector<Lit> c;
  for (std::size_t j = 1 + rng.below(longest); j > 0; --j) c.push_back(Lit(Var(rng.below(vars)), rng.below(2) != 0));
  return c;
}

Wcnf random_wcnf(Rng& rng, const Shape& s) {
  Wcnf w;
  w.ensure_vars(s.vars);
  for (std::size_t i = 0; i < s.hard; ++i) {
    auto c = random_clause(rng, s.vars, 2);
    c.push_back(Lit(Var(rng.below(s.vars)), rng.below(2) != 0));
    w.add_clause(c);
  }
  for (std::size_t i = 0; i < s.soft; ++i) w.add_soft(random_clause(rng, s.vars, 3), 1 + rng.below(s.heaviest));
  if (rng.below(20) == 0) w.add_soft(Clause{}, 3);
  return w;
}

// Every assignment, counted by Gray code on precomputed clause masks.
std::optional<Weight> brute_force(const Wcnf& w) {
  struct Masks {
    std::uint32_t positive = 0, negative = 0;
  };
  const auto masks = [](Clause c) {
    Masks m;
    for (const Lit l : c) (l.positive() ? m.positive : m.negative) |= 1U << l.var()();
    return m;
  };
  std::vector<Masks> hard, soft;
  for (std::size_t i = 0; i < w.hard().size(); ++i) hard.push_back(masks(w.hard()[i]));
  for (std::size_t i = 0; i < w.soft().size(); ++i) soft.push_back(masks(w.soft()[i]));
  std::optional<Weight> best;
  for (std::uint32_t a = 0; a < 1U << w.num_vars(); ++a) {
    const auto fails = [&](const Masks& m) { return (m.positive & a) == 0 && (m.negative & ~a) == 0; };
    if (std::any_of(hard.begin(), hard.end(), fails)) continue;
    Weight sum = 0;
    for (std::size_t i = 0; i < soft.size() && (!best || sum < *best); ++i)
      if (fails(soft[i])) sum += w.weight(i);
    if (!best || sum < *best) best = sum;
  }
  return best;
}

void expect_optimal(const Wcnf& w, const std::optional<Weight>& optimum, const MaxsatOptions& options) {
  const auto out = solve(w, {}, options);
  ASSERT_TRUE(out) << out.error().to_string();
  if (!optimum) {
    EXPECT_EQ(out->status, MaxsatStatus::infeasible);
    return;
  }
  ASSERT_EQ(out->status, MaxsatStatus::optimal) << to_dimacs(w);
  EXPECT_EQ(out->upper, *optimum) << to_dimacs(w);
  EXPECT_EQ(out->lower, *optimum);
  EXPECT_EQ(cost(w, out->model), *optimum);
}

TEST(Maxsat, TheExampleOfTheFrontHeader) {
  auto wcnf = parse_wcnf("h 1 2 0\n3 -1 0\n4 -2 0\n", "example");
  auto out = solve(*wcnf);
  EXPECT_EQ(out->status, MaxsatStatus::optimal);
  EXPECT_EQ(out->lower, 3U);
  EXPECT_EQ(out->upper, 3U);
  EXPECT_TRUE(out->model[Var(0)]);
}

Shape random_shape(Rng& rng, std::size_t most_vars) {
  const std::size_t vars = 2 + rng.below(most_vars - 1);
  const Weight weights[] = {1, 3, 1000, Weight{1} << 40};
  return {vars, rng.below(2 * vars), 1 + rng.below(6 * vars), weights[rng.below(4)]};
}

TEST(Maxsat, EqualsBruteForce) {
  Rng rng(11);
  for (int i = 0; i < 1000; ++i) {
    const Wcnf w = random_wcnf(rng, random_shape(rng, i % 50 == 0 ? 18 : 12));
    expect_optimal(w, brute_force(w), {});
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
}

TEST(Maxsat, EqualsBruteForceWithEachPartSwitchedOff) {
  Rng rng(12);
  for (int i = 0; i < test::repeats(300); ++i) {
    const Wcnf w = random_wcnf(rng, random_shape(rng, 9));
    const auto optimum = brute_force(w);
    for (int part = 0; part < 8; ++part) {
      MaxsatOptions o;
      if (part == 0) o.group_clashing = false;
      if (part == 1) o.minimise_cores = false;
      if (part == 2) o.exhaust_cores = false;
      if (part == 3) o.stratify = false;
      if (part == 4) o.linear_phase = false;
      if (part == 5) o.core_conflicts = 0;   // straight to the linear phase
      if (part == 6) o.core_conflicts = 10;  // a few cores, then linear on what they left
      if (part == 7) o.sampled_descent = false;
      expect_optimal(w, optimum, o);
      ASSERT_FALSE(HasFailure()) << "part " << part;
    }
  }
}

// The rows of a truth table: 2^H softs a row of which one at most is falsified, as the encodings have it.
TEST(Maxsat, ClashingSoftsShareARelaxation) {
  Wcnf w;
  w.ensure_vars(3);
  Rng rng(13);
  const auto shared = [&] {
    const Var v(rng.below(3));
    return Lit(v, rng.below(2) != 0);
  };
  for (int row = 0; row < 20; ++row) {
    const Lit a = w.fresh_var(), b = w.fresh_var();
    w.add_clause({shared(), a, b});
    for (const Lit x : {a, ~a})
      for (const Lit y : {b, ~b}) w.add_soft({x, y, shared()}, 1);
  }
  MaxsatOptions apart;
  apart.group_clashing = false;
  const auto together = solve(w), single = solve(w, {}, apart);
  EXPECT_LE(together->stats.softs, 20U);
  EXPECT_GT(single->stats.softs, 60U);
  EXPECT_EQ(together->upper, single->upper);
}

// Enough softs for the descent on a sample: copies of one small formula, so that the optimum is known.
TEST(Maxsat, ManySofts) {
  Rng rng(18);
  Wcnf w;
  Weight optimum = 0;
  for (int copy = 0; copy < 80; ++copy) {
    const Wcnf part = random_wcnf(rng, {6, 4, 14, 2});
    const auto best = brute_force(part);
    if (!best) continue;
    optimum += *best;
    const std::size_t shift = w.num_vars();
    const auto moved = [&](Clause c) {
      std::vector<Lit> out;
      for (const Lit l : c) out.push_back(Lit(Var(l.var()() + shift), l.positive()));
      return out;
    };
    w.ensure_vars(shift + part.num_vars());
    for (std::size_t i = 0; i < part.hard().size(); ++i) w.add_clause(moved(part.hard()[i]));
    for (std::size_t i = 0; i < part.soft().size(); ++i) w.add_soft(moved(part.soft()[i]), part.weight(i));
  }
  const auto out = solve(w);
  EXPECT_GT(out->stats.softs, 500U);
  EXPECT_EQ(out->status, MaxsatStatus::optimal);
  EXPECT_EQ(out->upper, optimum);
}

TEST(Maxsat, BoundsMeetOnlyFromTheRightSides) {
  Rng rng(14);
  for (int i = 0; i < 100; ++i) {
    const Wcnf w = random_wcnf(rng, {10, 12, 50, 9});
    const auto optimum = brute_force(w);
    if (!optimum) continue;
    Control control;
    control.progress = [&](const Progress& p) {
      EXPECT_LE(p.lower_bound, static_cast<std::int64_t>(*optimum));
      if (p.upper_bound) {
        EXPECT_GE(*p.upper_bound, static_cast<std::int64_t>(*optimum));
      }
      return true;
    };
    EXPECT_EQ(solve(w, control)->upper, *optimum);
  }
}

TEST(Maxsat, StopsWhenToldAndKeepsItsBounds) {
  Rng rng(15);
  const Wcnf w = random_wcnf(rng, {150, 100, 2000, 50});
  Control control;
  control.deadline = Deadline::in(0.3);
  const testing_support::ProcessorTime watch;
  const auto out = solve(w, control);
  EXPECT_LT(watch.seconds(), 10);
  ASSERT_EQ(out->status, MaxsatStatus::feasible);
  EXPECT_EQ(out->stopped_by, Stop::deadline);
  EXPECT_EQ(cost(w, out->model), out->upper);
  EXPECT_LT(out->lower, out->upper);
  control.deadline = Deadline::in(0);
  EXPECT_EQ(solve(w, control)->status, MaxsatStatus::unknown);
  control.deadline = Deadline::never();
  control.progress = [](const Progress&) { return false; };
  const auto told = solve(w, control);
  EXPECT_EQ(told->status, MaxsatStatus::feasible);
  EXPECT_EQ(told->stopped_by, Stop::interrupt);
}

TEST(Maxsat, StartsFromAGivenModel) {
  Rng rng(16);
  const Wcnf w = random_wcnf(rng, {12, 5, 60, 9});
  const auto best = solve(w);
  ASSERT_EQ(best->status, MaxsatStatus::optimal);
  MaxsatOptions o;
  o.initial = best->model;
  std::vector<Weight> costs;
  o.on_model = [&](const Assignment& a, Weight c) {
    EXPECT_EQ(cost(w, a), c);
    costs.push_back(c);
  };
  EXPECT_EQ(solve(w, {}, o)->upper, best->upper);
  EXPECT_EQ(costs, std::vector{best->upper});
  o.initial = Assignment(3);  // one that is no model does no harm
  EXPECT_EQ(solve(w, {}, o)->upper, best->upper);
}

TEST(Maxsat, TheDecisionProblemTurnsAtTheOptimum) {
  Rng rng(17);
  for (int i = 0; i < test::repeats(200); ++i) {
    const Wcnf w = random_wcnf(rng, random_shape(rng, 8));
    const auto optimum = brute_force(w);
    if (!optimum) continue;
    EXPECT_EQ(solve(at_most_cost(w, *optimum))->answer, Answer::satisfiable);
    if (*optimum > 0) {
      EXPECT_EQ(solve(at_most_cost(w, *optimum - 1))->answer, Answer::unsatisfiable);
    }
  }
}

TEST(Maxsat, OddFormulas) {
  EXPECT_EQ(solve(Wcnf{})->status, MaxsatStatus::optimal);
  for (const auto& [text, optimum] : {std::pair<const char*, Weight>{"5 0\n", 5},
                                      {"5 1 0\n7 -1 0\n", 5},
                                      {"5 1 -1 0\n", 0},
                                      {"h 1 0\n5 -1 0\n5 -1 0\n", 10},
                                      {"9223372036854775806 1 0\n1 -1 0\n", 1},
                                      {"5 1 1 1 0\n5 -1 -1 0\n", 5}})
    EXPECT_EQ(solve(*parse_wcnf(text, "x"))->upper, optimum) << text;
  EXPECT_EQ(solve(*parse_wcnf("h 0\n5 1 0\n", "x"))->status, MaxsatStatus::infeasible);
  EXPECT_EQ(status_line(MaxsatStatus::optimal), "s OPTIMUM FOUND");
  EXPECT_EQ(exit_code(MaxsatStatus::optimal), 30);
}

class Fake {
 public:
  explicit Fake(const std::string& body)
      : path_(testing::TempDir() + "fake_maxsat_" + std::to_string(getpid()) + "_" + std::to_string(++count) + ".sh") {
    (void)write_file(path_, "#!/bin/sh\n" + body + "\n");
    chmod(path_.c_str(), 0755);
  }
  ~Fake() { std::filesystem::remove(path_); }
  const std::string& command() const { return path_; }

 private:
  static inline int count = 0;
  std::string path_;
};

Wcnf example() {
  return *parse_wcnf("h 1 2 0\n3 -1 0\n4 -2 0\n", "example");
}

std::string complaint(const std::string& body) {
  const Fake fake(body);
  const auto out = solve_external(example(), fake.command());
  return out ? "none" : out.error().message;
}

TEST(ExternalMaxsat, TakesLiteralsAndBits) {
  for (const char* values : {"v 1 -2 0", "v 10"}) {
    const Fake fake(std::string("printf 'o 7\\no 3\\ns OPTIMUM FOUND\\n") + values + "\\n'");
    const auto out = solve_external(example(), fake.command());
    ASSERT_TRUE(out) << out.error().to_string();
    EXPECT_EQ(out->status, MaxsatStatus::optimal);
    EXPECT_EQ(out->upper, 3U);
    EXPECT_EQ(out->lower, 3U);
    EXPECT_EQ(out->prover, fake.command());
  }
}

// Nobody can tell a false bound from a true one, so the outcome says whose word it is.
TEST(ExternalMaxsat, ALyingSolverIsNamed) {
  const Fake fake("printf 'o 4\\ns OPTIMUM FOUND\\nv -1 2 0\\n'");
  const auto lie = solve_external(example(), fake.command());
  ASSERT_TRUE(lie) << lie.error().to_string();
  EXPECT_EQ(lie->lower, 4U);
  EXPECT_EQ(lie->prover, fake.command());
  EXPECT_EQ(solve(example())->upper, 3U);
  EXPECT_EQ(solve(example())->prover, "");
}

TEST(ExternalMaxsat, WritesTheFormAsked) {
  const Fake modern("grep -q '^h 1 2 0' $1 && echo 's UNKNOWN'"),
      classic("grep -q '^p wcnf 2 3 8' $1 && echo 's UNKNOWN'");
  EXPECT_TRUE(solve_external(example(), modern.command()));
  EXPECT_FALSE(solve_external(example(), classic.command()));
  EXPECT_TRUE(solve_external(example(), classic.command(), {}, WcnfForm::classic));
}

TEST(ExternalMaxsat, ReportsNonsense) {
  EXPECT_EQ(complaint("echo 's OPTIMUM FOUND'"), "it says optimum found but gives no model");
  EXPECT_EQ(complaint("echo 's OPTIMUM FOUND'; echo 'v -1 -2 0'"), "its model falsifies hard clause 1");
  EXPECT_EQ(complaint("echo 'o 1'; echo 's OPTIMUM FOUND'; echo 'v 1 2 0'"), "it claims cost 1, its model costs 7");
  EXPECT_EQ(complaint("echo 's UNSATISFIABLE'; echo 'v 1 2 0'"), "it says unsatisfiable and gives a model");
  EXPECT_EQ(complaint("echo 's SATISFIABLE'"), "it says satisfiable but gives no model");
  EXPECT_EQ(complaint("echo 's SATISFIABLE'; echo 'v 1 -1 0'"), "its model has variable 1 both true and false");
  EXPECT_EQ(complaint("echo 's MAYBE'"), "it answered 's MAYBE'");
  EXPECT_EQ(complaint("kill -KILL $$"), "it was killed by signal 9");
  EXPECT_EQ(complaint("exit 7"), "it gave no 's' line and exit code 7");
}

TEST(ExternalMaxsat, MaySayThatThereIsNoModel) {
  const Fake fake("echo 'o x'; echo 's UNSATISFIABLE'");
  const auto out = solve_external(*parse_wcnf("h 1 0\nh -1 0\n2 1 0\n", "x"), fake.command());
  ASSERT_TRUE(out) << out.error().to_string();
  EXPECT_EQ(out->status, MaxsatStatus::infeasible);
  EXPECT_EQ(out->prover, fake.command());
}

TEST(ExternalMaxsat, KeepsTheModelOfOneThatRanOutOfTime) {
  const Fake fake(
      "trap 'echo \"s SATISFIABLE\"; echo \"v 1 2 0\"; exit 10' TERM; echo 'o 7'; while :; do sleep 0.05; "
      "done");
  Control control;
  control.deadline = Deadline::in(0.4);
  std::vector<std::int64_t> seen;
  control.progress = [&](const Progress& p) {
    seen.push_back(*p.upper_bound);
    return true;
  };
  const auto out = solve_external(example(), fake.command(), control);
  ASSERT_TRUE(out) << out.error().to_string();
  EXPECT_EQ(out->status, MaxsatStatus::feasible);
  EXPECT_EQ(out->upper, 7U);
  EXPECT_EQ(out->stopped_by, Stop::deadline);
  EXPECT_EQ(seen, std::vector<std::int64_t>{7});
}

}  // namespace
}  // namespace beadwork
