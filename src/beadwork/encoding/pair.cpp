#include <beadwork/encoding.hpp>

#include <fmt/format.h>

// The pair model, ours: selectors s_r with at most H of them, and for every two examples x, y of different class
//
//     w_x  or  w_y  or  s_r for some r on which they differ.
//
// Exact: within a cell of the selected features all pairs of different class must have a wrong partner, and the
// cheapest cover of a complete multipartite graph keeps its heaviest class. No order, no truth table; the size does not
// depend on 2^H, but has a clause a pair.

namespace beadwork {

BddVariables lift_pair_selectors(const Examples& examples, std::size_t depth, const NamedSink& hard,
                                 const SoftClauses& soft) {
  BddVariables v;
  v.depth = depth;
  for (std::size_t r = 0; r < examples.num_features(); ++r)
    v.select.push_back(
        hard.fresh_var([&] { return fmt::format("s[{}] feature {} is selected", r + 1, examples.features[r]()); }));
  at_most_sequential(hard.clauses, std::vector<Lit>(v.select.begin(), v.select.end()), depth);
  for (std::size_t q = 0; q < examples.size(); ++q) {
    v.wrong.push_back(hard.fresh_var([&] { return fmt::format("w[{}] row {} is misclassified", q + 1, q + 1); }));
    soft(std::vector<Lit>{~Lit(v.wrong.back())}, static_cast<Weight>(examples.weights[q]));
  }
  return v;
}

std::vector<Lit> pair_clause(const BddVariables& v, const Examples& examples, std::size_t x, std::size_t y) {
  std::vector<Lit> clause{v.wrong[x], v.wrong[y]};
  for (std::size_t r = 0; r < examples.num_features(); ++r)
    if (examples.value(r, x) != examples.value(r, y)) clause.emplace_back(v.select[r]);
  return clause;
}

BddVariables lift_pair(const Examples& examples, std::size_t depth, const NamedSink& hard, const SoftClauses& soft) {
  BddVariables v = lift_pair_selectors(examples, depth, hard, soft);
  for (std::size_t x = 0; x < examples.size(); ++x)
    for (std::size_t y = x + 1; y < examples.size(); ++y)
      if (examples.labels[x] != examples.labels[y]) hard.clauses.add_clause(pair_clause(v, examples, x, y));
  return v;
}

}  // namespace beadwork
