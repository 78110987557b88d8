#pragma once
// diagram: rooted acyclic graphs of binary tests, and how a truth table becomes the smallest one for its order.
//
//   Diagram d = diagram_of(*TruthTable::parse("00010111", {x1, x2, x3}));   // six beads, six nodes
//   Class c = d.classify([&](Feature f) { return row[f()]; });
//   d.size()          // nodes with sinks, as the paper counts: a conjunction of two features has size 4
//   d.ordered(), d.reduced()      // properties, checked: decision trees are diagrams too
//
// Nodes are numbered from the root down (0 is the root) so that every edge leads to a larger number; sinks come last in
// the diagrams that we build. Low is the edge of a failed test, drawn dashed; high that of a passed one.
//
// Paths are numbered too: the paths below a node are those through its low child, then those through its high child. So
// the rows that share the first steps of a path are a range of path numbers (see PathCounts).

#include <beadwork/base.hpp>
#include <beadwork/truth.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwork {

using Node = Index<struct NodeTag>;

// An inner node tests `feature`; a sink answers `answer`, or nothing where the table left it unknown.
struct DiagramNode {
  bool sink = false;
  Feature feature;
  Node low;
  Node high;
  std::optional<Class> answer;

  static DiagramNode test(Feature f, Node low, Node high) { return {false, f, low, high, std::nullopt}; }
  static DiagramNode leaf(std::optional<Class> answer) { return {true, {}, {}, {}, answer}; }
  friend bool operator==(const DiagramNode&, const DiagramNode&) = default;
};

class Diagram {
 public:
  static constexpr std::uint64_t kMaxPaths = std::uint64_t{1} << kMaxDepth;

  Diagram() : nodes_{DiagramNode::leaf(Class{0})}, paths_{1} {}
  // Refuses an empty list, a child out of range or not after its parent, a node that the root does not reach, and more
  // than kMaxPaths paths.
  static Result<Diagram> make(std::vector<DiagramNode> nodes);

  const std::vector<DiagramNode>& nodes() const { return nodes_; }
  const DiagramNode& operator[](Node n) const { return nodes_[n()]; }
  std::size_t size() const { return nodes_.size(); }
  std::size_t inner_nodes() const;
  std::size_t depth() const;                   // longest path, in tests
  std::vector<Feature> used_features() const;  // in order of first appearance from the root
  bool ordered() const;  // some order of the features is followed by every path, none tested twice
  bool reduced() const;  // no test with equal children, no two equal nodes

  std::uint64_t num_paths() const { return paths_[0]; }
  std::uint64_t num_paths(Node n) const { return paths_[n()]; }

  // The sink that a row ends in; `passes(Feature)` answers the tests.
  template <class Passes>
  Node sink_of(Passes&& passes) const {
    Node n{0};
    while (!nodes_[n()].sink) n = passes(nodes_[n()].feature) ? nodes_[n()].high : nodes_[n()].low;
    return n;
  }
  template <class Passes>
  Class classify(Passes&& passes) const {
    return nodes_[sink_of(passes)()].answer.value_or(Class{0});
  }
  // The number of the path that a row takes.
  template <class Passes>
  std::uint64_t path_of(Passes&& passes) const {
    std::uint64_t path = 0;
    for (Node n{0}; !nodes_[n()].sink;) {
      const DiagramNode& node = nodes_[n()];
      if (passes(node.feature)) {
        path += paths_[node.low()];
        n = node.high;
      } else {
        n = node.low;
      }
    }
    return path;
  }
  // The steps of path number `path`, from the root: nodes and whether the test was passed; then the sink.
  struct Step {
    Node node;
    bool passed = false;
    friend bool operator==(const Step&, const Step&) = default;
  };
  struct Path {
    std::vector<Step> steps;
    Node sink;
  };
  Path path(std::uint64_t path) const;

  friend bool operator==(const Diagram&, const Diagram&) = default;

 private:
  std::vector<DiagramNode> nodes_;
  std::vector<std::uint64_t> paths_;  // paths below each node
};

// The sink of each path, by its number.
std::vector<Node> path_sinks(const Diagram& diagram);

// GenBDD of the paper's appendix, corrected (docs/paper-notes.md): level by level, one node a bead. Cells must be
// decided or unknown; unknown ones share a sink without an answer. Ordered and reduced, so of least size for this
// order.
Diagram diagram_of(const TruthTable& table);

