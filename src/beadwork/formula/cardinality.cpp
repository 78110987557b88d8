#include <beadwork/formula.hpp>

namespace beadwork {

void at_most_one_pairwise(ClauseSinkRef sink, Clause xs) {
  for (std::size_t j = 1; j < xs.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) sink.add_clause({~xs[i], ~xs[j]});
}

void exactly_one_pairwise(ClauseSinkRef sink, Clause xs) {
  sink.add_clause(xs);
  at_most_one_pairwise(sink, xs);
}

std::vector<Lit> at_most_one_sequential(ClauseSinkRef sink, Clause xs) {
  if (xs.size() < 3) {
    at_most_one_pairwise(sink, xs);
    return {};
  }
  std::vector<Lit> s;
  for (std::size_t i = 0; i < xs.size(); ++i) s.push_back(sink.fresh_var());
  sink.add_clause({~s[0], xs[0]});
  sink.add_clause({s[0], ~xs[0]});
  for (std::size_t i = 1; i < xs.size(); ++i) {
    sink.add_clause({~s[i], s[i - 1], xs[i]});
    sink.add_clause({s[i], ~s[i - 1]});
    sink.add_clause({s[i], ~xs[i]});
    sink.add_clause({~xs[i], ~s[i - 1]});
  }
  return s;
}

std::vector<Lit> exactly_one_sequential(ClauseSinkRef sink, Clause xs) {
  std::vector<Lit> s = at_most_one_sequential(sink, xs);
  if (s.empty())
    sink.add_clause(xs);
  else
    sink.add_clause({s.back()});
  return s;
}

namespace {

// s[j] after step i: more than j of x_1..x_i are true. Row by row, keeping only the previous row.
void count_step(ClauseSinkRef sink, std::vector<Lit>& s, Lit x, std::size_t k) {
  if (s.size() == k) sink.add_clause({~x, ~s[k - 1]});
  std::vector<Lit> next;
  for (std::size_t j = 0; j < k && j <= s.size(); ++j) {
    next.push_back(sink.fresh_var());
    if (j < s.size()) sink.add_clause({~s[j], next[j]});
    if (j == 0)
      sink.add_clause({~x, next[0]});
    else
      sink.add_clause({~x, ~s[j - 1], next[j]});
  }
  s = std::move(next);
}

}  // namespace

void at_most_sequential(ClauseSinkRef sink, Clause xs, std::size_t k) {
  if (k >= xs.size()) return;
  if (k == 0) {
    for (const Lit x : xs) sink.add_clause({~x});
    return;
  }
  std::vector<Lit> s;
  for (std::size_t i = 0; i + 1 < xs.size(); ++i) count_step(sink, s, xs[i], k);
  if (s.size() == k) sink.add_clause({~xs.back(), ~s[k - 1]});
}

}  // namespace beadwork
