// What a change of a diagram is said to be worth is what the changed diagram is worth, counted row by row.

#include "support/datasets.hpp"
#include <beadwork/smallest/diagram_flow.hpp>
#include <beadwork/smallest/feature_climb.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace testing_support;
using Shaped = DiagramShape;

std::size_t later(const Shaped& shape, std::size_t level) {
  std::size_t i = 0;
  while (i < shape.nodes.size() && shape.nodes[i].level <= level) ++i;
  return i;
}

// Edges lead to any later level or end; some nodes may be out of reach until it is tidied.
Shaped random_diagram(Rng& rng, std::size_t num_places) {
  Shaped shape;
  const std::size_t levels = num_places / 2 + 1 + rng.below(num_places - num_places / 2);
  for (std::size_t l = 0; l < levels; ++l) {
    shape.places.push_back(l);
    for (std::uint64_t n = l == 0 ? 1 : 1 + rng.below(4); n > 0; --n) shape.nodes.push_back({l, {}});
  }
  for (std::size_t l = 0; l < levels; ++l) std::swap(shape.places[l], shape.places[l + rng.below(levels - l)]);
  for (Shaped::Node& node : shape.nodes)
    for (std::size_t& to : node.to) {
      const std::size_t first = later(shape, node.level);
      to = first < shape.nodes.size() && rng.below(4) != 0
               ? first + rng.below(std::min<std::size_t>(4, shape.nodes.size() - first))
               : Shaped::kEnd;
    }
  shape.tidy();
  return shape;
}

// The least errors, each end answering by itself.
std::int64_t errors_of(const Shaped& shape, const Condensed& data, const std::vector<std::int64_t>& costs) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::int64_t>> ends;
  for (std::size_t r = 0; r < data.num_rows; ++r) {
    std::pair<std::size_t, std::size_t> end{Shaped::kEnd, 0};
    for (std::size_t i = shape.nodes.empty() ? Shaped::kEnd : 0; i != Shaped::kEnd;) {
      const std::size_t side = bit(data.columns[shape.places[shape.nodes[i].level]], r) ? 1 : 0;
      end = {i, side};
      i = shape.nodes[i].to[side];
    }
    auto& sums = ends[end];
    sums.resize(data.num_classes);
    for (std::size_t k = 0; k < data.num_classes; ++k) sums[k] += costs[r * data.num_classes + k];
  }
  std::int64_t errors = 0;
  for (const auto& [_, sums] : ends) errors += *std::min_element(sums.begin(), sums.end());
  return errors;
}

struct Case {
  explicit Case(Rng& rng, std::size_t features, std::size_t classes)
      : dataset(dataset_of(random_rows(rng, 20 + rng.below(300), features, classes, true), features, classes)),
        data(condense(dataset)),
        costs(*row_costs(data, {})),
        flow(data, costs) {
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < classes; ++k) all.push_back(k);
    flow.let_answer(all);
  }
  // Said and counted; the purity is that of the changed diagram, too.
  void expect(const DiagramValue& said, const Shaped& changed) {
    DiagramFlow other(data, costs);
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < data.num_classes; ++k) all.push_back(k);
    other.let_answer(all);
    other.set(changed);
    EXPECT_EQ(said.errors, errors_of(changed, data, costs));
    EXPECT_NEAR(said.impurity, other.value().impurity, 1e-6 * (1 + said.impurity));
  }
  Dataset dataset;
  Condensed data;
  std::vector<std::int64_t> costs;
  DiagramFlow flow;
};

void change_edges(Case& c, const Shaped& shape) {
  for (std::size_t i = 0; i < shape.nodes.size(); ++i)
    for (std::size_t side = 0; side < 2; ++side)
      for (std::size_t j = i + 1; j <= shape.nodes.size(); ++j) {
        const std::size_t to = j == shape.nodes.size() ? Shaped::kEnd : j;
        if (to != Shaped::kEnd && shape.nodes[to].level <= shape.nodes[i].level) continue;
        c.expect(c.flow.with_edge({i, side}, to), shape.with({i, side}, to));
      }
}

void put_tests(Case& c, const Shaped& shape, const Shaped::Edge& edge) {
  c.flow.look_at(edge);
  const std::size_t level = edge.node == Shaped::kEnd ? 0 : shape.nodes[edge.node].level + 1;
  for (std::size_t place = 0; place < c.data.columns.size(); ++place)
    for (std::size_t ends = 0; ends < 2; ++ends)
      if (std::find(shape.places.begin(), shape.places.end(), place) == shape.places.end())
        c.expect(c.flow.with_test(place, ends), shape.with(Shaped::Test{edge, level, true, place, ends}));
}

TEST(DiagramFlow, KnowsWhatChangesAreWorth) {
  Rng rng(8);
  std::size_t nodes = 0;
  for (int round = 0; round < 60; ++round) {
    Case c(rng, 4 + rng.below(5), 2 + rng.below(2));
    if (c.data.columns.empty()) continue;
    const Shaped shape = random_diagram(rng, c.data.columns.size());
    nodes += shape.nodes.size();
    c.flow.set(shape);
    c.expect(c.flow.value(), shape);
    change_edges(c, shape);
    for (std::size_t l = 0; l < shape.places.size(); ++l)
      for (std::size_t place = 0; place < c.data.columns.size(); ++place) {
        Shaped changed = shape;
        changed.places[l] = place;
        c.expect(c.flow.with_feature(l, place), changed);
      }
    put_tests(c, shape, {});
    for (std::size_t i = 0; i < shape.nodes.size(); ++i)
      for (std::size_t side = 0; side < 2; ++side) put_tests(c, shape, {i, side});
    c.expect(c.flow.value(), shape);  // nothing was changed
  }
  EXPECT_GT(nodes, 60U * 3);
}

TEST(DiagramShape, TakesTestsOut) {
  Rng rng(9);
  for (int round = 0; round < 200; ++round) {
    const Shaped shape = random_diagram(rng, 6);
    for (std::size_t i = 0; i < shape.nodes.size(); ++i)
      for (std::size_t side = 0; side < 2; ++side) {
        const Shaped less = shape.without(i, side);
        EXPECT_LT(less.nodes.size(), shape.nodes.size());
        for (const Shaped::Node& n : less.nodes)
          for (const std::size_t to : n.to) EXPECT_TRUE(to == Shaped::kEnd || less.nodes[to].level > n.level);
      }
  }
}

}  // namespace
}  // namespace beadwork
