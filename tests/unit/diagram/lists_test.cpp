// GenBDD's lists: the paper's Example 1, and every ternary table of three variables beside the printed algorithm, done
// with strings.
#include <beadwork/diagram.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <tuple>

namespace beadwork {
namespace {

TruthTable cells_table(std::string_view cells, std::size_t classes = 2) {
  std::vector<Feature> order;
  for (std::size_t n = cells.size(); n > 1; n /= 2) order.emplace_back(order.size());
  auto t = TruthTable::parse(cells, order, classes);
  require(static_cast<bool>(t), "a table");
  return *std::move(t);
}

using Edges = std::vector<std::tuple<std::int64_t, std::int64_t, bool>>;
Edges edges_of(const BeadLists& lists) {
  Edges out;
  for (const auto& e : lists.edges) out.emplace_back(e.parent, e.child, e.right);
  return out;
}

//        00010111
//       .'      \          ' . dashed: left
//    0001       0111
//    .'  \     .'  \ .
//    0    '01 '     1
//         .' \ .
//         0   1
TEST(BeadLists, TheExampleOfThePaper) {
  const BeadLists lists = bead_lists(cells_table("00010111"));
  const std::vector<BeadLists::Vertex> nodes{{-1, {3, 6, 1}}, {-2, {3, 0, 1}}, {1, {0, 0, 8}},
                                             {2, {1, 0, 4}},  {3, {1, 4, 4}},  {4, {2, 2, 2}}};
  EXPECT_EQ(lists.nodes, nodes);
  EXPECT_EQ(edges_of(lists), (Edges{{1, 2, false},
                                    {1, 3, true},
                                    {2, -2, false},
                                    {2, 4, true},
                                    {3, 4, false},
                                    {3, -1, true},
                                    {4, -2, false},
                                    {4, -1, true}}));
}

TEST(BeadLists, AConstantIsASinkAlone) {
  for (const char* cells : {"0", "0000", "1111", "uuuuuuuu"}) {
    const BeadLists lists = bead_lists(cells_table(cells));
    ASSERT_EQ(lists.nodes.size(), 1U) << cells;
    EXPECT_EQ(lists.nodes[0].id, cells[0] == '1' ? -1 : cells[0] == '0' ? -2 : -3);
    EXPECT_TRUE(lists.edges.empty());
  }
  EXPECT_EQ(bead_lists(cells_table("0123", 4)).nodes.front().id, -1);
  EXPECT_EQ(bead_lists(cells_table("012u", 3)).nodes[3].id, -4);  // of u
}

// The algorithm as it stands in the appendix, with strings, and line 21 with the second half. What is queued again for
// a bead that is seen again adds edges that are there already.
struct Printed {
  std::set<std::pair<std::int64_t, std::string>> nodes;
  Edges edges;
};
Printed printed(const std::string& cells) {
  const auto constant = [](const std::string& s) { return s.find_first_not_of(s[0]) == std::string::npos; };
  const auto half = [](const std::string& s, bool second) {
    return second ? s.substr(s.size() / 2) : s.substr(0, s.size() / 2);
  };
  struct Entry {
    std::string s;
    std::int64_t parent;
    bool right;
  };
  Printed out;
  std::vector<std::string> seen;
  std::deque<Entry> queue{{cells, 0, false}};
  const auto add = [&](std::int64_t parent, std::int64_t child, bool right) {
    const std::tuple edge{parent, child, right};
    if (parent >= 1 && std::find(out.edges.begin(), out.edges.end(), edge) == out.edges.end())
      out.edges.push_back(edge);
  };
  while (!queue.empty()) {
    const auto [s, parent, right] = queue.front();
    queue.pop_front();
    if (s.size() > 1 && half(s, false) != half(s, true)) {
      if (std::find(seen.begin(), seen.end(), s) == seen.end()) {
        seen.push_back(s);
        out.nodes.emplace(seen.size(), s);
      }
      const auto index = std::find(seen.begin(), seen.end(), s) - seen.begin() + 1;
      add(parent, index, right);
      queue.push_back({half(s, false), index, false});
      queue.push_back({half(s, true), index, true});
    } else if (constant(s)) {
      const std::int64_t sink = s[0] == '1' ? -1 : s[0] == '0' ? -2 : -3;
      out.nodes.emplace(sink, s.substr(0, 1));
      add(parent, sink, right);
    } else {
      queue.push_back({half(s, false), parent, right});
    }
  }
  return out;
}

std::set<std::pair<std::int64_t, std::string>> nodes_of(const BeadLists& lists, const std::string& cells) {
  std::set<std::pair<std::int64_t, std::string>> out;
  for (const auto& v : lists.nodes) out.emplace(v.id, cells.substr(v.bead.first, v.bead.length));
  return out;
}

TEST(BeadLists, AreThoseOfThePrintedAlgorithm) {
  for (unsigned f = 0; f < 6561; ++f) {
    std::string cells;
    for (unsigned c = 0, rest = f; c < 8; ++c, rest /= 3) cells += "01u"[rest % 3];
    const BeadLists lists = bead_lists(cells_table(cells));
    const Printed expected = printed(cells);
    ASSERT_EQ(nodes_of(lists, cells), expected.nodes) << cells;
    ASSERT_EQ(edges_of(lists), expected.edges) << cells;
    ASSERT_EQ(lists.nodes.size(), diagram_of(cells_table(cells)).size()) << cells;
  }
}

TEST(BeadLists, EachNodeOfADiagramStandsForItsBead) {
  for (unsigned f = 0; f < 256; ++f) {
    std::string cells;
    for (unsigned c = 0; c < 8; ++c) cells += (f >> c & 1) != 0 ? '1' : '0';
    const TruthTable t = cells_table(cells);
    const Diagram diagram = diagram_of(t);
    const std::vector<Subtable> places = beads_of_nodes(t);
    ASSERT_EQ(places.size(), diagram.size());
    std::set<std::string> different;
    for (std::size_t n = 0; n < places.size(); ++n) {
      const Subtable& s = places[n];
      different.insert(cells.substr(s.first, s.length));
      ASSERT_EQ(diagram.nodes()[n].sink, s.length == 1);
      if (s.length == 1)
        ASSERT_EQ(diagram.nodes()[n].answer, t.first_allowed(s.first));
      else
        ASSERT_EQ(diagram.nodes()[n].feature, t.order()[s.level]);
    }
    ASSERT_EQ(different.size(), diagram.size()) << cells;
  }
}

}  // namespace
}  // namespace beadwork
