#include <beadwork/encoding/structure.hpp>

#include <fmt/format.h>

// BDD3, ours: BDD2 without what costs a solver time.
// - Features are chosen in increasing order: place i+1 holds r only if place i holds one before r. That breaks the H!
//   symmetries, makes constraint (1) redundant, and reads off the prefix variables s of the lean counter of constraint
//   (2).
// - No bead constraint: a constant is a legitimate answer.
// - Rows are merged, and one relaxation variable w_q a row is shared by its 2^H clauses: one soft clause a row.
// - Several classes: a variable c_jk for each class of a cell, at most one of them true.
//
// | symbol | here                                                         |
// |--------|--------------------------------------------------------------|
// | s_r^i  | upto[r]: place i holds one of the features 0..r              |
// | w_q    | wrong: example q is misclassified                            |

namespace beadwork {
namespace {

// Exactly one feature a place, by prefix variables with full equivalences; returns them.
std::vector<Lit> encode_place(const std::vector<Var>& place, const NamedSink& sink) {
  std::vector<Lit> upto;
  for (std::size_t r = 0; r < place.size(); ++r) {
    const Lit here = place[r];
    const Lit s = sink.clauses.fresh_var();
    sink.clauses.add_clause({~here, s});
    if (r == 0) {
      sink.clauses.add_clause({~s, here});
    } else {
      sink.clauses.add_clause({~upto.back(), s});
      sink.clauses.add_clause({~s, upto.back(), here});
      sink.clauses.add_clause({~here, ~upto.back()});
    }
    upto.push_back(s);
  }
  sink.clauses.add_clause(upto.empty() ? std::vector<Lit>{} : std::vector<Lit>{upto.back()});
  return upto;
}

void encode_increasing(const BddVariables& v, const NamedSink& sink) {
  std::vector<Lit> before;
  for (std::size_t i = 0; i < v.depth; ++i) {
    const std::vector<Lit> upto = encode_place(v.place[i], sink);
    if (i > 0)
      for (std::size_t r = 0; r < v.place[i].size(); ++r) {
        if (r == 0)
          sink.clauses.add_clause({~Lit(v.place[i][0])});
        else
          sink.clauses.add_clause({~Lit(v.place[i][r]), before[r - 1]});
      }
    before = upto;
  }
}

void encode_cell_classes(BddVariables& v, std::size_t num_classes, const NamedSink& sink) {
  v.cell_class.resize(v.cell.size());
  for (std::size_t j = 0; j < v.cell.size(); ++j) {
    std::vector<Lit> lits;
    for (std::size_t k = 0; k < num_classes; ++k) {
      v.cell_class[j].push_back(k == 0 ? v.cell[j] : sink.fresh_var([&] {
        return fmt::format("c[{},{}] cell {} has class {}", j + 1, k, j, k);
      }));
      lits.emplace_back(v.cell_class[j].back());
    }
    at_most_one_pairwise(sink.clauses, lits);
  }
}

}  // namespace

BddVariables lift_bdd3(const Examples& examples, std::size_t depth, const NamedSink& hard, const SoftClauses& soft) {
  BddVariables v = make_variables(examples, depth, hard);
  encode_increasing(v, hard);
  if (examples.num_classes > 2) encode_cell_classes(v, examples.num_classes, hard);
  std::vector<Lit> clause;
  for (std::size_t q = 0; q < examples.size(); ++q) {
    const std::vector<Var> value = encode_values(examples, q, v, hard);
    v.wrong.push_back(hard.fresh_var([&] { return fmt::format("w[{}] row {} is misclassified", q + 1, q + 1); }));
    const Lit wrong = v.wrong.back();
    for (std::size_t j = 0; j < v.cell.size(); ++j) {
      clause.assign(1, wrong);
      for (std::size_t i = 0; i < depth; ++i) clause.emplace_back(value[i], !branch(depth, i, j));
      const std::size_t k = examples.labels[q]();
      clause.push_back(examples.num_classes > 2 ? Lit(v.cell_class[j][k]) : Lit(v.cell[j], k == 1));
      hard.clauses.add_clause(clause);
    }
    soft(std::vector<Lit>{~wrong}, static_cast<Weight>(examples.weights[q]));
  }
  return v;
}

}  // namespace beadwork
