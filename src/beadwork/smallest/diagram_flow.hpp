#pragma once
#include <beadwork/dataset.hpp>
#include <beadwork/smallest/diagram_shape.hpp>

#include <span>

namespace beadwork {

// Errors first; of equals the purer: it is closer to the next saving. Impurity is Gini's, of costs.
struct DiagramValue {
  std::int64_t errors = 0;
  double impurity = 0;
  DiagramValue& operator+=(const DiagramValue& v) { return errors += v.errors, impurity += v.impurity, *this; }
  DiagramValue& operator-=(const DiagramValue& v) { return errors -= v.errors, impurity -= v.impurity, *this; }
  bool purer_than(const DiagramValue& v) const { return impurity < v.impurity - 1e-9 * (1 + v.impurity); }
  bool better_than(const DiagramValue& v) const { return errors < v.errors || (errors == v.errors && purer_than(v)); }
};

// The rows on their way through a diagram, and what a change of it would be worth. Only rows that go another way are
// followed: those that leave a node, and those that come to it. Costs are kept as planes of bits, so that ends are
// counted by words.
class DiagramFlow {
 public:
  using Edge = DiagramShape::Edge;

  // costs: row * classes + answer, of the distinct rows; not negative.
  DiagramFlow(const Condensed& data, std::span<const std::int64_t> costs);

  void let_answer(std::vector<std::size_t> classes) { answers_ = std::move(classes); }
  void set(const DiagramShape& shape);
  const DiagramValue& value() const { return value_; }
  Class answer(const Edge& edge);  // of the rows that end there
  // Words that were passed, and what comes with that.
  std::uint64_t steps() const { return steps_; }

  // Of the diagram with another edge, or with another feature on a level.
  DiagramValue with_edge(const Edge& edge, std::size_t to);
  DiagramValue with_feature(std::size_t level, std::size_t place);
  // Of the diagram with a test in the edge that was looked at last.
  void look_at(const Edge& edge);
  DiagramValue with_test(std::size_t place, std::size_t ends);

 private:
  static constexpr std::size_t kEnd = DiagramShape::kEnd;
  static constexpr std::size_t kCall = 24;  // words that take as long as what comes with a pass over them
  using Words = std::vector<std::uint64_t>;
  using Sums = std::vector<std::int64_t>;  // what each answer costs

  const std::uint64_t* column(std::size_t place) const { return data_.columns[place].data(); }
  std::uint64_t* at(Words& words, std::size_t node) { return words.data() + node * words_; }
  void rows_of(const Edge& edge, std::uint64_t* out);
  DiagramValue pass_on(std::size_t node, const std::uint64_t* now);
  DiagramValue settle(std::size_t from);
  void mark(std::size_t node);
  void sum(const std::uint64_t* rows, Sums& out);
  static DiagramValue worth(const Sums& sums);
  DiagramValue end(const std::uint64_t* rows);

  const Condensed& data_;
  const std::size_t words_;
  std::vector<std::vector<Words>> planes_;  // answer, bit of the cost: rows
  std::vector<std::size_t> answers_;
  DiagramShape shape_;
  DiagramValue value_;
  Words all_, reach_;               // every row; those that come to each node
  std::vector<DiagramValue> ends_;  // node * 2 + side; 0 where it goes on
  Words leave_, come_;              // of marked nodes: rows that no longer come, and that come instead
  std::vector<bool> marked_;
  Words now_, half_, edge_;
  Sums sums_, edge_sums_, other_sums_;
  std::size_t edge_to_ = kEnd;
  DiagramValue edge_worth_;
  std::uint64_t steps_ = 0;
};

}  // namespace beadwork
