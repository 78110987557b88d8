#pragma once
#include <beadwork/maxsat.hpp>

#include <vector>

namespace beadwork {

// The soft clauses as literals to assume: cost = base + the weights of the false ones.
struct SoftObjective {
  Weight base = 0;
  std::vector<Term> softs;
};

// Groups of soft clauses (by index) that get one relaxation literal each; all of a group have the same
// weight, and any two of them clash.
struct SoftGroup {
  std::vector<std::size_t> clauses;
  Weight weight = 1;
};

struct NormalSofts {
  Weight base = 0;     // of empty clauses
  ClauseList clauses;  // sorted, without repeated literals, tautologies and doubles
  std::vector<Weight> weights;
};
NormalSofts normalise(const Wcnf& wcnf);
std::vector<SoftGroup> group_clashing(const NormalSofts& softs);

// Writes the hard clauses and the relaxed soft ones.
SoftObjective relax(const Wcnf& wcnf, ClauseSinkRef sink, bool group);

}  // namespace beadwork
