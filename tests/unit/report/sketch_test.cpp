// Drawings of diagrams without rows.
#include <beadwork/report.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace beadwork {
namespace {

// The majority of three, as the paper's Example 1 draws it: text_test.cpp has the picture.
Sketch majority_sketch(bool labelled) {
  const auto table = TruthTable::parse("00010111", {Feature{0}, Feature{1}, Feature{2}});
  Sketch out{"Beads of 00010111", diagram_of(*table), {"x1", "x2", "x3"}, {}};
  out.labels.resize(out.diagram.size());
  if (labelled) out.labels = {{"00010111"}, {"0001"}, {"0111"}, {"01"}, {}, {}};
  return out;
}

TEST(Sketch, AsText) {
  EXPECT_EQ(text_diagram(majority_sketch(true)),
            "x1 [00010111]\n"
            "  0: x2 [0001]\n"
            "    0: 0\n"
            "    1: #3 x3 [01]\n"
            "      0: 0\n"
            "      1: 1\n"
            "  1: x2 [0111]\n"
            "    0: #3 x3 [01] (above)\n"
            "    1: 1\n");
  EXPECT_EQ(text_diagram(Sketch{"", Diagram(), {}, {{}}}), "0\n");
}

TEST(Sketch, BoxesAreWideEnoughAndApart) {
  const Layout layout = lay_out(majority_sketch(true));
  ASSERT_EQ(layout.nodes.size(), 6U);
  EXPECT_GT(layout.nodes[0].rx, layout.nodes[3].rx);
  EXPECT_EQ(layout.nodes[0].label, "00010111");
  EXPECT_EQ(layout.edges.size(), 8U);
  ASSERT_EQ(layout.levels.size(), 4U);
  EXPECT_EQ(layout.levels[1].text, "x2");
  EXPECT_EQ(layout.levels[3].text, "");
  for (std::size_t a = 0; a < layout.nodes.size(); ++a)
    for (std::size_t b = a + 1; b < layout.nodes.size(); ++b) {
      const auto& p = layout.nodes[a];
      const auto& q = layout.nodes[b];
      EXPECT_TRUE(std::abs(p.x - q.x) >= p.rx + q.rx || std::abs(p.y - q.y) >= p.ry + q.ry) << a << " " << b;
    }
}

TEST(Sketch, NamesAreText) {
  Sketch sketch = majority_sketch(false);
  sketch.features[0] = "a<b\"&";
  sketch.title = "<script>";
  const std::string svg = to_svg(sketch);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("a&lt;b&quot;&amp;"), std::string::npos);
  EXPECT_NE(to_dot(sketch).find("label=\"a<b\\\"&amp;\""), std::string::npos);
}

TEST(Sketch, DotHasEveryEdge) {
  const std::string dot = to_dot(majority_sketch(true));
  for (const char* line : {"n0 -> n1 [style=dashed]", "n0 -> n2 [style=solid]", "n1 -> n3 [style=solid]",
                           "n2 -> n3 [style=dashed]", "label=\"0111\"", "{ rank=same; level1; n1; n2; }"})
    EXPECT_NE(dot.find(line), std::string::npos) << line;
}

}  // namespace
}  // namespace beadwork
