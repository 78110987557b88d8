#include <beadwork/sat.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
namespace beadwork {
namespace {

using Words = std::vector<std::string>;

TEST(SplitCommand, WorksAsAShellWould) {
  EXPECT_EQ(*split_command("kissat -q"), (Words{"kissat", "-q"}));
  EXPECT_EQ(*split_command("  '/a b/c'  \"x \\\" y\" z\\ w 'it'\"s\" ''"),
            (Words{"/a b/c", "x \" y", "z w", "its", ""}));
  EXPECT_FALSE(split_command("kissat 'x"));
  EXPECT_FALSE(split_command("   "));
}

// A shell script that plays the solver.
class Fake {
 public:
  explicit Fake(const std::string& body)
      : path_(testing::TempDir() + "fake_solver_" + std::to_string(getpid()) + "_" + std::to_string(++count) + ".sh") {
    (void)write_file(path_, "#!/bin/sh\n" + body + "\n");
    chmod(path_.c_str(), 0755);
  }
  ~Fake() { std::filesystem::remove(path_); }
  const std::string& command() const { return path_; }

 private:
  static inline int count = 0;
  std::string path_;
};

Cnf clothes() {
  return *parse_cnf("p cnf 3 3\n-1 2 0\n1 2 0\n-1 -2 0\n", "x");
}

std::string complaint(const std::string& body) {
  const Fake fake(body);
  const auto out = solve_external(clothes(), fake.command());
  return out ? "none" : out.error().message;
}

TEST(External, CadicalAgreesWithOurSolver) {
  if (!std::filesystem::exists("/usr/bin/cadical")) GTEST_SKIP();
  Rng rng(4);
  for (int i = 0; i < 60; ++i) {
    Cnf cnf;
    for (int c = 0; c < 85; ++c) {
      std::vector<Lit> clause;
      for (int j = 0; j < 3; ++j) clause.push_back(Lit(Var(rng.below(20)), rng.below(2) != 0));
      cnf.add_clause(clause);
    }
    const auto theirs = solve_external(cnf, "cadical -q");
    ASSERT_TRUE(theirs) << theirs.error().to_string();
    EXPECT_EQ(theirs->answer, solve(cnf)->answer);
  }
}

TEST(External, TakesLiteralsAndBits) {
  for (const char* values : {"v -1 2 3 0", "v -1\nv 2\nv -3 0", "v 010", "v 2"}) {
    const Fake fake(std::string("printf 'c hello\\ns SATISFIABLE\\n") + values + "'; exit 10");
    const auto out = solve_external(clothes(), fake.command());
    ASSERT_TRUE(out) << out.error().to_string();
    EXPECT_EQ(out->answer, Answer::satisfiable);
    EXPECT_TRUE(satisfies(out->model, clothes()));
  }
}

TEST(External, PutsTheFileWhereAsked) {
  const Fake fake("[ -f \"$2\" ] && [ \"$3\" = last ] && echo 's UNSATISFIABLE'");
  const auto out = solve_external(clothes(), fake.command() + " first {} last");
  ASSERT_TRUE(out) << out.error().to_string();
  EXPECT_EQ(out->answer, Answer::unsatisfiable);
  EXPECT_EQ(out->prover, fake.command() + " first {} last");
  EXPECT_EQ(solve(clothes())->prover, "");
}

// A solver's threads, or ours: each run has its own pipes, group and guard.
TEST(External, SeveralAtATime) {
  const Fake slow("sleep 0.3; echo 's UNSATISFIABLE'"), quick("echo 's UNSATISFIABLE'");
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      const auto out = solve_external(clothes(), (i % 2 == 0 ? slow : quick).command());
      if (out && out->answer == Answer::unsatisfiable) ++right;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right, 8);
}

// Neither the solver nor its guard is left, not even as a zombie.
TEST(External, LeavesNoChildren) {
  const Fake fake("sleep 100 & echo 's UNSATISFIABLE'");
  const Stopwatch watch;
  ASSERT_TRUE(solve_external(clothes(), fake.command()));
  EXPECT_LT(watch.seconds(), 50);  // what it left running is not waited for
  EXPECT_FALSE(solve_external(clothes(), "/nonexistent/solver"));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(External, ReportsNonsense) {
  EXPECT_EQ(complaint("echo hello; exit 3"), "it gave no 's' line and exit code 3");
  EXPECT_EQ(complaint("echo 's MAYBE'"), "it answered 's MAYBE'");
  EXPECT_EQ(complaint("echo 's SATISFIABLE'"), "it says satisfiable but gives no model");
  EXPECT_EQ(complaint("echo 's SATISFIABLE'; echo 'v 1 2 3 0'"), "its model falsifies clause 3");
  EXPECT_EQ(complaint("echo 's SATISFIABLE'; echo 'v 1 99 0'"), "its model has variable 99, the formula has 3");
  EXPECT_EQ(complaint("echo 's SATISFIABLE'; echo 'v 1 -1 0'"), "its model has variable 1 both true and false");
  EXPECT_EQ(complaint("echo 's SATISFIABLE'; echo 'v 1 x 0'"), "its model has 'x' where a literal should be");
  EXPECT_EQ(complaint("kill -SEGV $$"), "it was killed by signal 11");
  EXPECT_EQ(complaint("echo 's UNKNOWN'"), "none");
  EXPECT_EQ(complaint("head -c 3000000 /dev/zero"), "it gave no 's' line and exit code 0");
  const auto missing = solve_external(clothes(), "/nonexistent/solver");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "cannot run '/nonexistent/solver': No such file or directory");
}

TEST(External, EndsWhatDoesNotEnd) {
  for (const char* body : {"sleep 100", "trap '' TERM; sleep 100 & sleep 100; sleep 100", "exec >&-; sleep 100"}) {
    const Fake fake(body);
    Control control;
    control.deadline = Deadline::in(0.3);
    const Stopwatch watch;
    const auto out = solve_external(clothes(), fake.command(), control);
    ASSERT_TRUE(out) << out.error().to_string();
    EXPECT_EQ(out->answer, Answer::unknown);
    EXPECT_EQ(out->stopped_by, Stop::deadline);
    EXPECT_LT(watch.seconds(), 50);
  }
}

TEST(External, InterruptEndsIt) {
  const Fake fake("sleep 100");
  std::atomic<bool> flag = true;
  Control control;
  control.interrupt = &flag;
  EXPECT_EQ(solve_external(clothes(), fake.command(), control)->stopped_by, Stop::interrupt);
}

// The folder for temporary files, for as long as this lives.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const char* path) : old_(std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "") {
    setenv("TMPDIR", path, 1);
  }
  ~TemporaryFolder() { old_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", old_.c_str(), 1); }

 private:
  std::string old_;
};

