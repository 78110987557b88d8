#include <beadwork/diagram.hpp>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace beadwork {
namespace {

constexpr Feature a{0}, b{1}, c{2};

DiagramNode test(Feature f, std::size_t low, std::size_t high) {
  return DiagramNode::test(f, Node{low}, Node{high});
}
DiagramNode leaf(std::size_t k) {
  return DiagramNode::leaf(Class{k});
}
Diagram make(std::vector<DiagramNode> nodes) {
  auto d = Diagram::make(std::move(nodes));
  EXPECT_TRUE(d) << d.error().to_string();
  return *std::move(d);
}
std::string refusal(std::vector<DiagramNode> nodes) {
  const auto d = Diagram::make(std::move(nodes));
  return d ? "" : d.error().message;
}

//      a
//     : \        dashed (:) low, solid (\) high
//    :   b
//    :  : \     .
//    0     1
Diagram conjunction() {
  return make({test(a, 2, 1), test(b, 2, 3), leaf(0), leaf(1)});
}

//          a
//        :   \     .
//      b       b
//     : \     : \  .
//    0   \   :   1
//          c
//         : \      .
//        0   1
Diagram majority() {
  return make({test(a, 1, 2), test(b, 4, 3), test(b, 3, 5), test(c, 4, 5), leaf(0), leaf(1)});
}

//          a
//        :   \     .
//      b       c       a decision tree, each sink written out
//     : \     : \      .
//    0   1   1   b
//               : \    .
//              0   1
Diagram tree() {
  return make(
      {test(a, 1, 2), test(b, 3, 4), test(c, 5, 6), leaf(0), leaf(1), leaf(1), test(b, 7, 8), leaf(0), leaf(1)});
}

TEST(Diagram, RefusesWhatIsNone) {
  EXPECT_NE(refusal({}), "");
  EXPECT_NE(refusal({test(a, 0, 1), leaf(0)}), "");                 // its own child
  EXPECT_NE(refusal({test(a, 1, 2), test(b, 0, 2), leaf(0)}), "");  // a cycle
  EXPECT_NE(refusal({test(a, 1, 2), leaf(0)}), "");                 // no node 2
  EXPECT_NE(refusal({test(a, 1, 4294967295U), leaf(0)}), "");       // far out
  EXPECT_NE(refusal({test(a, 1, 1), leaf(0), leaf(1)}), "");        // node 2 unreachable
  EXPECT_NE(refusal({leaf(0), leaf(1)}), "");                       // a sink has no children
  EXPECT_NE(refusal({test(a, 1, 2), leaf(0), test(b, 3, 3), leaf(1), leaf(1)}), "");
}

//    a  both edges to the next, `length` times: 2^length paths
std::vector<DiagramNode> ladder(std::size_t length) {
  std::vector<DiagramNode> nodes;
  for (std::size_t i = 0; i < length; ++i) nodes.push_back(test(Feature{i}, i + 1, i + 1));
  nodes.push_back(leaf(0));
  return nodes;
}

TEST(Diagram, RefusesMorePathsThanItCounts) {
  EXPECT_EQ(make(ladder(20)).num_paths(), Diagram::kMaxPaths);
  EXPECT_NE(refusal(ladder(21)), "");
  EXPECT_NE(refusal(ladder(64)), "");
  EXPECT_NE(refusal(ladder(200)), "");  // 2^200 does not fit anything
}

TEST(Diagram, SizesAreThePapers) {
  EXPECT_EQ(Diagram().size(), 1U);
  EXPECT_EQ(conjunction().size(), 4U);
  EXPECT_EQ(conjunction().inner_nodes(), 2U);
  EXPECT_EQ(diagram_of(*TruthTable::parse("0001", {a, b})).size(), 4U);
  EXPECT_EQ(diagram_of(*TruthTable::parse("1111", {a, b})).size(), 1U);
  EXPECT_EQ(diagram_of(*TruthTable::parse("1111", {a, b})).depth(), 0U);
  EXPECT_EQ(diagram_of(*TruthTable::parse("uuuu", {a, b})).size(), 1U);
  EXPECT_EQ(tree().depth(), 3U);
  EXPECT_EQ(tree().inner_nodes(), 4U);
}

TEST(Diagram, OfMajorityIsThePapersFigure) {
  const Diagram d = diagram_of(*TruthTable::parse("00010111", {a, b, c}));
  EXPECT_EQ(d, majority());
  EXPECT_EQ(d.used_features(), (std::vector<Feature>{a, b, c}));
  EXPECT_EQ(d.depth(), 3U);
  EXPECT_EQ(d.num_paths(), 6U);
}

TEST(Diagram, OfTablesWithAnEdgeAcrossALevel) {
  //      a
  //     : \       .
  //    :   b
  //    :  : \     .
  //    : 0   :
  //     `--c-'
  //       : \     .
  //      0   1
  EXPECT_EQ(diagram_of(*TruthTable::parse("01010001", {a, b, c})),
            make({test(a, 2, 1), test(b, 3, 2), test(c, 3, 4), leaf(0), leaf(1)}));
}

TEST(Diagram, OfTablesWithUnknownAndPartialCells) {
  const Diagram d = diagram_of(*TruthTable::parse("0u", {a}));
  EXPECT_EQ(d, make({test(a, 1, 2), leaf(0), DiagramNode::leaf(std::nullopt)}));
  EXPECT_EQ(d.classify([](Feature) { return true; }), Class{0});
  TruthTable partial({a}, 3);
  partial.restrict_to(0, std::vector{Class{0}, Class{1}});
  EXPECT_THROW(diagram_of(partial), ContractViolation);
}

TEST(Diagram, OrderedMeansOneOrderForAllPaths) {
  EXPECT_TRUE(Diagram().ordered());
  EXPECT_TRUE(conjunction().ordered());
  EXPECT_TRUE(majority().ordered());
  EXPECT_TRUE(tree().ordered());  // a, c, b
  //      a
  //     : \      b before c on one side, c before b on the other
  //    b   c
  //    :\  :\    .
  //    c 1 b 1
  const Diagram crossed =
      make({test(a, 1, 2), test(b, 3, 6), test(c, 4, 6), test(c, 5, 6), test(b, 5, 6), leaf(0), leaf(1)});
  EXPECT_FALSE(crossed.ordered());
  const Diagram twice = make({test(a, 1, 2), test(a, 2, 3), leaf(0), leaf(1)});
  EXPECT_FALSE(twice.ordered());
  //   a : b, b : c, c : a pairwise on three branches: no pair contradicts itself, all three do
  const Diagram d = make({test(Feature{9}, 1, 2), test(a, 3, 9), test(Feature{8}, 4, 5), test(b, 8, 9), test(b, 6, 9),
                          test(c, 7, 9), test(c, 8, 9), test(a, 8, 9), leaf(0), leaf(1)});
  EXPECT_FALSE(d.ordered());
}

TEST(Diagram, ReducedMeansNothingToMerge) {
  EXPECT_TRUE(Diagram().reduced());
  EXPECT_TRUE(majority().reduced());
  EXPECT_FALSE(tree().reduced());                          // sinks twice
  EXPECT_FALSE(make({test(a, 1, 1), leaf(0)}).reduced());  // a useless test
  EXPECT_FALSE(make({test(a, 1, 2), test(b, 3, 4), test(b, 3, 4), leaf(0), leaf(1)}).reduced());
  EXPECT_TRUE(make({test(a, 1, 2), test(b, 3, 4), test(b, 4, 3), leaf(0), leaf(1)}).reduced());
}

TEST(Diagram, TruthOfNeedsEveryFeature) {
  EXPECT_EQ(truth_of(majority(), {a, b, c}, 2).to_string(), "00010111");
  EXPECT_EQ(truth_of(conjunction(), {b, c, a}, 2).to_string(), "00000101");
  EXPECT_THROW(truth_of(conjunction(), {a, c}, 2), ContractViolation);
}

// Rows as bit patterns: feature i is bit i.
auto passes(unsigned row) {
  return [row](Feature f) { return (row >> f() & 1U) != 0; };
}

TEST(Paths, AreNumberedLowSideFirst) {
  for (const Diagram& d : {Diagram(), conjunction(), majority(), tree()}) {
    std::vector<std::string> words;
    for (std::uint64_t p = 0; p < d.num_paths(); ++p) {
      const Diagram::Path path = d.path(p);
      std::string word;
      Node at{0};
      for (const Diagram::Step& step : path.steps) {
        EXPECT_EQ(step.node, at);
        word += step.passed ? '1' : '0';
        at = step.passed ? d[at].high : d[at].low;
      }
      EXPECT_EQ(path.sink, at);
      EXPECT_TRUE(d[at].sink);
      words.push_back(word);
    }
    EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
    for (unsigned row = 0; row < 8; ++row) {
      const Diagram::Path path = d.path(d.path_of(passes(row)));
      EXPECT_EQ(path.sink, d.sink_of(passes(row)));
      for (const Diagram::Step& step : path.steps) EXPECT_EQ(step.passed, passes(row)(d[step.node].feature));
    }
    EXPECT_THROW((void)d.path(d.num_paths()), ContractViolation);
  }
}

struct Example {
  unsigned row;
  std::size_t label;
  std::int64_t weight;
};

PathCounts count_paths(const Diagram& d, const std::vector<Example>& examples) {
  PathCounts counts(d.num_paths(), 3);
  for (const Example& e : examples) counts.add(d.path_of(passes(e.row)), Class{e.label}, e.weight);
  return counts;
}

TEST(Counts, OfNodesAreThoseOfTheRowsThatPassThem) {
  Rng rng(3);
  for (const Diagram& d : {Diagram(), conjunction(), majority(), tree()}) {
    std::vector<Example> examples;
    for (int i = 0; i < 40; ++i)
      examples.push_back({static_cast<unsigned>(rng.below(8)), rng.below(3), static_cast<std::int64_t>(rng.below(4))});
    std::vector<std::vector<std::int64_t>> at(d.size(), std::vector<std::int64_t>(3));
    std::vector<std::int64_t> low(d.size());
    std::vector<std::int64_t> high(d.size());
    for (const Example& e : examples) {
      std::size_t n = 0;
      for (; !d.nodes()[n].sink;) {
        at[n][e.label] += e.weight;
        const bool passed = (e.row >> d.nodes()[n].feature() & 1U) != 0;
        (passed ? high : low)[n] += e.weight;
        n = (passed ? d.nodes()[n].high : d.nodes()[n].low)();
      }
      at[n][e.label] += e.weight;
    }
    const NodeCounts counts = node_counts(d, count_paths(d, examples));
    EXPECT_EQ(counts.at, at);
    EXPECT_EQ(counts.low, low);
    EXPECT_EQ(counts.high, high);
    EXPECT_EQ(counts.total(Node{0}), at[0][0] + at[0][1] + at[0][2]);
    const PathCounts by_path = count_paths(d, examples);
    const BranchCounts branches(d, by_path);
    const std::vector<Node> sinks = path_sinks(d);
    ASSERT_EQ(sinks.size(), d.num_paths());
    for (std::uint64_t p = 0; p < d.num_paths(); ++p) {
      EXPECT_EQ(branches.of(p), branch_counts(d, by_path, p));
      EXPECT_EQ(sinks[p], d.path(p).sink);
    }
  }
  EXPECT_THROW(node_counts(majority(), PathCounts(5, 2)), ContractViolation);
}

TEST(Counts, OfABranchAreTheNearestThatHasRows) {
  const Diagram d = majority();
  // Rows with a = 0, b = 0 (class 1, twice) and a = 1, b = 1 (class 0): nobody reaches c.
  const PathCounts counts = count_paths(d, {{0b000, 1, 2}, {0b011, 0, 5}});
  using Counts = std::vector<std::int64_t>;
  EXPECT_EQ(branch_counts(d, counts, d.path_of(passes(0b000))), (Counts{0, 2, 0}));
  EXPECT_EQ(branch_counts(d, counts, d.path_of(passes(0b110))), (Counts{0, 2, 0}));  // a = 0, b = 1: as a = 0
  EXPECT_EQ(branch_counts(d, counts, d.path_of(passes(0b101))), (Counts{5, 0, 0}));  // a = 1, b = 0: as a = 1
  const PathCounts one_side = count_paths(d, {{0b000, 1, 2}});
  EXPECT_EQ(branch_counts(d, one_side, d.path_of(passes(0b111))), (Counts{0, 2, 0}));  // a = 1: as all
  EXPECT_EQ(branch_counts(d, PathCounts(6, 3), 4), (Counts{0, 0, 0}));
  EXPECT_THROW((void)branch_counts(d, counts, 6), ContractViolation);
}

}  // namespace
}  // namespace beadwork
