#include <beadwork/encoding/structure.hpp>

// BDD2 (Hu, Huguet, Siala 2022, "An improved SAT Model") and its MaxSAT lift: constraints (1)-(3), (7) and
// (8) for a positive example q: the values d_1^q .. d_H^q of cell j -> c_j; (9) mirrored for a negative one.
//
// | paper  | here                                    |
// |--------|-----------------------------------------|
// | d_i^q  | value[i]: value of the i-th feature in q |
// and as in structure.hpp. In the lift (1), (2), (3), (7) are hard; the 2^H clauses (8) or (9) of an example are soft,
// of which an assignment falsifies one if the example is misclassified and none otherwise.

namespace beadwork {
namespace {

using Take = std::function<void(std::size_t q, Clause)>;

BddVariables encode(const Examples& examples, std::size_t depth, const NamedSink& sink, const Take& classification) {
  const BddVariables v = encode_structure(examples, depth, sink);
  std::vector<Lit> clause;
  for (std::size_t q = 0; q < examples.size(); ++q) {
    const std::vector<Var> value = encode_values(examples, q, v, sink);
    for (std::size_t j = 0; j < v.cell.size(); ++j) {
      clause.clear();
      for (std::size_t i = 0; i < depth; ++i) clause.emplace_back(value[i], !branch(depth, i, j));
      clause.emplace_back(v.cell[j], examples.labels[q] == Class{1});
      classification(q, clause);
    }
  }
  return v;
}

}  // namespace

BddVariables encode_bdd2(const Examples& examples, std::size_t depth, const NamedSink& sink) {
  return encode(examples, depth, sink, [&](std::size_t, Clause clause) { sink.clauses.add_clause(clause); });
}

Status check_soft_weights(const Examples& examples, std::size_t depth) {
  CheckedTotal total;
  for (const std::int64_t weight : examples.weights)
    if (!total.add(weight)) return option_error("the weights are too large", "encoding");
  if (checked_product(total.value(), std::int64_t{1} << std::min<std::size_t>(depth, 61))) return Done{};
  return option_error("the weights are too large for bdd2 at this depth, where each counts for every cell", "encoding");
}

BddVariables lift_bdd2(const Examples& examples, std::size_t depth, const NamedSink& hard, const SoftClauses& soft) {
  return encode(examples, depth, hard,
                [&](std::size_t q, Clause clause) { soft(clause, static_cast<Weight>(examples.weights[q])); });
}

std::uint64_t bdd2_literals(std::uint64_t rows, std::uint64_t features, std::size_t depth) {
  const std::uint64_t cells = std::uint64_t{1} << depth;
  return 2 * depth * rows * features + rows * cells * (depth + 1) + structure_literals(features, depth);
}

}  // namespace beadwork
