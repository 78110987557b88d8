#pragma once
// What 'beads' and 'merge' share: a truth table typed by hand, its lists and its drawing.
#include "arguments.hpp"
#include <beadwork/diagram.hpp>
#include <beadwork/report.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace beadwork {

struct BeadTableFlags {
  std::string cells;
  std::vector<std::string> names;
  std::string output;
  bool json = false;

  void add_to(const Arguments& command, const std::string& letter);
};

struct BeadTable {
  TruthTable table;
  std::vector<std::string> names;  // of the features, in order
};

// `letter` begins the names where none are given: x1, x2, ...
Result<BeadTable> read_bead_table(const BeadTableFlags& flags, const std::string& letter);

std::string cells_of(const TruthTable& table, const Subtable& s);
std::vector<std::string> beads_of_level(const TruthTable& table, std::size_t level);
// "  x2   0001 0111", the sinks last.
std::string level_line(const BeadTable& t, std::size_t level, const std::vector<std::string>& beads);
// The nodes and edges of GenBDD, a line each, and as "nodes" and "edges" of an object.
std::string lists_text(const BeadTable& t);
nlohmann::ordered_json lists_json(const BeadTable& t);

// The text or the JSON, and the drawing where a file is named.
Result<int> show_bead_table(const BeadTableFlags& flags, const Sketch& sketch, const std::string& text,
                            const nlohmann::ordered_json& json);

}  // namespace beadwork