// The two lists that GenBDD makes, in the order in which it makes them, with the same corrections: a queue of
// subtables, first in, first out; inner nodes are numbered from 1 as their beads are first met, and the sinks that are
// reached come first: -1 for class 1, -2 for class 0, as in the paper, -3, -4, ... for further classes, then one for
// unknown cells. Strings are compared as they stand: for tables that people look at. What diagram_of numbers may differ
// where an edge skips a level.
struct BeadLists {
  struct Vertex {
    std::int64_t id = 0;
    Subtable bead;  // of a sink: its first cell
    friend bool operator==(const Vertex&, const Vertex&) = default;
  };
  struct Edge {
    std::int64_t parent = 0;
    std::int64_t child = 0;
    bool right = false;
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::vector<Vertex> nodes;
  std::vector<Edge> edges;
};
BeadLists bead_lists(const TruthTable& table);

// A subtable that each node of diagram_of(table) stands for, all of which are equal; of a sink a cell.
std::vector<Subtable> beads_of_nodes(const TruthTable& table);

// A decision tree from its nodes in any order, the root first; inner nodes come out breadth-first, then the leaves.
// Contract: every node but the root has one parent.
Diagram tree_of(const std::vector<DiagramNode>& nodes);

// Bias C of the paper, "merging compatible subtrees": a decided table that allows nothing more than the given one, in
// whose diagram subtables that can be made equal are one node. Level by level from the root: (2) a subtable whose
// halves match is no bead, its halves become one; (3) the subtables of the next level are taken from left to right,
// each joins the first group all of which it matches, and a group becomes what all its members allow. What is free in
// the end takes its first class. With several classes a group has one class in common for every cell, not only in
// pairs.
//   u0u1011u -> 10010110: u0 and 1u become 10, u1 and 01 become 01; size 7 (docs/paper-notes.md)
TruthTable merge_compatible(const TruthTable& table);
// The same; nothing if a limit comes first: a deep table takes a while.
std::optional<TruthTable> merge_compatible(const TruthTable& table, const Control& control);

// The same step by step, a step for each level of tests from the root. What the last one leaves free takes its first
// class.
struct MergeStep {
  std::size_t level = 0;  // 0: the whole table
  TruthTable before;      // as the step begins
  TruthTable joined;      // after (2)
  TruthTable after;       // after (3)
  // (3): the subtables of the next level in groups, each from left to right; equal ones are all there.
  std::vector<std::vector<Subtable>> groups;
};
std::vector<MergeStep> merge_steps(const TruthTable& table);

// The cell-by-cell table of a diagram for an order that holds all its features.
TruthTable truth_of(const Diagram& diagram, std::vector<Feature> order, std::size_t num_classes);

// How many rows (by weight) of each class took each path, and from that every node, edge and branch.
class PathCounts {
 public:
  PathCounts() : PathCounts(1, 1) {}
  PathCounts(std::uint64_t num_paths, std::size_t num_classes)
      : num_classes_(num_classes), counts_(num_paths * num_classes) {}
  void add(std::uint64_t path, Class k, std::int64_t weight) { counts_[path * num_classes_ + k()] += weight; }

  std::uint64_t num_paths() const { return counts_.size() / num_classes_; }
  std::size_t num_classes() const { return num_classes_; }
  std::span<const std::int64_t> of(std::uint64_t path) const {
    return {counts_.data() + path * num_classes_, num_classes_};
  }
  std::int64_t total(std::uint64_t path) const;
  friend bool operator==(const PathCounts&, const PathCounts&) = default;

 private:
  std::size_t num_classes_;
  std::vector<std::int64_t> counts_;
};

// Weight of each class at each node, and over each edge in total.
struct NodeCounts {
  std::vector<std::vector<std::int64_t>> at;  // node, class
  std::vector<std::int64_t> low;              // node: weight over its low edge
  std::vector<std::int64_t> high;
  std::int64_t total(Node n) const;
};
NodeCounts node_counts(const Diagram& diagram, const PathCounts& counts);

// Class weights that speak for a path: its own, or those of the nearest branch above it that has rows; zeros if none
// has.
std::vector<std::int64_t> branch_counts(const Diagram& diagram, const PathCounts& counts, std::uint64_t path);
// The same for whoever asks for many paths.
class BranchCounts {
 public:
  BranchCounts(const Diagram& diagram, const PathCounts& counts);
  std::vector<std::int64_t> of(std::uint64_t path) const;

 private:
  std::size_t classes_;
  std::vector<std::int64_t> sums_;                                 // over the paths before each
  std::vector<std::pair<std::uint64_t, std::uint64_t>> speaking_;  // path: from and up to which path
};

// Every path with at least this weight of rows: a test that sends less one way is left out and its rows go the other
// way; where it sends less both ways, the class of most weight answers. Reduced, in the same order. Training error may
// grow.
Diagram without_light_branches(const Diagram& diagram, const PathCounts& counts, std::int64_t least);

// What tests have to do with one another. The values of a column fall into regions, and a test passes some of them:
// x <= 1 and x <= 2 make four, up to 1, up to 2, above, and missing.
struct TestRegions {
  struct Passes {
    std::size_t column = 0;
    std::vector<bool> region;  // as many as the column has
  };
  std::map<Feature, Passes> of;  // every feature of the diagram
};

// The same answers, without questions whose answer is known: no edge leads to a test that passes on every way through
// that edge, or fails on every such way. Never more nodes; a tree stays a tree, a reduced diagram stays reduced.
Diagram without_implied_tests(const Diagram& diagram, const TestRegions& regions);

}  // namespace beadwork