TEST(External, ItsFormulaNeedsAFolder) {
  const Fake fake("echo 's UNSATISFIABLE'");
  {
    const TemporaryFolder nowhere("/nowhere");
    const auto out = solve_external(clothes(), fake.command());
    ASSERT_FALSE(out);
    EXPECT_NE(out.error().to_string().find("cannot write a temporary file"), std::string::npos);
  }
  for (const char* folder : {"", "/tmp"}) {
    const TemporaryFolder there(folder);
    EXPECT_EQ(solve_external(clothes(), fake.command())->answer, Answer::unsatisfiable);
  }
}

TEST(External, LinesOfOtherSystemsAndValuesThatAreNone) {
  const Fake windows("printf 's SATISFIABLE\\r\\nv -1 2 3 0\\r\\n'");
  EXPECT_EQ(solve_external(clothes(), windows.command())->answer, Answer::satisfiable);
  const Fake undecided("echo 's INDETERMINATE'");
  EXPECT_EQ(solve_external(clothes(), undecided.command())->answer, Answer::unknown);
  for (const char* value : {"x", "1x", "-2147483648", "99999999999"})
    EXPECT_NE(complaint(std::string("echo 's SATISFIABLE'; echo 'v ") + value + " 0'"), "none") << value;
}

}  // namespace
}  // namespace beadwork
