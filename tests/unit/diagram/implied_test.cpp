// Questions whose answer is known, against every row that there can be.
#include <beadwork/diagram.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

// Tests on a few columns of a few regions each; a row is a region of each column.
struct World {
  TestRegions regions;
  std::vector<std::size_t> sizes;
  std::vector<Feature> features;

  bool passes(Feature f, const std::vector<std::size_t>& row) const {
    const auto& passes = regions.of.at(f);
    return passes.region[row[passes.column]];
  }
  std::vector<std::vector<std::size_t>> rows() const {
    std::vector<std::vector<std::size_t>> out{{}};
    for (const std::size_t size : sizes) {
      std::vector<std::vector<std::size_t>> longer;
      for (const auto& row : out)
        for (std::size_t i = 0; i < size; ++i) {
          longer.push_back(row);
          longer.back().push_back(i);
        }
      out = std::move(longer);
    }
    return out;
  }
};

// Numeric columns (at most, missing last) and nominal ones (one level, another, missing).
World random_world(Rng& rng) {
  World w;
  const std::size_t columns = 1 + rng.below(3);
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t tests = 1 + rng.below(3), size = tests + 2;
    const bool numeric = rng.below(2) == 0;
    w.sizes.push_back(size);
    for (std::size_t t = 0; t <= tests; ++t) {
      std::vector<bool> region(size);
      if (t == tests && rng.below(2) == 0) continue;
      if (t == tests)
        region[size - 1] = true;
      else
        for (std::size_t i = numeric ? 0 : t; i <= t; ++i) region[i] = true;
      const Feature f{w.features.size() * 3 + 1};
      w.features.push_back(f);
      w.regions.of[f] = {c, region};
    }
  }
  for (std::size_t i = w.features.size(); i > 1; --i) std::swap(w.features[i - 1], w.features[rng.below(i)]);
  return w;
}

Diagram random_diagram(const World& w, Rng& rng) {
  std::string cells;
  for (std::size_t i = 0; i < std::size_t{1} << w.features.size(); ++i) cells += rng.below(3) == 0 ? '1' : '0';
  return diagram_of(*TruthTable::parse(cells, w.features));
}

// A tree of tests at random, the same test twice on a path now and then.
Diagram random_tree(const World& w, Rng& rng) {
  std::vector<DiagramNode> nodes{DiagramNode::leaf(Class{0})};
  for (std::size_t split = rng.below(8); split > 0; --split) {
    const std::size_t n = rng.below(nodes.size());
    if (!nodes[n].sink) continue;
    nodes[n] = DiagramNode::test(w.features[rng.below(w.features.size())], Node{nodes.size()}, Node{nodes.size() + 1});
    for (int i = 0; i < 2; ++i) nodes.push_back(DiagramNode::leaf(Class{rng.below(3)}));
  }
  return tree_of(nodes);
}

// Does every edge that some row takes to a test see it passed by some row and failed by another?
bool asks_nothing_known(const Diagram& d, const World& w) {
  std::map<std::pair<std::size_t, bool>, std::array<bool, 2>> seen;  // edge: next test failed, passed
  for (const auto& row : w.rows())
    for (Node n{0}; !d[n].sink;) {
      const bool passed = w.passes(d[n].feature, row);
      const Node to = passed ? d[n].high : d[n].low;
      if (!d[to].sink) seen[{n(), passed}][w.passes(d[to].feature, row) ? 1 : 0] = true;
      n = to;
    }
  return std::all_of(seen.begin(), seen.end(), [](const auto& s) { return s.second[0] && s.second[1]; });
}

TEST(WithoutImpliedTests, TenThousandModels) {
  Rng rng(1);
  std::size_t smaller = 0;
  for (int i = 0; i < 10000; ++i) {
    const World w = random_world(rng);
    const bool tree = i % 2 == 1;
    const Diagram before = tree ? random_tree(w, rng) : random_diagram(w, rng);
    const Diagram after = without_implied_tests(before, w.regions);
    for (const auto& row : w.rows()) {
      const auto passes = [&](Feature f) { return w.passes(f, row); };
      ASSERT_EQ(after.classify(passes), before.classify(passes));
    }
    ASSERT_LE(after.size(), before.size());
    ASSERT_TRUE(asks_nothing_known(after, w));
    ASSERT_TRUE(!before.reduced() || after.reduced());
    ASSERT_TRUE(!before.ordered() || after.ordered());
    ASSERT_EQ(without_implied_tests(after, w.regions), after);
    const bool stays = !tree || before.reduced() || after.num_paths() == after.size() - after.inner_nodes();
    ASSERT_TRUE(stays);
    smaller += after.size() < before.size();
  }
  EXPECT_GT(smaller, 1000u);
}

TEST(WithoutImpliedTests, WithoutRelationsNothingChanges) {
  const std::vector<Feature> order{Feature{0}, Feature{1}, Feature{2}};
  const Diagram d = diagram_of(*TruthTable::parse("00010111", order));
  TestRegions apart;
  for (std::size_t c = 0; c < 3; ++c) apart.of[order[c]] = {c, {true, false, false}};
  EXPECT_EQ(without_implied_tests(d, apart), d);
}

TEST(WithoutImpliedTests, ASingleAnswer) {
  EXPECT_EQ(without_implied_tests(Diagram(), {}), Diagram());
}

}  // namespace
}  // namespace beadwork
