// OPB: what is read and refused, and the clauses it becomes, against all assignments.
#include <beadwork/formula.hpp>
#include <beadwork/sat.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace beadwork {
namespace {

std::string opb_error(std::string_view text) {
  const auto problem = parse_opb(text, "f.opb");
  return problem ? "" : problem.error().to_string();
}

TEST(Opb, ReadsTheCompetitionsFormat) {
  const auto p = parse_opb(
      "* #variable= 3 #constraint= 2\n"
      "min: +2 x1 -3 x2 +1 ~x3 ;\n"
      "* in between\n"
      "+1 x1 +2 x2\n  >= 2;\n"
      "-1 x1 +1 x1 +4 x3 = +4;\n",
      "f.opb");
  ASSERT_TRUE(p) << p.error().to_string();
  EXPECT_EQ(p->num_vars(), 3U);
  EXPECT_EQ(p->names().at(Var(1)), "x2");
  EXPECT_TRUE(p->minimises);
  EXPECT_EQ(p->base, -3);  // 2 x1 + 3 ~x2 + 1 ~x3 - 3
  ASSERT_EQ(p->objective.size(), 3U);
  ASSERT_EQ(p->constraints.size(), 2U);  // 4 x3 <= 4 asks nothing
  EXPECT_EQ(p->constraints[0].least, 2U);
  EXPECT_EQ(p->constraints[1].terms.size(), 1U);
}

TEST(Opb, RefusesInOneLine) {
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "f.opb:1:1: the file is empty"},
           {"* nothing\n", "f.opb:2:1: the file is empty"},
           {"max: +1 x1;", "f.opb:1:1: expected 'min:', got 'max:': minimise the negated sum"},
           {"soft: 10;", "f.opb:1:1: soft constraints (WBO) are not read"},
           {"+1 x1 +1 x2 >= 1\n+1 x3 >= 1;", "f.opb:2:1: expected ';', got '+1'"},
           {"+1 x1 x2 >= 1;", "f.opb:1:7: a product of variables: only linear constraints are read"},
           {"+1 x1 >= ;", "f.opb:1:10: expected a bound, got ';'"},
           {"+1 x1;", "f.opb:1:6: expected >=, <= or =, got ';'"},
           {"x1 >= 1;", "f.opb:1:1: expected a coefficient, got 'x1'"},
           {"+1 7 >= 1;", "f.opb:1:4: expected a variable such as x1, got '7'"},
           {"+1 x1 >= 1", "f.opb:1:11: expected ';', got the end of the file"},
           {"+1 x1", "f.opb:1:6: expected ';', found the end of the file"},
           {"+9223372036854775808 x1 >= 1;",
            "f.opb:1:1: a coefficient +9223372036854775808 is too large (below 2^63 only)"},
           {"-9223372036854775807 x1 -5 x1 >= 1;", "f.opb:1:31: the numbers of this line add up to 2^63 or more"},
           {"+9223372036854775807 x1 +9223372036854775807 x2 >= 1;",
            "f.opb:1:53: the numbers of this line add up to 2^63 or more"},
           {"min: +9223372036854775807 x1 +1 x2;", "f.opb:1:35: the numbers of this line add up to 2^63 or more"},
           {"min: +1 x1;\nmin: +1 x1;", "f.opb:2:1: a second objective"},
           {"+-1 x1 >= 1;", "f.opb:1:1: expected a coefficient, got '+-1'"}})
    EXPECT_EQ(opb_error(text), said) << text;
}

struct RandomProblem {
  std::string text;
  std::size_t vars = 0;
  struct Row {
    std::vector<std::pair<std::int64_t, int>> terms;  // a coefficient, a variable, negative for its negation
    std::string how;
    std::int64_t bound = 0;
    std::int64_t sum(unsigned a) const {
      std::int64_t s = 0;
      for (const auto& [c, v] : terms) s += ((a >> (std::abs(v) - 1) & 1U) != 0) == (v > 0) ? c : 0;
      return s;
    }
    bool holds(unsigned a) const {
      return how == ">=" ? sum(a) >= bound : how == "<=" ? sum(a) <= bound : sum(a) == bound;
    }
  };
  std::vector<Row> rows;
  Row objective;

