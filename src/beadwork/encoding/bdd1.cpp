#include <beadwork/encoding/structure.hpp>

// BDD1 (Hu, Huguet, Siala 2022, "SAT Model for P_bdd(E, H)"): constraints (1)-(3) and, for each example q and cell j,
// (5) for a positive one: not c_j -> some chosen feature's value in q is not that of cell j; (6) mirrored for a
// negative one. Symbols as in structure.hpp.

namespace beadwork {

BddVariables encode_bdd1(const Examples& examples, std::size_t depth, const NamedSink& sink) {
  const BddVariables v = encode_structure(examples, depth, sink);
  std::vector<Lit> clause;
  for (std::size_t q = 0; q < examples.size(); ++q) {
    for (std::size_t j = 0; j < v.cell.size(); ++j) {
      clause.assign(1, Lit(v.cell[j], examples.labels[q] == Class{1}));
      for (std::size_t i = 0; i < depth; ++i)
        for (std::size_t r = 0; r < examples.num_features(); ++r)
          if (branch(depth, i, j) != examples.value(r, q)) clause.emplace_back(v.place[i][r]);
      sink.clauses.add_clause(clause);
    }
  }
  return v;
}

std::uint64_t bdd1_literals(std::uint64_t rows, std::uint64_t features, std::size_t depth) {
  const std::uint64_t cells = std::uint64_t{1} << depth;
  return rows * (cells + depth * features * cells / 2) + structure_literals(features, depth);
}

}  // namespace beadwork
