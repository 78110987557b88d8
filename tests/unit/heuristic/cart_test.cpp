// CART against its definition, written down again on rows as strings.

#include "support/datasets.hpp"
#include <beadwork/heuristic.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace beadwork {
namespace {

using namespace testing_support;

double impurity(const std::vector<BitRow>& rows, Impurity kind) {
  std::map<std::size_t, double> weights;
  double total = 0;
  for (const BitRow& r : rows) {
    weights[r.label] += static_cast<double>(r.weight);
    total += static_cast<double>(r.weight);
  }
  double sum = 0;
  for (const auto& [label, w] : weights) {
    if (w == 0) continue;
    sum += kind == Impurity::gini ? w * (1 - w / total) : -w * std::log2(w / total);
  }
  return sum;
}

std::vector<BitRow> side(const std::vector<BitRow>& rows, std::size_t f, char value) {
  std::vector<BitRow> out;
  for (const BitRow& r : rows)
    if (r.bits[f] == value) out.push_back(r);
  return out;
}

double weight_of(const std::vector<BitRow>& rows) {
  double total = 0;
  for (const BitRow& r : rows) total += static_cast<double>(r.weight);
  return total;
}

struct Checker {
  const CartOptions& options;
  const Diagram& tree;
  std::size_t features;

  bool may_split(const std::vector<BitRow>& rows, std::size_t f) const {
    const auto low = side(rows, f, '0');
    const auto high = side(rows, f, '1');
    return low.size() >= options.min_leaf && high.size() >= options.min_leaf && weight_of(low) > 0 &&
           weight_of(high) > 0;
  }
  double after(const std::vector<BitRow>& rows, std::size_t f) const {
    return impurity(side(rows, f, '0'), options.impurity) + impurity(side(rows, f, '1'), options.impurity);
  }

  // The node is what CART makes of these rows.
  void check(Node n, const std::vector<BitRow>& rows, std::size_t depth) const {
    const bool pure = impurity(rows, options.impurity) == 0;
    double best = INFINITY;
    for (std::size_t f = 0; f < features; ++f)
      if (may_split(rows, f)) best = std::min(best, after(rows, f));
    const bool splits = depth < options.depth && !pure && rows.size() >= options.min_split && best < INFINITY;
    ASSERT_EQ(!tree[n].sink, splits);
    if (!splits) {
      std::map<std::size_t, std::int64_t> weights;
      for (const BitRow& r : rows) weights[r.label] += r.weight;
      for (const auto& [label, w] : weights) ASSERT_LE(w, weights[(*tree[n].answer)()]);
      return;
    }
    const std::size_t f = tree[n].feature();
    ASSERT_TRUE(may_split(rows, f));
    ASSERT_LE(after(rows, f), best + 1e-12 * weight_of(rows));
    check(tree[n].low, side(rows, f, '0'), depth + 1);
    check(tree[n].high, side(rows, f, '1'), depth + 1);
  }
};

TEST(Cart, IsWhatItsDefinitionSays) {
  Rng rng(7);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t features = rng.below(7);
    const std::size_t classes = 1 + rng.below(12);
    const auto rows = random_rows(rng, 1 + rng.below(80), features, classes, round % 2 == 0);
    Dataset d = dataset_of(rows, features, classes);
    bool units = true;
    for (const BitRow& r : rows) units = units && r.weight == 1;
    if (units) {  // no weights at all: counted by bits
      Dataset::Parts parts;
      for (std::size_t f = 0; f < features; ++f) parts.columns.push_back(d.column(Feature{f}));
      parts.feature_names = d.feature_names();
      parts.class_names = d.class_names();
      for (const BitRow& r : rows) parts.labels.emplace_back(r.label);
      d = Dataset(std::move(parts));
    }
    const CartOptions options{rng.below(5), rng.below(2) == 0 ? Impurity::gini : Impurity::entropy, 2 + rng.below(4),
                              1 + rng.below(3), rng.below(3)};
    const CartTree tree = cart(d, options);
    SCOPED_TRACE(describe(rows));
    Checker{options, tree.diagram, features}.check(Node{0}, rows, 0);
    if (HasFatalFailure()) return;
    ASSERT_TRUE(tree.complete);
  }
}

// x1 xor x2: no split gains anything at the root, and yet two levels tell all.
TEST(Cart, SplitsWhereNothingIsGained) {
  const Dataset d = dataset_of({{"00", 0}, {"01", 1}, {"10", 1}, {"11", 0}}, 2);
  const CartTree tree = cart(d, {.depth = 2});
  EXPECT_EQ(tree.diagram.size(), 7U);
  EXPECT_EQ(tree.diagram.inner_nodes(), 3U);
  EXPECT_EQ(tree.tied_nodes, 1U);
  for (std::size_t r = 0; r < 4; ++r)
    EXPECT_EQ(tree.diagram.classify([&](Feature f) { return d.value(f, Row{r}); }), d.label(Row{r}));
}

TEST(Cart, SeedsBreakTies) {
  const Dataset d = dataset_of({{"000", 0}, {"111", 1}, {"000", 0}, {"111", 1}}, 3);
  EXPECT_EQ(cart(d, {.depth = 1}).diagram[Node{0}].feature, Feature{0});
  std::map<std::size_t, int> chosen;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const CartTree tree = cart(d, {.depth = 1, .seed = seed});
    EXPECT_EQ(tree.diagram, cart(d, {.depth = 1, .seed = seed}).diagram);
    ++chosen[tree.diagram[Node{0}].feature()];
  }
  EXPECT_EQ(chosen.size(), 3U);
}

// A leaf of one row a class says what its parent says, not the first class.
TEST(Cart, TiedLeavesFollowTheirBranch) {
  const Dataset d = dataset_of({{"0", 0}, {"0", 1}, {"1", 1}}, 1);
  EXPECT_EQ(cart(d, {.depth = 1}).diagram.nodes()[1], DiagramNode::leaf(Class{1}));
}

TEST(Cart, StoppedIsATreeAllTheSame) {
  Rng rng(3);
  const Dataset d = dataset_of(random_rows(rng, 200, 8, 2, false), 8);
  Control control;
  control.progress = [](const Progress&) { return false; };
  const CartTree tree = cart(d, {.depth = 6}, control);
  EXPECT_FALSE(tree.complete);
  EXPECT_EQ(tree.diagram.inner_nodes(), 1U);
}

}  // namespace
}  // namespace beadwork
