#pragma once
#include <beadwork/formula/pseudo_boolean.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// Linear constraints over 0/1 variables, and what to minimise under them. Variables are called as in the file, and are
// numbered as they come.
struct PseudoBoolean : Variables {
  // The sum of the weights of the true literals is at least `least`. Weights are from 1 to `least`, variables distinct.
  struct AtLeast {
    std::vector<Term> terms;
    Weight least = 1;
  };
  std::vector<AtLeast> constraints = {};
  bool minimises = false;            // else any model will do
  std::vector<Term> objective = {};  // weights from 1, variables distinct; they add up to kMaxWeight at most, with base
  std::int64_t base = 0;             // to be added to their sum
};

// OPB of the pseudo-Boolean competitions: "* comment", "min: +2 x1 -3 x2;", "+1 x1 +2 ~x2 >= 2;", relations >=, <= and
// =. Refused with file:line:column: products of variables, soft constraints, numbers of 2^63 and more.
Result<PseudoBoolean> parse_opb(std::string_view text, const std::string& name);

// Its constraints as clauses; the problem's variables are the first of the formula.
Cnf to_cnf(const PseudoBoolean& problem);
// With the objective as soft clauses: a model costs what the objective says, less `base`.
Wcnf to_wcnf(const PseudoBoolean& problem);

enum class FormulaKind { cnf, headerless_cnf, wcnf, opb };
// What a text is, by what it says and, where that leaves a choice, by the end of the file's name (packed or not): a
// list of clauses without header, "h" lines and negative numbers where a weight would stand is a WCNF unless it is
// called .cnf.
FormulaKind kind_of(std::string_view text, std::string_view path);

}  // namespace beadwork
