// Every small function: its diagram answers as its table does, is ordered and reduced, and has as many nodes
// as Knuth's beads, counted here on strings by code of its own.

#include <beadwork/diagram.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace beadwork {
namespace {

std::string half(const std::string& s, bool second) {
  return s.substr(second ? s.size() / 2 : 0, s.size() / 2);
}

// Distinct subtables with different halves, and distinct single cells.
std::size_t count_beads(const std::string& table) {
  std::set<std::string> beads;
  for (std::size_t length = table.size(); length >= 1; length /= 2)
    for (std::size_t first = 0; first < table.size(); first += length) {
      const std::string s = table.substr(first, length);
      if (length == 1 || half(s, false) != half(s, true)) beads.insert(s);
    }
  return beads.size();
}

// What the diagram answers on the cell, read off node by node.
char answer_at(const Diagram& d, const std::vector<Feature>& order, std::size_t cell) {
  std::size_t n = 0;
  while (!d.nodes()[n].sink) {
    const auto at = std::find(order.begin(), order.end(), d.nodes()[n].feature);
    const auto level = static_cast<std::size_t>(at - order.begin());
    const bool one = cell >> (order.size() - 1 - level) & 1;
    n = (one ? d.nodes()[n].high : d.nodes()[n].low)();
  }
  const auto answer = d.nodes()[n].answer;
  return answer ? static_cast<char>('0' + (*answer)()) : 'u';
}

// Each edge leads to a later feature of the order, so the diagram is ordered by definition.
bool follows(const Diagram& d, const std::vector<Feature>& order) {
  const auto level = [&](std::size_t n) {
    return d.nodes()[n].sink ? order.end() : std::find(order.begin(), order.end(), d.nodes()[n].feature);
  };
  for (std::size_t n = 0; n < d.size(); ++n)
    if (!d.nodes()[n].sink && (level(d.nodes()[n].low()) <= level(n) || level(d.nodes()[n].high()) <= level(n)))
      return false;
  return true;
}

void check(const std::string& cells, const std::vector<Feature>& order, std::size_t num_classes) {
  SCOPED_TRACE(cells);
  const auto table = TruthTable::parse(cells, order, num_classes);
  ASSERT_TRUE(table);
  const Diagram d = diagram_of(*table);
  for (std::size_t c = 0; c < cells.size(); ++c) ASSERT_EQ(answer_at(d, order, c), cells[c]);
  ASSERT_TRUE(follows(d, order));
  ASSERT_TRUE(d.ordered());
  ASSERT_TRUE(d.reduced());
  ASSERT_EQ(d.size(), count_beads(cells));
  ASSERT_EQ(beads(*table).size(), count_beads(cells));
  ASSERT_EQ(truth_of(d, order, num_classes), *table);
  ASSERT_TRUE(Diagram::make(d.nodes()));  // it is what it claims to be
  bool sinks = false;
  for (const DiagramNode& n : d.nodes()) {
    ASSERT_TRUE(n.sink || !sinks) << "sinks come last";
    sinks = n.sink;
  }
}

TEST(Exhaustive, ThreeVariablesInAllOrders) {
  std::array<std::size_t, 3> permutation{0, 1, 2};
  do {
    std::vector<Feature> order;
    for (const std::size_t v : permutation) order.emplace_back(v + 10);
    for (unsigned function = 0; function < 256; ++function) {
      std::string cells;
      for (unsigned cell = 0; cell < 8; ++cell) {
        unsigned assignment = 0;  // bit v: the value of variable v
        for (unsigned level = 0; level < 3; ++level) assignment |= (cell >> (2 - level) & 1U) << permutation[level];
        cells += (function >> assignment & 1U) != 0 ? '1' : '0';
      }
      check(cells, order, 2);
      if (HasFatalFailure()) return;
    }
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

void check_all_ternary(char third, std::size_t num_classes) {
  const std::vector<Feature> order{Feature{4}, Feature{0}, Feature{7}};
  for (unsigned code = 0; code < 6561; ++code) {
    std::string cells;
    for (unsigned rest = code, i = 0; i < 8; ++i, rest /= 3) cells += std::array{'0', '1', third}[rest % 3];
    check(cells, order, num_classes);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Exhaustive, TernaryTablesWithUnknownCells) {
  check_all_ternary('u', 2);
}

TEST(Exhaustive, TernaryTablesWithThreeClasses) {
  check_all_ternary('2', 3);
}

TEST(Exhaustive, FourVariables) {
  const std::vector<Feature> order{Feature{3}, Feature{2}, Feature{1}, Feature{0}};
  for (unsigned function = 0; function < 65536; function += 1 + function % 3) {
    std::string cells;
    for (unsigned cell = 0; cell < 16; ++cell) cells += (function >> cell & 1U) != 0 ? '1' : '0';
    check(cells, order, 2);
    if (HasFatalFailure()) return;
  }
}

// All diagrams over the order (x, y) with sinks 0 and 1 and up to three tests, whether reduced or not: the
// least number of nodes that any of them needs for each function of two variables.
class AllDiagrams {
 public:
  std::map<std::string, std::size_t> least_sizes() {
    for (const char sink : {'0', '1'}) least_[std::string(4, sink)] = 1;
    for (std::size_t tests = 1; tests <= 3; ++tests) {
      nodes_.assign(tests, {});
      choose(tests, tests);
    }
    return least_;
  }

 private:
  struct Test {
    std::size_t level, low, high;  // children: later tests, then sink 0 and sink 1
  };
  // Tests from the last to the first, so that children are chosen before parents.
  void choose(std::size_t left, std::size_t tests) {
    if (left == 0) return record(tests);
    const std::size_t n = left - 1;
    for (std::size_t level = 0; level < 2; ++level)
      for (std::size_t low = n + 1; low < tests + 2; ++low)
        for (std::size_t high = n + 1; high < tests + 2; ++high) {
          const auto allowed = [&](std::size_t child) { return child >= tests || nodes_[child].level > level; };
          if (!allowed(low) || !allowed(high)) continue;
          nodes_[n] = {level, low, high};
          choose(n, tests);
        }
  }
  void record(std::size_t tests) {
    std::string cells;
    std::set<std::size_t> reached;
    for (std::size_t cell = 0; cell < 4; ++cell) {
      std::size_t n = 0;
      for (reached.insert(n); n < tests; reached.insert(n))
        n = (cell >> (1 - nodes_[n].level) & 1) != 0 ? nodes_[n].high : nodes_[n].low;
      cells += n == tests ? '0' : '1';
    }
    const auto [it, fresh] = least_.try_emplace(cells, reached.size());
    it->second = std::min(it->second, reached.size());
  }
  std::vector<Test> nodes_;
  std::map<std::string, std::size_t> least_;
};

TEST(Exhaustive, NoSmallerDiagramExistsForTwoVariables) {
  const auto least = AllDiagrams().least_sizes();
  ASSERT_EQ(least.size(), 16U);
  for (const auto& [cells, size] : least)
    EXPECT_EQ(diagram_of(*TruthTable::parse(cells, {Feature{0}, Feature{1}})).size(), size) << cells;
}

}  // namespace
}  // namespace beadwork
