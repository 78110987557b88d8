#include <beadwork/formula.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace beadwork {
namespace {

std::vector<Lit> fresh(Cnf& cnf, std::size_t n) {
  std::vector<Lit> xs;
  for (std::size_t i = 0; i < n; ++i) xs.push_back(cnf.fresh_var());
  return xs;
}

// Can the first n values, given as bits, be extended to a model? Plain backtracking with no solver involved.
bool extends(const Cnf& cnf, std::vector<int> values, std::size_t next) {
  for (std::size_t i = 0; i < cnf.clauses().size(); ++i) {
    bool open = false;
    for (const Lit l : cnf.clauses()[i]) open = open || values[l.var()()] != (l.positive() ? 0 : 1);
    if (!open) return false;
  }
  while (next < values.size() && values[next] != 2) ++next;
  if (next == values.size()) return true;
  for (const int v : {0, 1}) {
    values[next] = v;
    if (extends(cnf, values, next + 1)) return true;
  }
  return false;
}

bool extends(const Cnf& cnf, std::size_t n, std::size_t bits) {
  std::vector<int> values(cnf.num_vars(), 2);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(bits >> i & 1U);
  return extends(cnf, values, n);
}

void expect_exactly(const Cnf& cnf, std::size_t n, const std::function<bool(std::size_t)>& wanted) {
  for (std::size_t bits = 0; bits < std::size_t{1} << n; ++bits)
    EXPECT_EQ(extends(cnf, n, bits), wanted(bits)) << "n=" << n << " bits=" << bits;
}

std::size_t count(std::size_t bits) {
  return static_cast<std::size_t>(__builtin_popcountll(bits));
}

TEST(Cardinality, EveryAtMostOneAndExactlyOneIsExact) {
  using Encoder = std::function<void(ClauseSinkRef, Clause)>;
  const std::vector<Encoder> at_most = {at_most_one_pairwise, [](auto s, auto x) { at_most_one_sequential(s, x); },
                                        [](auto s, auto x) { at_most_sequential(s, x, 1); }};
  const std::vector<Encoder> exactly = {exactly_one_pairwise, [](auto s, auto x) { exactly_one_sequential(s, x); }};
  for (std::size_t n = 0; n <= 6; ++n)
    for (const bool one : {false, true})
      for (const Encoder& encode : one ? exactly : at_most) {
        Cnf cnf;
        encode(cnf, fresh(cnf, n));
        expect_exactly(cnf, n, [&](std::size_t bits) { return one ? count(bits) == 1 : count(bits) <= 1; });
      }
}

TEST(Cardinality, TheCounterOfThePaperHasItsLiteralCounts) {
  for (std::size_t n = 3; n < 100; ++n) {
    Cnf most, one;
    at_most_one_sequential(most, fresh(most, n));
    exactly_one_sequential(one, fresh(one, n));
    EXPECT_EQ(most.clauses().num_literals(), 9 * n - 5);
    EXPECT_EQ(one.clauses().num_literals(), 9 * n - 4);
  }
  for (const auto& [n, literals] : {std::pair<std::size_t, std::size_t>{1, 0}, {2, 2}}) {
    Cnf cnf;
    at_most_one_sequential(cnf, fresh(cnf, n));
    EXPECT_EQ(cnf.clauses().num_literals(), literals);
  }
}

TEST(Cardinality, TheCounterIsAnEquivalence) {  // each choice of the x fixes every s
  Cnf cnf;
  const auto xs = fresh(cnf, 4);
  const auto s = at_most_one_sequential(cnf, xs);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      Cnf probe = cnf;
      for (std::size_t k = 0; k < 4; ++k) probe.add_clause({k == i ? xs[k] : ~xs[k]});
      probe.add_clause({j < i ? s[j] : ~s[j]});
      EXPECT_FALSE(extends(probe, std::vector<int>(probe.num_vars(), 2), 0));
    }
}

TEST(Cardinality, AtMostKIsExact) {
  for (std::size_t n = 0; n <= 6; ++n)
    for (std::size_t k = 0; k <= n; ++k) {
      Cnf cnf;
      at_most_sequential(cnf, fresh(cnf, n), k);
      expect_exactly(cnf, n, [&](std::size_t bits) { return count(bits) <= k; });
    }
}

TEST(Totalizer, IsExactHoweverItGrew) {
  for (std::size_t n = 1; n <= 6; ++n)
    for (std::size_t first = 0; first <= n; ++first)
      for (std::size_t k = 0; k < n; ++k) {
        Cnf cnf;
        Totalizer t(fresh(cnf, n));
        t.extend(cnf, first);
        t.extend(cnf, k + 1);
        cnf.add_clause({~t.at_least(k + 1)});
        expect_exactly(cnf, n, [&](std::size_t bits) { return count(bits) <= k; });
      }
}

TEST(Totalizer, TakesUnaryBlocks) {
  Cnf cnf;
  const auto xs = fresh(cnf, 5);
  Totalizer inner(Clause(xs).first(3));
  inner.extend(cnf, 3);
  Totalizer t({{inner.at_least(1), inner.at_least(2), inner.at_least(3)}, {xs[3]}, {xs[4]}});
  t.extend(cnf, 4);
  cnf.add_clause({~t.at_least(4)});
  expect_exactly(cnf, 5, [](std::size_t bits) { return count(bits) <= 3; });
  EXPECT_THROW((void)t.at_least(5), ContractViolation);
}

TEST(WeightedBound, BothKindsAreExactAndTighten) {
  Rng rng(5);
  for (const auto kind : {WeightedBound::Kind::totalizer, WeightedBound::Kind::adder})
    for (int round = 0; round < 60; ++round) {
      Cnf cnf;
      std::vector<Term> terms;
      for (const Lit x : fresh(cnf, 1 + rng.below(4))) terms.push_back({x, 1 + rng.below(9)});
      Weight total = 0;
      for (const Term& t : terms) total += t.weight;
      const Weight loose = rng.below(total + 2), tight = rng.below(loose + 1);
      WeightedBound sum(cnf, terms, loose, kind);
      EXPECT_EQ(sum.is_adder(), kind == WeightedBound::Kind::adder);
      const auto weigh = [&](std::size_t bits) {
        Weight w = 0;
        for (std::size_t i = 0; i < terms.size(); ++i) w += (bits >> i & 1U) * terms[i].weight;
        return w;
      };
      for (const Weight bound : {loose, tight}) {
        sum.at_most(cnf, bound);
        expect_exactly(cnf, terms.size(), [&](std::size_t bits) { return weigh(bits) <= bound; });
      }
    }
}

TEST(WeightedBound, FallsBackToTheAdder) {
  CountingSink sink;
  std::vector<Term> terms;
  for (std::size_t i = 0; i < 30; ++i) terms.push_back({sink.fresh_var(), Weight{1} << i});
  WeightedBound sum(sink, terms, kMaxWeight);
  EXPECT_TRUE(sum.is_adder());
  EXPECT_LT(sink.size.clauses, 1000U);
}

}  // namespace
}  // namespace beadwork
