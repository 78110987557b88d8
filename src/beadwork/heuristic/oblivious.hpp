#pragma once
#include <beadwork/dataset.hpp>
#include <beadwork/diagram.hpp>
#include <beadwork/heuristic/label.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace beadwork {

// Rows of features that may have several values, numbered from 0.
struct ValueTable {
  std::vector<std::vector<std::uint16_t>> columns;  // one a feature, a value a row
  std::vector<std::size_t> arity;                   // number of values of each feature
  std::vector<Class> labels;
  std::vector<std::int64_t> weights;
  std::size_t num_classes = 1;
  std::int64_t weight_scale = 1;
};
// Feature f of the dataset is column f, with the values 0 and 1.
ValueTable values_of(const Dataset& dataset);

// Of a level, which tests one feature; a leaf has no children, and no label where it is unknown.
struct ObliviousNode {
  std::size_t level = 0;
  std::vector<std::size_t> children;  // one a value of the level's feature
  ClassCounts counts;                 // weight of each class that comes by
  std::optional<Class> label;

  bool leaf() const { return children.empty(); }
  bool unknown() const { return leaf() && !label; }
  friend bool operator==(const ObliviousNode&, const ObliviousNode&) = default;
};

// Node 0 is the root; children come after their parents and on later levels.
struct ObliviousGraph {
  std::vector<std::size_t> order;  // the feature of each level
  std::vector<ObliviousNode> nodes;
  std::int64_t weight_scale = 1;
  bool complete = true;  // false: stopped by a limit
};

struct OdtOptions {
  std::size_t depth = 4;
  std::uint64_t seed = 0;  // breaks ties
};
ObliviousGraph grow_odt(const ValueTable& table, const OdtOptions& options, const Control& control = {});
// Unknown leaves take the majority of their parent: what an ODT answers by itself.
ObliviousGraph label_by_parent(ObliviousGraph tree);

// The steps of merging, for two nodes of one level below which all is a forest. merge_pair puts the second into the
// first; the second and what was below it are left without meaning.
bool compatible(const ObliviousGraph& graph, std::size_t a, std::size_t b);
void merge_pair(ObliviousGraph& graph, std::size_t a, std::size_t b);
// All of it, on a tree as grow_odt makes it. An edge to a leaf that stays unknown goes where the heaviest sibling goes,
// and a node whose edges share their target is taken out.
ObliviousGraph merge_subtrees(ObliviousGraph tree, double z, const Control& control = {});

// Bottom-up, on the features given: every combination of their values that occurs is a row of its majority class.
ObliviousGraph hoodg(const ValueTable& table, const std::vector<std::size_t>& features, const Control& control = {});

// Contract: every feature of the graph has two values. An unknown leaf becomes a sink without an answer.
Diagram diagram_of(const ObliviousGraph& graph);
// Where a row ends; `value(feature)` is below the feature's arity.
template <class Value>
std::optional<Class> classify(const ObliviousGraph& graph, Value&& value) {
  std::size_t n = 0;
  while (!graph.nodes[n].leaf()) n = graph.nodes[n].children[value(graph.order[graph.nodes[n].level])];
  return graph.nodes[n].label;
}

}  // namespace beadwork
