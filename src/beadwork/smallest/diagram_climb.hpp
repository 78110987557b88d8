#pragma once
#include <beadwork/smallest/diagram_flow.hpp>
#include <beadwork/smallest/stages.hpp>

namespace beadwork {

// Good diagrams of a number of tests: a local search over whole diagrams, from one that is grown test by test. The
// feature of a level is changed, an edge is led elsewhere, a test is put into an edge, as long as that saves errors;
// then some tests are taken out, and again. Nothing is proven.
class DiagramClimb {
 public:
  // costs: row * classes + answer, of the distinct rows. `allowed`: places of features in `data`.
  DiagramClimb(const Condensed& data, const std::vector<std::int64_t>& costs, std::vector<std::size_t> allowed,
               std::uint64_t seed);

  // With at most so many tests, features and different answers, from the best of the run before: if that is larger,
  // the tests that cost least are taken out. Stops after that many steps, which are words passed: the same whatever the
  // time, unless the control stops it.
  Best run(std::size_t tests, std::size_t features, std::size_t answers, std::uint64_t steps, const Control& control);

 private:
  static constexpr std::size_t kEnd = DiagramShape::kEnd;
  using Shape = DiagramShape;
  using Value = DiagramValue;

  void climb(Shape now);
  Shape next_start(const Shape& now, bool patient);
  Shape without_some(Shape shape, std::size_t most);
  void improve(Shape& shape);
  bool change_features(Shape& shape);
  bool redirect(Shape& shape);
  bool insert(Shape& shape);
  void try_insert(const Shape& shape, const Shape::Edge& edge, Shape::Test& best, Value& least);
  void try_test(Shape::Test test, Shape::Test& best, Value& least);
  void shrink(Shape& shape);

  bool tested(const Shape& shape, std::size_t place) const;
  TruthTable table_of(const Shape& shape);
  bool over();

  const Condensed& data_;
  std::vector<std::size_t> by_loss_;  // classes, the best constant first
  const std::vector<std::size_t> allowed_;
  Rng rng_;
  DiagramFlow flow_;
  std::size_t tests_ = 0, features_ = 0;
  Shape best_;  // of the last run
  Value least_;
  const Control* control_ = nullptr;
  std::uint64_t most_steps_ = 0, counted_ = 0;
  std::vector<bool> forbidden_;  // for a while
  bool by_purity_ = false;       // how a place for a test is chosen
};

}  // namespace beadwork
