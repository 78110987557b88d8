#include <gtest/gtest.h>

#include <cmath>
#include <unit/report/models.hpp>

namespace beadwork {
namespace {

using namespace fixtures;

bool inner(const Model& model, std::size_t n) {
  return !model.diagram().nodes()[n].sink;
}

void expect_apart(const Model&, const Layout& layout) {
  for (std::size_t a = 0; a < layout.nodes.size(); ++a)
    for (std::size_t b = a + 1; b < layout.nodes.size(); ++b) {
      const auto& p = layout.nodes[a];
      const auto& q = layout.nodes[b];
      EXPECT_TRUE(std::abs(p.x - q.x) >= p.rx + q.rx + 10 || std::abs(p.y - q.y) >= p.ry + q.ry + 10) << a << " " << b;
    }
}

void expect_levels(const Model& model, const Layout& layout) {
  for (std::size_t n = 0; n < layout.nodes.size(); ++n) {
    ASSERT_LT(layout.nodes[n].level, layout.levels.size());
    EXPECT_DOUBLE_EQ(layout.nodes[n].y, layout.levels[layout.nodes[n].level].y);
    EXPECT_EQ(layout.nodes[n].level + 1 == layout.levels.size(), !inner(model, n));
  }
  if (!layout.ordered) return;
  for (std::size_t a = 0; a < layout.nodes.size(); ++a)
    for (std::size_t b = 0; b < layout.nodes.size(); ++b)
      if (inner(model, a) && inner(model, b)) {
        EXPECT_EQ(layout.nodes[a].level == layout.nodes[b].level,
                  model.diagram().nodes()[a].feature == model.diagram().nodes()[b].feature);
      }
}

void expect_inside(const Layout& layout) {
  for (const auto& node : layout.nodes) {
    EXPECT_GE(node.x - node.rx, layout.names_width);
    EXPECT_LE(node.x + node.rx, layout.width);
    EXPECT_GE(node.y - node.ry, 0);
    EXPECT_LE(node.y + node.ry, layout.height);
  }
  for (const auto& edge : layout.edges)
    for (const auto& p : edge.points) {
      EXPECT_GE(p.x, layout.names_width);
      EXPECT_LE(p.x, layout.width);
    }
}

Layout::Point on_curve(const Layout::Point* p, double t) {
  const double s = 1 - t;
  const auto mix = [&](double a, double b, double c, double d) {
    return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
  };
  return {mix(p[0].x, p[1].x, p[2].x, p[3].x), mix(p[0].y, p[1].y, p[2].y, p[3].y)};
}

bool within(const Model& model, const Layout& layout, std::size_t n, const Layout::Point& p) {
  const auto& node = layout.nodes[n];
  if (layout.ordered && inner(model, n)) return std::hypot(p.x - node.x, p.y - node.y) < node.rx + 2;
  return std::abs(p.x - node.x) < node.rx + 2 && std::abs(p.y - node.y) < node.ry + 2;
}

void expect_clear_edges(const Model& model, const Layout& layout) {
  ASSERT_EQ(layout.edges.size(), 2 * model.diagram().inner_nodes());
  for (const auto& edge : layout.edges) {
    ASSERT_EQ(edge.points.size() % 3, 1U);
    ASSERT_GE(edge.points.size(), 4U);
    EXPECT_TRUE(within(model, layout, edge.from(), edge.points.front()));
    EXPECT_TRUE(within(model, layout, edge.to(), edge.points.back()));
    double y = edge.points.front().y;
    for (std::size_t i = 0; i + 3 < edge.points.size(); i += 3)
      for (int s = 1; s <= 50; ++s) {
        const Layout::Point p = on_curve(&edge.points[i], s / 50.0);
        EXPECT_GE(p.y, y - 1e-9) << "edges lead downwards";
        y = p.y;
        for (std::size_t n = 0; n < layout.nodes.size(); ++n)
          if (n != edge.from() && n != edge.to()) {
            ASSERT_FALSE(within(model, layout, n, p)) << edge.from() << " -> " << edge.to() << " runs through " << n;
          }
      }
  }
}

void expect_readable(const Model& model) {
  const Layout layout = lay_out(model);
  ASSERT_EQ(layout.nodes.size(), model.diagram().size());
  expect_apart(model, layout);
  expect_levels(model, layout);
  expect_inside(layout);
  expect_clear_edges(model, layout);
}

TEST(LayOut, KeepsItsPromisesOnRandomOrderedDiagrams) {
  for (std::size_t depth = 0; depth <= 7; ++depth)
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      SCOPED_TRACE(testing::Message() << "depth " << depth << " seed " << seed);
      const std::size_t classes = 2 + seed % 3 * 5;
      const Diagram diagram = random_diagram(depth, classes, seed);
      expect_readable(make(zero_one(numbered("x", depth), numbered("class ", classes)), diagram,
                           random_counts(diagram, classes, seed)));
    }
}

TEST(LayOut, KeepsItsPromisesOnTreesAndUnorderedGraphs) {
  for (std::size_t size = 1; size <= 33; size += 4)
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(testing::Message() << "size " << size << " seed " << seed);
      const Diagram diagram = random_unordered(size, 5, 3, seed % 2 == 0, seed);
      expect_readable(
          make(zero_one(numbered("a longer name ", 5), numbered("c", 3)), diagram, random_counts(diagram, 3, seed)));
    }
}

