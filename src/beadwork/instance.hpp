#pragma once
// instance: a table as a formula of one of the models, in a file, and what a diagram is worth to that formula.
//
//   const auto examples = faithful_examples(dataset);
//   const Instance instance{Encoding::bdd2, *examples, 3};           // for MaxSAT; {..., 3, false} for SAT
//   auto size = write_instance(instance, "vote.wcnf.gz");             // packed as its name says
//   auto values = assignment_of(instance, table);                     // of all its variables
//   auto cost = cost_of(instance, **values);                          // of the soft clauses; all hard ones hold
//
// The formula is never held in memory: each of these walks along its clauses as the encoder makes them, once to write
// or to price, some times to find the values that follow from the diagram. So formulas of many millions of literals
// take no more memory than a bit or a byte for each variable. A walk that control stops is an Error of code limit.

#include <beadwork/encoding.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace beadwork {

struct Instance {
  Encoding encoding = Encoding::bdd2;
  const Examples& examples;  // must outlive it
  std::size_t depth = 1;
  bool maxsat = true;  // false: as SAT, which bdd1 and bdd2 have; bdd1 has nothing else
};

struct InstanceSize {
  std::size_t variables = 0;
  std::size_t hard = 0, soft = 0;  // clauses
  std::size_t literals = 0;        // of both
  std::size_t clauses() const { return hard + soft; }
  friend bool operator==(const InstanceSize&, const InstanceSize&) = default;
};

// Nothing if it has more literals than that.
Result<std::optional<InstanceSize>> measure(const Instance& instance,
                                            std::size_t most_literals = std::numeric_limits<std::size_t>::max(),
                                            const Control& control = {});

// WCNF in the form of 2022, or CNF, with comments in front and the names of variables; whole or not at all.
Result<InstanceSize> write_instance(const Instance& instance, const std::string& path,
                                    const std::vector<std::string>& comments = {}, const Control& control = {});

// The assignment that a decided table over `depth` features of the examples stands for (bdd3: features in increasing
// order), or, for dt, a tree: the values that follow from it, all others false. Nothing if the formula has no room for
// it. Whether all hard clauses hold is for cost_of to say.
Result<std::optional<Assignment>> assignment_of(const Instance& instance, const TruthTable& table,
                                                const Control& control = {});
Result<std::optional<Assignment>> assignment_of(const Instance& instance, const Diagram& tree,
                                                const Control& control = {});

// The weight of the soft clauses that do not hold; nothing if a hard one does not.
Result<std::optional<Weight>> cost_of(const Instance& instance, const Assignment& assignment,
                                      const Control& control = {});

}  // namespace beadwork
