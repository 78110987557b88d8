#pragma once
#include <beadwork/base.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace beadwork {

// The diagrams on one set of features, by size and errors. Depth-first search over diagrams from the root down, in all
// orders, on what the 2^H cells cost: no row is looked at.
//
// A state has the features that are left and groups of cells that have come together in a node still to be made. A
// group is its cost for each class on each cell of the features left: cells that come together are added up. A step
// tests a feature in some of the groups, adds up the halves of the others, and sends each new half to a sink, into
// another group, or keeps it.
//
// Pruned by what a size may cost at most: a state with u nodes made, g groups and s sinks ends with at least u + g + s
// nodes (each group needs a test; where all features are to be used, each one left needs a test, too), and with at
// least the sum over groups and cells of the least cost (adding up never lowers it: min is superadditive). Left out as
// repetitions: to join or close what was there before the step already (it could have been done then), to send both
// halves of a test to one place, and to test y right after x > y where no group tested has changed in between (the two
// steps could be swapped).
inline constexpr std::uint64_t kStepOnCells = 1000;       // nanoseconds, about
inline constexpr std::uint64_t kCellsBetweenPolls = 256;  // steps, between two looks at the control

class CellSearch {
 public:
  // Sizes with sinks, errors at most: limit(size), which must not grow with the size; negative: no interest.
  using Limit = std::function<std::int64_t(std::size_t size)>;
  struct SizedTable {
    std::size_t size = 0;
    std::int64_t errors = 0;
    std::vector<std::size_t> order;  // places in the list of features, those not tested last
    std::vector<Class> labels;       // of each cell, in the list's own order
  };
  // Called with each diagram within the limits; they are asked again afterwards.
  using Take = std::function<void(const SizedTable&)>;

  // costs: cell * num_classes + class, not negative; cells as in a TruthTable of `features` features.
  CellSearch(std::size_t features, std::size_t num_classes, std::span<const std::int64_t> costs);

  // With `all_features`, diagrams that leave a feature out are of no interest, and need not be found. False if it was
  // stopped, or took more steps than `most_steps`.
  bool run(const Limit& limit, const Take& take, const Control& control, bool all_features = false,
           std::uint64_t most_steps = ~std::uint64_t{0});
  std::uint64_t steps() const { return steps_; }  // of the last run

 private:
  struct Group {
    std::vector<std::int64_t> costs;   // over the features left
    std::vector<std::uint64_t> cells;  // of the whole table, a bit each
    std::int64_t least = 0;            // sum over its cells of the cheapest class
    bool fresh = true;                 // new or joined in the last step
  };
  struct State {
    std::vector<std::size_t> left;
    std::vector<const Group*> groups;  // of the steps on the current way
    std::size_t nodes = 0;
    std::vector<std::size_t> sinks;  // edges into the sink of each class
    std::size_t num_sinks = 0;       // of which there is one at least
    std::int64_t errors = 0;         // of what has reached a sink, and the least of the groups
  };

  using Halves = std::vector<const Group*>;

  // A feature to come next, and the groups that test it. One for each number of features tested, used again and again:
  // most of the time would go into memory otherwise.
  struct Step {
    const State* from = nullptr;
    std::size_t at = 0;                       // among the features left
    std::vector<std::array<Group, 3>> parts;  // of each group; more may be left over
    std::vector<bool> tested;
    bool swapped = false;  // it could have come before the last one, unless something new tests it
    State next;
    Halves halves;
  };

  std::size_t tests_to_come(const State& s) const;
  bool hopeless(const State& s) const;
  void extend(const State& s);
  void choose_tested(Step& step, std::size_t undecided, std::int64_t errors);
  void take_step(Step& step, std::int64_t errors);
  void ask_limits();
  std::int64_t limit_of(std::size_t size) const { return size < limits_.size() ? limits_[size] : (*limit_)(size); }
  void place(State& s, const Halves& halves, std::size_t next, std::size_t sibling);
  void close(State& s, const Halves& halves, std::size_t next, std::size_t k);
  void join(State& s, const Halves& halves, std::size_t next, std::size_t into);
  void keep(State& s, const Halves& halves, std::size_t next);
  void finish(const State& s);
  void split(const Group& g, const std::vector<std::size_t>& left, std::size_t at, std::array<Group, 3>& out) const;
  std::int64_t least(const std::vector<std::int64_t>& costs) const;
  std::int64_t least_together(const Group& a, const Group& b) const;

  std::size_t features_;
  std::size_t classes_;
  std::vector<std::int64_t> costs_;
  const Limit* limit_ = nullptr;
  const Take* take_ = nullptr;
  const Control* control_ = nullptr;
  std::vector<std::size_t> order_;
  std::vector<std::unique_ptr<Step>> steps_at_;  // by the number of features tested
  std::vector<std::unique_ptr<Group>> joined_;   // the first are in use
  std::size_t num_joined_ = 0;
  std::vector<std::vector<std::uint64_t>> passing_;           // feature: the cells that pass it, a bit each
  std::vector<std::pair<const Group*, std::size_t>> closed_;  // halves in sinks on the current way, with their class
  std::vector<std::int64_t> limits_;                          // of small sizes, as they are now
  std::uint64_t steps_ = 0, most_steps_ = 0;
  bool all_features_ = false;
  bool stopped_ = false;
};

}  // namespace beadwork
