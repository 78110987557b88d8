#pragma once
// encoding: the models of the paper as formulas, and two of our own.
//
//   auto examples = faithful_examples(dataset);                 // the data as the paper sees it
//   Cnf cnf;
//   auto bdd2 = encode_bdd2(*examples, 3, named(cnf));          // P_bdd(E, 3): all rows classified correctly
//   auto found = solve(cnf);                                    // layer sat
//   TruthTable t = decode(bdd2, *examples, found->model);
//
// One file per model. Each starts with its reference and a table of the paper's symbols:
//
//   bdd1   constraints (1)-(6): a clause of H*K/2 literals for each row and cell
//   bdd2   constraints (1)-(3), (7)-(9): the rows' values at each level get variables of their own
//   bdd3   ours: bdd2 with increasing features, rows merged, one relaxation a row, any number of classes
//   dt     decision trees instead of diagrams; the paper compares with them
//   pair   ours: selectors, and for two rows of different class: one of them is wrong, or a selected feature tells them
//   apart
//
// bdd1 and bdd2 are the paper's constraints. How a counter and an exclusive or become clauses is inferred from the
// sizes in its tables, which ours equal (docs/encodings.md). The MaxSAT lift of bdd2 keeps structure hard and makes
// each of the 2^H classification clauses of a row soft; lift_bdd2 takes them apart. Encoders write into anything that
// takes clauses (layer formula).

#include <beadwork/dataset.hpp>
#include <beadwork/diagram.hpp>
#include <beadwork/formula.hpp>
#include <beadwork/truth.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// Rows as an encoder sees them: bits by feature, a class, a weight. Feature r is `features[r]` of the dataset.
struct Examples {
  std::vector<Feature> features;
  std::vector<BitColumn> columns;  // one a feature, over the examples
  std::vector<Class> labels;
  std::vector<std::int64_t> weights;
  std::size_t num_classes = 2;
  std::int64_t base_errors = 0;  // errors that merging took out of the rows

  std::size_t num_features() const { return columns.size(); }
  std::size_t size() const { return labels.size(); }
  bool value(std::size_t feature, std::size_t example) const { return bit(columns[feature], example); }
};
// Every row by itself, and only features that are 0 in every row dropped (the paper does that before it splits the
// data: a split keeps them). An Error for other than two classes.
Result<Examples> faithful_examples(const Dataset& dataset, bool keep_all_zero = false);
// The same; an Error of code limit where control says stop or leaves no room.
Result<Examples> faithful_examples(const Dataset& dataset, bool keep_all_zero, const Control& control);
// Features distinct up to complement, rows merged: a row of several classes loses the least weight from each of its
// classes but keeps one example for each class left; with two classes that is one example of weight |P - N|.
Examples merged_examples(const Dataset& dataset);
// Nothing if the control stops it, or if its memory limit leaves no room.
std::optional<Examples> merged_examples(const Dataset& dataset, const Control& control);

enum class Encoding { bdd1, bdd2, bdd3, pair, dt };
std::string_view to_string(Encoding e);
std::optional<Encoding> parse_encoding(std::string_view text);

// Where clauses go, and a way to tell what a variable means.
struct NamedSink {
  ClauseSinkRef clauses;
  std::function<void(Var, const std::string&)> name;  // may be empty

  Var fresh_var(const std::function<std::string()>& meaning) const {
    const Var v = clauses.fresh_var();
    if (name) name(v, meaning());
    return v;
  }
};
NamedSink named(Cnf& cnf);
NamedSink named(Wcnf& wcnf);
NamedSink named(DimacsFile& file);
NamedSink unnamed(ClauseSinkRef sink);

