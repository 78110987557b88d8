#include <beadwork/instance/walk.hpp>

namespace beadwork {

Result<std::optional<InstanceVariables>> InstanceWalk::run() try {
  size_ = {};
  return std::optional(encode());
} catch (const Enough&) {
  return std::optional<InstanceVariables>();
} catch (const Stopped&) {
  return Error{ErrorCode::limit, control_.interrupted() ? "stopped by a signal" : "stopped while making a formula", {}};
}

InstanceVariables InstanceWalk::encode() {
  const Examples& e = instance_.examples;
  const std::size_t depth = instance_.depth;
  NamedSink names = unnamed(*this);
  if (file != nullptr) names.name = named(*file).name;
  const SoftClauses soft = [&](Clause clause, Weight weight) { add_soft(clause, weight); };
  switch (instance_.encoding) {
    case Encoding::bdd1:
      require(!instance_.maxsat, "instance: bdd1 has no MaxSAT form");
      return {encode_bdd1(e, depth, names), {}};
    case Encoding::bdd2:
      return {instance_.maxsat ? lift_bdd2(e, depth, names, soft) : encode_bdd2(e, depth, names), {}};
    case Encoding::bdd3:
      return {lift_bdd3(e, depth, names, soft), {}};
    case Encoding::pair:
      return {lift_pair(e, depth, names, soft), {}};
    case Encoding::dt:
      return {{}, lift_dt(e, depth, names, soft)};
  }
  throw ContractViolation("instance: an encoding");
}

Var InstanceWalk::fresh_var() {
  poll(1);
  if (file != nullptr) file->fresh_var();
  return Var{size_.variables++};
}

void InstanceWalk::add_clause(Clause clause) {
  poll(clause.size() + 1);
  ++size_.hard;
  if ((size_.literals += clause.size()) > most_literals) throw Enough{};
  if (file != nullptr) file->add_clause(clause);
  if (on_hard && !on_hard(clause)) throw Enough{};
}

void InstanceWalk::add_soft(Clause clause, Weight weight) {
  poll(clause.size() + 1);
  ++size_.soft;
  if ((size_.literals += clause.size()) > most_literals) throw Enough{};
  if (file != nullptr) file->add_soft(clause, weight);
  if (on_soft && !on_soft(clause, weight)) throw Enough{};
}

void InstanceWalk::poll(std::size_t work) {
  constexpr std::size_t kBetween = 1 << 14;
  unseen_ += work;
  if (unseen_ < kBetween) return;
  unseen_ = 0;
  if (control_.stopping()) throw Stopped{};
}

}  // namespace beadwork
