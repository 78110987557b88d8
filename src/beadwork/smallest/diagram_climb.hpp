#pragma once
#include <beadwork/smallest/stages.hpp>

#include <array>
#include <compare>

namespace beadwork {

// Good diagrams of a number of tests: a local search over whole diagrams, from one that is grown test by test. The
// feature of a level is changed, an edge is led elsewhere, a test is put into an edge, as long as that saves errors;
// then some tests are taken out, and again. Nothing is proven.
class DiagramClimb {
 public:
  // costs: row * classes + answer, of the distinct rows. `allowed`: places of features in `data`.
  DiagramClimb(const Condensed& data, std::vector<std::int64_t> costs, std::vector<std::size_t> allowed,
               std::uint64_t seed)
      : data_(data), costs_(std::move(costs)), allowed_(std::move(allowed)), rng_(seed) {}

  // With at most so many tests, features and different answers, from the best of the run before if that is no larger.
  // Stops after that many steps, which are words and rows
  // passed: the same whatever the time, unless the control stops it.
  Best run(std::size_t tests, std::size_t features, std::size_t answers, std::uint64_t steps, const Control& control);

 private:
  static constexpr std::size_t kLeaf = SIZE_MAX;  // the best answer for the rows that come along an edge

  // Nodes by level; edges lead to later levels.
  struct Node {
    std::size_t level = 0;
    std::size_t to[2] = {kLeaf, kLeaf};
  };
  struct Shape {
    std::vector<std::size_t> places;  // of each level's feature
    std::vector<Node> nodes;
  };
  // Errors first; of equals the purer: it is closer to the next saving.
  struct Value {
    std::int64_t errors = 0;
    double impurity = 0;
    friend auto operator<=>(const Value&, const Value&) = default;
    void operator+=(const Value& more) { errors += more.errors, impurity += more.impurity; }
  };
  struct Scanned {
    std::size_t place = 0;
    Value value;
  };
  using Rows = std::vector<BitColumn>;  // that reach each node

  void improve(Shape& shape, Value& value);
  bool change_features(Shape& shape, Value& value);
  bool redirect(Shape& shape, Value& value);
  bool insert(Shape& shape, Value& value);
  Shape with_test(const Shape& shape, std::size_t node, std::size_t side, std::size_t level, bool new_level,
                  bool low) const;
  void take_out(Shape& shape);
  static void tidy(Shape& shape);

  Value value_of(const Shape& shape);
  // The best feature for a level, the others as they are.
  Scanned scan(const Shape& shape, std::size_t level);
  Value pass(const Shape& shape, Rows& rows, std::size_t from, std::size_t to);
  Value end(const BitColumn& rows);
  Class answer(const BitColumn& rows) const;
  TruthTable table_of(const Shape& shape);
  bool over() const { return steps_ >= most_steps_ || control_->stopping(); }

  const Condensed& data_;
  const std::vector<std::int64_t> costs_;
  const std::vector<std::size_t> allowed_;
  Rng rng_;
  std::size_t tests_ = 0, features_ = 0;
  std::vector<std::size_t> answers_;  // classes
  Shape best_;                        // of the last run
  const Control* control_ = nullptr;
  std::uint64_t steps_ = 0, most_steps_ = 0;
  std::vector<bool> forbidden_;  // for a while
  BitColumn halves_;
  std::vector<std::int64_t> sums_;
};

}  // namespace beadwork