TEST(LayOut, KeepsItsPromisesWhereLevelsAreSkipped) {  // sparse tables: many long edges
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    std::string cells;
    const std::uint64_t mask = rng.next();
    for (std::size_t c = 0; c < 64; ++c) cells += (c & mask & 63) == 0 || rng.below(9) == 0 ? '1' : '0';
    const Diagram diagram = table_diagram(cells);
    expect_readable(make(zero_one(numbered("x", 6), {"no", "yes"}), diagram, random_counts(diagram, 2, seed)));
  }
}

TEST(LayOut, FollowsTheOrderOfTheDiagram) {  // features may be numbered otherwise
  std::vector<Feature> order{Feature{2}, Feature{0}, Feature{1}};
  const Diagram diagram = diagram_of(*TruthTable::parse("00010111", order));
  const Layout layout =
      lay_out(make(zero_one({"a", "b", "c"}, {"no", "yes"}, "t"), diagram, random_counts(diagram, 2, 1)));
  ASSERT_EQ(layout.levels.size(), 4U);
  EXPECT_EQ(layout.levels[0].text, "c");
  EXPECT_EQ(layout.levels[1].text, "a");
  EXPECT_EQ(layout.levels[2].text, "b");
  EXPECT_EQ(layout.levels[3].text, "t");
}

TEST(LayOut, GivesATreeOfManyFeaturesALevelATest) {  // in an order, by chance: x1, x2, ..., x7
  std::vector<DiagramNode> nodes;
  for (std::size_t n = 0; n < 7; ++n) nodes.push_back(DiagramNode::test(Feature{n}, Node{2 * n + 1}, Node{2 * n + 2}));
  for (std::size_t n = 0; n < 8; ++n) nodes.push_back(DiagramNode::leaf(Class{n % 2}));
  const Diagram tree = *Diagram::make(std::move(nodes));
  ASSERT_TRUE(tree.ordered());
  const Model model = make(zero_one(numbered("x", 7), {"no", "yes"}), tree, random_counts(tree, 2, 3));
  const Layout layout = lay_out(model);
  EXPECT_FALSE(layout.ordered);
  EXPECT_EQ(layout.levels.size(), 4U);
  EXPECT_EQ(layout.nodes[4].label, "x5");
  expect_readable(model);
}

TEST(LayOut, DrawsASymmetricFunctionSymmetrically) {
  const Diagram diagram = table_diagram("00010111");
  const Layout layout =
      lay_out(make(zero_one(numbered("x", 3), {"0", "1"}), diagram, PathCounts(diagram.num_paths(), 2)));
  EXPECT_NEAR(layout.nodes[0].x, layout.nodes[3].x, 0.5);
  EXPECT_NEAR(layout.nodes[1].x + layout.nodes[2].x, 2 * layout.nodes[0].x, 0.5);
  EXPECT_NEAR(layout.nodes[4].x + layout.nodes[5].x, 2 * layout.nodes[0].x, 0.5);
}

TEST(LayOut, IsTheSameEveryTime) {
  const Diagram diagram = random_diagram(6, 2, 7);
  const Model model = make(zero_one(numbered("x", 6), {"0", "1"}), diagram, random_counts(diagram, 2, 7));
  EXPECT_EQ(to_svg(model), to_svg(model));
}

TEST(LayOut, EndsOnLargeDiagrams) {
  const Diagram wide = random_diagram(13, 2, 1);
  EXPECT_EQ(lay_out(make(zero_one(numbered("x", 13), {"0", "1"}), wide, random_counts(wide, 2, 1))).nodes.size(),
            wide.size());
  std::vector<DiagramNode> chain;  // every test leads on or to the end: a bend of each for every later level
  const std::size_t length = 2'000;
  for (std::size_t i = 0; i < length; ++i) chain.push_back(DiagramNode::test(Feature{0}, Node{length}, Node{i + 1}));
  chain.push_back(DiagramNode::leaf(Class{0}));
  const Diagram deep = *Diagram::make(chain);
  EXPECT_EQ(lay_out(make(zero_one({"x"}, {"0"}), deep, PathCounts(deep.num_paths(), 1))).nodes.size(), deep.size());
}

// As many bends as a picture may have, on edges over hundreds of levels: each is looked at where it changed.
TEST(LayOut, DrawsLongEdgesOfAChain) {
  constexpr std::size_t kLength = 250;
  std::vector<DiagramNode> chain;
  for (std::size_t i = 0; i < kLength; ++i)
    chain.push_back(DiagramNode::test(Feature{i}, Node{kLength + i % 2}, Node{i + 1 < kLength ? i + 1 : kLength}));
  chain.push_back(DiagramNode::leaf(Class{0}));
  chain.push_back(DiagramNode::leaf(Class{1}));
  const Diagram deep = *Diagram::make(chain);
  const Layout layout =
      lay_out(make(zero_one(numbered("x", kLength), {"0", "1"}), deep, PathCounts(deep.num_paths(), 2)));
  EXPECT_EQ(layout.nodes.size(), deep.size());
  EXPECT_EQ(layout.edges.size(), 2 * kLength);
  EXPECT_TRUE(layout.ordered);
}

}  // namespace
}  // namespace beadwork