// The variables that say which diagram it is. `cell[j]` is true for class 1 (two classes); with more, see bdd3.
struct BddVariables {
  std::size_t depth = 0;
  std::vector<std::vector<Var>> place;       // [i][r]: feature r is the i-th of the order
  std::vector<Var> cell;                     // [j]
  std::vector<std::vector<Var>> cell_class;  // [j][k], more than two classes
  std::vector<Var> select;                   // [r], pair only
  std::vector<Var> wrong;                    // [q]: example q is misclassified; bdd3 and pair
};

// Contract for all: depth >= 1; bdd1 and bdd2: two classes. With fewer features than depth the formula is
// contradictory.
BddVariables encode_bdd1(const Examples& examples, std::size_t depth, const NamedSink& sink);
BddVariables encode_bdd2(const Examples& examples, std::size_t depth, const NamedSink& sink);

// Structure into `hard`; each classification clause to `soft` with its weight.
using SoftClauses = std::function<void(Clause, Weight)>;
// An Error where the weights of bdd2's soft clauses, 2^depth for each example, add up to 2^62 or more.
Status check_soft_weights(const Examples& examples, std::size_t depth);
BddVariables lift_bdd2(const Examples& examples, std::size_t depth, const NamedSink& hard, const SoftClauses& soft);
BddVariables lift_bdd3(const Examples& examples, std::size_t depth, const NamedSink& hard, const SoftClauses& soft);
BddVariables lift_pair(const Examples& examples, std::size_t depth, const NamedSink& hard, const SoftClauses& soft);
// The same without its pairs, for those who add them as they are needed.
BddVariables lift_pair_selectors(const Examples& examples, std::size_t depth, const NamedSink& hard,
                                 const SoftClauses& soft);
std::vector<Lit> pair_clause(const BddVariables& variables, const Examples& examples, std::size_t x, std::size_t y);
Wcnf maxsat_model(Encoding e, const Examples& examples, std::size_t depth);

// The diagram that an assignment stands for: features in order, and for bdd1, bdd2 and bdd3 the cells as decided.
// For pair, cells are left to the caller (unknown): the best classes follow from the features.
TruthTable decode(const BddVariables& variables, const Examples& examples, const Assignment& assignment);

// Literals that make the formula of bdd3 or pair stand for a decided table over features of the examples, in increasing
// order: a starting point for a solver, which finds the values of the other variables by propagation.
std::vector<Lit> literals_of(const BddVariables& variables, const Examples& examples, const TruthTable& table);

// Decision trees of a depth, at most: MaxSAT-DT. Nodes count from 1, children after their parents; entry 0 is unused.
struct TreeVariables {
  std::size_t depth = 0;
  std::size_t nodes = 0;                                        // at most this many
  std::vector<Var> used;                                        // [j]: there is a node j
  std::vector<Var> leaf;                                        // [j]
  std::vector<std::vector<std::pair<std::size_t, Var>>> child;  // [i]: (j, its children are j and j + 1)
  std::vector<std::vector<Var>> test;                           // [j][r]: node j tests feature r
  std::vector<std::vector<Var>> answer;                         // [j][0]: class 1; [j][k] for more classes
  std::vector<Var> wrong;                                       // [q]
};
// The most nodes that a tree of this depth can need: leaves without examples are of no use.
std::size_t tree_nodes(const Examples& examples, std::size_t depth);
TreeVariables lift_dt(const Examples& examples, std::size_t depth, const NamedSink& hard, const SoftClauses& soft);
Diagram decode(const TreeVariables& variables, const Examples& examples, const Assignment& assignment);
// Literals that make the formula stand for a tree that tests no feature twice on a path; nothing if it does not fit in.
std::optional<std::vector<Lit>> literals_of(const TreeVariables& variables, const Examples& examples,
                                            const Diagram& tree);

// The literals that encode_bdd1 and encode_bdd2 write, by their closed forms: for any number of rows and features.
std::uint64_t bdd1_literals(std::uint64_t rows, std::uint64_t features, std::size_t depth);
std::uint64_t bdd2_literals(std::uint64_t rows, std::uint64_t features, std::size_t depth);

}  // namespace beadwork
