#pragma once
// The levels of a picture, and the diagram cut into them: an edge that spans several levels gets a bend on
// each between.
#include <beadwork/model.hpp>
#include <beadwork/report/wording.hpp>

#include <optional>
#include <string>
#include <vector>

namespace beadwork::report {

// Sinks are on the last level. An ordered diagram has one level a tested feature, in the diagram's order; of
// any other (a decision tree), and where features are more than twice as many as tests on a path, level is the
// longest way from the root.
struct Levels {
  std::size_t count = 0;
  bool by_feature = true;
  std::vector<std::size_t> of;    // by node number
  std::vector<Feature> features;  // of the levels, where by_feature
};
Levels levels_of(const Diagram& diagram);
inline Levels levels_of(const Model& model) {
  return levels_of(model.diagram());
}
// What stands beside a level: its test; test 1, test 2, ... where nodes of one level test different features;
// the target beside the sinks.
std::string level_words(const Model& model, const Levels& levels, std::size_t level, const Shorten& shorten,
                        const Signs& signs = kTypeset);

using Vertex = std::size_t;  // nodes have their numbers, bends the numbers after them

struct Layers {
  struct Route {
    Node from, to;
    bool high = false;
    std::vector<Vertex> vertices;  // from, bends, to
  };
  std::size_t num_nodes = 0;
  std::vector<std::size_t> level;             // by vertex
  std::vector<double> half_width;             // room that a vertex needs to either side
  std::vector<std::vector<Vertex>> order;     // by level, from left to right
  std::vector<std::vector<Vertex>> up, down;  // neighbours by vertex
  std::vector<Route> routes;
  bool bent = true;  // false: a diagram too large to give every long edge its bends

  bool is_node(Vertex v) const { return v < num_nodes; }
  std::size_t num_vertices() const { return level.size(); }
};

Layers make_layers(const Diagram& diagram, const Levels& levels, const std::vector<double>& half_widths);

// Puts the vertices of each level into an order with few crossings; returns how many are left.
std::size_t reduce_crossings(Layers& layers);

// Horizontal positions that keep these orders: no overlaps, short and straight edges.
std::vector<double> place(const Layers& layers);

}  // namespace beadwork::report
