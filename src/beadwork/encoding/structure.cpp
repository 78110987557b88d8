#include <beadwork/encoding/structure.hpp>

#include <fmt/format.h>

namespace beadwork {
namespace {

// t <-> (x and y): 7 literals.
Var conjunction(const NamedSink& sink, Lit x, Lit y) {
  const Var t = sink.clauses.fresh_var();
  sink.clauses.add_clause({~Lit(t), x});
  sink.clauses.add_clause({~Lit(t), y});
  sink.clauses.add_clause({t, ~x, ~y});
  return t;
}

// Constraint (3): some cell of the first half differs from its partner in the second. Nested Tseitin: an exclusive or
// is two conjunctions and a disjunction of 7 literals each, and the disjunction of all of them 3 literals for each, its
// truth written into the long clause: 24 literals an exclusive or, 12 * 2^H in all.
void encode_bead(const std::vector<Var>& cell, const NamedSink& sink) {
  const std::size_t half = cell.size() / 2;
  std::vector<Lit> differs;
  const Var root = sink.fresh_var([] { return std::string("the root is a bead"); });
  for (std::size_t j = 0; j < half; ++j) {
    const Lit a = cell[j];
    const Lit b = cell[j + half];
    const Lit only_a = conjunction(sink, a, ~b);
    const Lit only_b = conjunction(sink, ~a, b);
    const Lit either = ~Lit(conjunction(sink, ~only_a, ~only_b));
    sink.clauses.add_clause({root, ~either});
    differs.push_back(either);
  }
  sink.clauses.add_clause(differs);
}

}  // namespace

BddVariables make_variables(const Examples& examples, std::size_t depth, const NamedSink& sink) {
  require(depth >= 1 && depth <= kMaxDepth, "encoding: depth from 1 to 20");
  BddVariables v;
  v.depth = depth;
  for (std::size_t i = 0; i < depth; ++i) {
    v.place.emplace_back();
    for (std::size_t r = 0; r < examples.num_features(); ++r)
      v.place.back().push_back(sink.fresh_var([&] {
        return fmt::format("a[{},{}] feature {} is number {} of the order", r + 1, i + 1, examples.features[r](),
                           i + 1);
      }));
  }
  for (std::size_t j = 0; j < std::size_t{1} << depth; ++j)
    v.cell.push_back(sink.fresh_var([&] { return fmt::format("c[{}] class of cell {}", j + 1, j); }));
  return v;
}

BddVariables encode_structure(const Examples& examples, std::size_t depth, const NamedSink& sink) {
  require(examples.num_classes == 2, "encoding: two classes");
  BddVariables v = make_variables(examples, depth, sink);
  for (std::size_t r = 0; r < examples.num_features(); ++r) {
    std::vector<Lit> places;
    for (std::size_t i = 0; i < depth; ++i) places.emplace_back(v.place[i][r]);
    at_most_one_sequential(sink.clauses, places);
  }
  for (std::size_t i = 0; i < depth; ++i)
    exactly_one_sequential(sink.clauses, std::vector<Lit>(v.place[i].begin(), v.place[i].end()));
  encode_bead(v.cell, sink);
  return v;
}

namespace {

// What the sequential constraints over n variables cost.
std::uint64_t at_most_one_literals(std::uint64_t n) {
  return n < 2 ? 0 : n == 2 ? 2 : 9 * n - 5;
}

std::uint64_t exactly_one_literals(std::uint64_t n) {
  return at_most_one_literals(n) + (n < 3 ? n : 1);
}

}  // namespace

std::uint64_t structure_literals(std::uint64_t features, std::size_t depth) {
  return features * at_most_one_literals(depth) + depth * exactly_one_literals(features) + (std::uint64_t{12} << depth);
}

std::vector<Var> encode_values(const Examples& examples, std::size_t q, const BddVariables& v, const NamedSink& sink) {
  std::vector<Var> value;
  for (std::size_t i = 0; i < v.depth; ++i) {
    value.push_back(sink.fresh_var([&] {
      return fmt::format("d[{},{}] value of feature number {} of the order in row {}", i + 1, q + 1, i + 1, q + 1);
    }));
    for (std::size_t r = 0; r < examples.num_features(); ++r)
      sink.clauses.add_clause({~Lit(v.place[i][r]), Lit(value[i], examples.value(r, q))});
  }
  return value;
}

}  // namespace beadwork
