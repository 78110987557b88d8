#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwork {

// A diagram while it is being looked for: levels, each with the place of its feature, and nodes by level, whose edges
// lead to later levels or end. What an end answers is for the rows that come there to say.
struct DiagramShape {
  static constexpr std::size_t kEnd = SIZE_MAX;

  struct Node {
    std::size_t level = 0;
    std::size_t to[2] = {kEnd, kEnd};
  };
  // The way out of a node; of no node: the way into the diagram.
  struct Edge {
    std::size_t node = kEnd;
    std::size_t side = 0;
  };
  // A test that is put into an edge: one side ends, the other goes on.
  struct Test {
    Edge edge;
    std::size_t level = 0;
    bool new_level = false;  // before the level of that number
    std::size_t place = 0;
    std::size_t ends = 0;  // side
  };

  std::vector<std::size_t> places;
  std::vector<Node> nodes;

  std::size_t end_of(const Edge& edge) const;              // where it leads
  DiagramShape with(const Test& test) const;               // tidy
  DiagramShape with(const Edge& e, std::size_t to) const;  // led elsewhere; tidy
  // Without a node: what led to it goes on at one of its sides. Tidy.
  DiagramShape without(std::size_t node, std::size_t side) const;
  // Without nodes that nothing reaches and levels that have none.
  void tidy();
};

}  // namespace beadwork
