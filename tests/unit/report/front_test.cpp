// The front as a table and as a plot.

#include <beadwork/report.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

const std::vector<PlotPoint> kPoints = {
    {0, 1, 40, 40, true}, {1, 3, 12.5, 12.5, true}, {2, 4, 9, 7, false}, {2, 6, 0, 0, true}};

TEST(Front, TableHasALineAPoint) {
  EXPECT_EQ(front_table(kPoints, "errors"),
            "features  nodes       errors\n"
            "       0      1           40\n"
            "       1      3         12.5\n"
            "       2      4            9  not proven, at least 7\n"
            "       2      6            0\n");
}

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(Front, PlotHasACircleAPointAndALineANumberOfFeatures) {
  const std::string svg = front_svg(kPoints, "errors");
  EXPECT_EQ(occurrences(svg, "<circle"), 4U);
  EXPECT_EQ(occurrences(svg, "fill=\"none\""), 3U);
  EXPECT_EQ(occurrences(svg, "at least 7"), 1U);
  EXPECT_EQ(occurrences(svg, "r=\"4\" fill=\"#ffffff\""), 1U);  // not proven: hollow
  EXPECT_EQ(occurrences(svg, "nan"), 0U);
  EXPECT_EQ(occurrences(front_svg(kPoints, "a<b"), "a<b"), 0U);  // names are text
}

TEST(Front, PlotOfOnePointWithoutErrors) {
  const std::string svg = front_svg({{0, 1, 0, 0, true}}, "errors");
  EXPECT_EQ(occurrences(svg, "<circle"), 1U);
  EXPECT_EQ(occurrences(svg, "nan"), 0U);
  EXPECT_EQ(occurrences(svg, "inf"), 0U);
}

}  // namespace
}  // namespace beadwork
