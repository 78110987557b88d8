#pragma once
#include <beadwork/instance.hpp>

#include <functional>

namespace beadwork {

// The variables that say which diagram, or which tree, an assignment stands for.
struct InstanceVariables {
  BddVariables bdd;
  TreeVariables tree;
};

// Along the clauses of an instance, in the order in which its encoder makes them: counts them and shows them to whoever
// asks.
class InstanceWalk {
 public:
  InstanceWalk(const Instance& instance, const Control& control) : instance_(instance), control_(control) {}

  std::function<bool(Clause)> on_hard;          // false: that was enough
  std::function<bool(Clause, Weight)> on_soft;  // may be empty, as the other
  DimacsFile* file = nullptr;                   // gets all of it, with names
  std::size_t most_literals = std::numeric_limits<std::size_t>::max();

  // Nothing where it ended early, or counted too many literals. An Error where control says stop.
  Result<std::optional<InstanceVariables>> run();
  const InstanceSize& size() const { return size_; }

  // What an encoder asks of a sink.
  Var fresh_var();
  void add_clause(Clause clause);

 private:
  struct Enough {};
  struct Stopped {};
  InstanceVariables encode();
  void add_soft(Clause clause, Weight weight);
  void poll(std::size_t work);

  const Instance& instance_;
  const Control& control_;
  InstanceSize size_;
  std::size_t unseen_ = 0;  // literals and variables since the last look at control
};

}  // namespace beadwork
