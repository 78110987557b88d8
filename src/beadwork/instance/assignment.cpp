#include <beadwork/instance/walk.hpp>

#include <algorithm>
#include <utility>

// The values of all variables that follow from those of a diagram. The encoders define each variable of their own by
// clauses, and mostly by variables that are older than it. So instead of propagating units over clauses in memory, one
// walks along the clauses as they are made, each time with the values known so far, until a walk finds no new one: two
// or three walks for bdd1, bdd2 and bdd3, some more for trees, whose nodes are described from the root down. What never
// follows is free to be false: such variables only stand for "at least so many" (pair) or belong to nodes that the tree
// does not have.
namespace beadwork {
namespace {

class Values {
 public:
  void know(Lit l) {
    cover(l.var());
    values_[l.var()()] = l.positive() ? kTrue : kFalse;
  }
  // What follows from one clause; false if it contradicts what is known.
  bool follow(Clause clause) {
    const Lit* open = nullptr;
    for (const Lit& l : clause) {
      cover(l.var());
      const char value = values_[l.var()()];
      if (value == (l.positive() ? kTrue : kFalse)) return true;
      if (value != kOpen) continue;
      if (open != nullptr && *open != l) return true;
      open = &l;
    }
    if (open == nullptr) return false;
    know(*open);
    news_ = true;
    return true;
  }
  bool take_news() { return std::exchange(news_, false); }
  Assignment assignment(std::size_t num_vars) const {
    Assignment out(num_vars);
    for (std::size_t v = 0; v < std::min(num_vars, values_.size()); ++v) out.set(Var{v}, values_[v] == kTrue);
    return out;
  }

 private:
  static constexpr char kOpen = 0, kTrue = 1, kFalse = 2;
  void cover(Var v) {
    if (v() >= values_.size()) values_.resize(v() + 1 + values_.size() / 2, kOpen);
  }
  std::vector<char> values_;
  bool news_ = false;
};

using Start = std::function<std::optional<std::vector<Lit>>(const InstanceVariables&)>;

Result<std::optional<Assignment>> complete(const Instance& instance, const Start& start, const Control& control) {
  const std::optional<Assignment> none;
  Values values;
  InstanceWalk walk(instance, control);
  TRY(const auto variables, walk.run());
  const auto literals = start(*variables);
  if (!literals) return none;
  for (const Lit l : *literals) values.know(l);
  walk.on_hard = [&](Clause clause) { return values.follow(clause); };
  do {
    TRY(const auto agrees, walk.run());
    if (!agrees) return none;
  } while (values.take_news());
  return std::optional(values.assignment(walk.size().variables));
}

bool has_features(const Examples& examples, const TruthTable& table) {
  const auto& known = examples.features;
  return std::all_of(table.order().begin(), table.order().end(),
                     [&](Feature f) { return std::find(known.begin(), known.end(), f) != known.end(); });
}

}  // namespace

Result<std::optional<Assignment>> assignment_of(const Instance& instance, const TruthTable& table,
                                                const Control& control) {
  require(instance.encoding != Encoding::dt, "assignment_of: a table is no tree");
  require(table.all_decided(), "assignment_of: a decided table");
  if (table.depth() != instance.depth || !has_features(instance.examples, table)) return std::optional<Assignment>();
  return complete(
      instance,
      [&](const InstanceVariables& v) {
        std::vector<Lit> out = literals_of(v.bdd, instance.examples, table);
        // That a place holds no other feature would follow, but backwards along a counter, a step a walk.
        for (std::size_t i = 0; i < v.bdd.place.size(); ++i)
          for (std::size_t r = 0; r < v.bdd.place[i].size(); ++r)
            if (instance.examples.features[r] != table.order()[i]) out.emplace_back(v.bdd.place[i][r], false);
        return std::optional(std::move(out));
      },
      control);
}

Result<std::optional<Assignment>> assignment_of(const Instance& instance, const Diagram& tree, const Control& control) {
  require(instance.encoding == Encoding::dt, "assignment_of: a tree for dt");
  return complete(
      instance, [&](const InstanceVariables& v) { return literals_of(v.tree, instance.examples, tree); }, control);
}

Result<std::optional<Weight>> cost_of(const Instance& instance, const Assignment& assignment, const Control& control) {
  Weight cost = 0;
  InstanceWalk walk(instance, control);
  walk.on_hard = [&](Clause clause) { return assignment.satisfies(clause); };
  walk.on_soft = [&](Clause clause, Weight weight) {
    if (!assignment.satisfies(clause)) cost += weight;
    return true;
  };
  TRY(const auto all_hold, walk.run());
  return all_hold ? std::optional(cost) : std::nullopt;
}

}  // namespace beadwork
