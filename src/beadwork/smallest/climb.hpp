#pragma once
#include <beadwork/smallest/judge.hpp>

#include <set>

namespace beadwork {

// Good diagrams of each size on h cuts: all sets with one cut changed are looked at, for each size, until none is
// better; then again from sets with a cut changed at random.
class SizeClimb {
 public:
  SizeClimb(const RankedData& data, const OrderedSets& sets, std::size_t h, FunctionsBySize* functions, SizeGoal& goal,
            const Control& control)
      : data_(data), sets_(sets), h_(h), functions_(functions), goal_(goal), control_(control) {}

  // From a good set and from sets of one cut less. Offers what it finds; returns the sets of h cuts found for each
  // size.
  std::vector<std::vector<Cut>> run(const std::vector<Cut>& set, const std::vector<std::vector<Cut>>& smaller);

 private:
  // Of the sizes that the goal wants.
  struct Sizes final : EverySize {
    explicit Sizes(const SizeGoal& w) : whole(w) {}
    std::int64_t limit(std::size_t size) const override { return whole.limit(size) < 0 ? -1 : EverySize::limit(size); }
    const SizeGoal& whole;
  };
  using Cuts = std::vector<Cut>;

  void climb(std::vector<Cuts> smaller);
  std::vector<Cuts> sets_of(const EverySize& sizes) const;
  static void add_smaller(const Cuts& set, std::vector<Cuts>& out);
  bool ending() const { return steps_ > kMostSteps || control_.stopping(); }

  static constexpr std::uint64_t kMostSteps = 200'000'000;  // rows passed

  const RankedData& data_;
  const OrderedSets& sets_;
  const std::size_t h_;
  FunctionsBySize* const functions_;
  SizeGoal& goal_;
  const Control& control_;
  EverySize best_;
  std::uint64_t steps_ = 0;
};

}  // namespace beadwork