  explicit RandomProblem(std::uint64_t seed) {
    Rng rng(seed);
    vars = 1 + rng.below(6);
    const auto draw = [&](Row& row) {
      for (std::size_t n = rng.below(6); n-- > 0;) {
        const auto c = static_cast<std::int64_t>(rng.below(seed % 5 == 0 ? 100000 : 9)) - (seed % 5 == 0 ? 50000 : 4);
        const auto v = static_cast<int>(1 + rng.below(vars));
        row.terms.emplace_back(c, rng.below(4) == 0 ? -v : v);
        text += fmt::format("{:+} {}x{} ", c, row.terms.back().second < 0 ? "~" : "", v);
      }
    };
    text = "min: ";
    draw(objective);
    text += ";\n";
    for (std::size_t n = rng.below(4); n-- > 0;) {
      Row row;
      draw(row);
      row.how = std::vector<std::string>{">=", "<=", "="}[rng.below(3)];
      row.bound = static_cast<std::int64_t>(rng.below(9)) - 4;
      text += fmt::format("{} {};\n", row.how, row.bound);
      rows.push_back(row);
    }
  }
};

// The first variables of both formulas can be extended to a model exactly where the constraints hold, and what the soft
// clauses cost is the objective.
TEST(Opb, ClausesSayWhatTheConstraintsSay) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const RandomProblem drawn(seed);
    const auto p = parse_opb(drawn.text, "random");
    ASSERT_TRUE(p) << drawn.text << p.error().to_string();
    const Wcnf wcnf = to_wcnf(*p);
    const Cnf cnf = to_cnf(*p);
    ASSERT_EQ(cnf.clauses(), wcnf.hard());
    Solver solver;
    solver.ensure_vars(cnf.num_vars());
    for (std::size_t i = 0; i < cnf.clauses().size(); ++i) solver.add_clause(cnf.clauses()[i]);
    std::map<std::string, Var> by_name;
    for (const auto& [v, name] : p->names()) by_name.emplace(name, v);
    for (unsigned a = 0; a < 1U << drawn.vars; ++a) {
      std::vector<Lit> assumed;
      Assignment values(wcnf.num_vars());
      for (std::size_t v = 0; v < drawn.vars; ++v)
        if (const auto at = by_name.find(fmt::format("x{}", v + 1)); at != by_name.end()) {
          assumed.emplace_back(at->second, (a >> v & 1U) != 0);
          values.set(assumed.back());
        }
      const bool holds = std::all_of(drawn.rows.begin(), drawn.rows.end(), [&](const auto& r) { return r.holds(a); });
      ASSERT_EQ(solver.solve(assumed) == Answer::satisfiable, holds) << drawn.text << a;
      std::int64_t soft = p->base;
      for (std::size_t i = 0; i < wcnf.soft().size(); ++i)
        if (!values.satisfies(wcnf.soft()[i])) soft += static_cast<std::int64_t>(wcnf.weight(i));
      ASSERT_EQ(soft, drawn.objective.sum(a)) << drawn.text << a;
    }
  }
}

TEST(FormulaKinds, AreKnownByWhatIsSaid) {
  using enum FormulaKind;
  for (const auto& [text, path, kind] :
       std::vector<std::tuple<std::string, std::string, FormulaKind>>{{"c x\np cnf 1 1\n1 0\n", "f", cnf},
                                                                      {"p  cnf 1 1\n1 0\n", "f", cnf},
                                                                      {"p wcnf 1 1 2\n1 1 0\n", "f.cnf", wcnf},
                                                                      {"h 1 2 0\n3 -1 0\n", "f.cnf", wcnf},
                                                                      {"3 -1 0\nh 1 2 0\n", "f.cnf", wcnf},
                                                                      {"3 -1 0\n4 2 0\n", "-", wcnf},
                                                                      {"3 -1 0\n4 2 0\n", "f.cnf.gz", headerless_cnf},
                                                                      {"3 -1 0\n-4 2 0\n", "-", headerless_cnf},
                                                                      {"1 2 0\n0\n", "-", headerless_cnf},
                                                                      {"-3 1 0\n", "f.wcnf.xz", wcnf},
                                                                      {"", "-", cnf},
                                                                      {"c nothing\n", "f.wcnf", cnf},
                                                                      {"* #variable= 1\n", "-", opb},
                                                                      {"min: +1 x1;\n", "-", opb},
                                                                      {"+1 x1\n>= 1;\n", "f.cnf", opb},
                                                                      {"1 x1 2 x2\n>= 1;\n", "-", opb}})
    EXPECT_EQ(kind_of(text, path), kind) << text << path;
}

}  // namespace
}  // namespace beadwork
