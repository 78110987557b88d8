#include "bead_table.hpp"

#include "console.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace beadwork {
namespace {

std::string name_of(const BeadTable& t, const BeadLists::Vertex& v) {
  return v.id > 0 ? printable(t.names[v.bead.level]) : cells_of(t.table, v.bead);
}

bool drawn(const std::string& path) {
  return path.ends_with(".svg") || path.ends_with(".dot") || path.ends_with(".gv");
}

}  // namespace

void BeadTableFlags::add_to(const Arguments& command, const std::string& letter) {
  command
      .add_option("TABLE", cells,
                  "the 2^H cells: classes 0 to 9, u where any will do; the first feature is the first half's")
      .required();
  command.add_option("--names", names, "call the features so, in order")
      .split_at(',')
      .word("NAMES")
      .show_default(fmt::format("{0}1,{0}2,...", letter));
  command.add_option("-o,--output", output, "draw the diagram to this file: .svg, or .dot for Graphviz").word("FILE");
  command.add_flag("--json", json, "print the result as JSON");
}

Result<BeadTable> read_bead_table(const BeadTableFlags& flags, const std::string& letter) {
  if (!flags.output.empty() && !drawn(flags.output))
    return usage_error("the name of a drawing ends in .svg, .dot or .gv", "--output");
  const std::string& cells = flags.cells;
  if (!std::has_single_bit(cells.size()))
    return input_error(fmt::format("expected 1, 2, 4, 8, ... cells, got {}", cells.size()), "TABLE");
  constexpr std::size_t kMostCells = std::size_t{1} << 14;  // of what people look at
  if (cells.size() > kMostCells)
    return input_error(fmt::format("expected at most {} cells, got {}", kMostCells, cells.size()), "TABLE");
  std::size_t classes = 2;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const char cell = cells[c];
    if (cell != 'u' && (cell < '0' || cell > '9'))
      return input_error(
          fmt::format("cell {} is '{}', expected a class from 0 to 9, or u", c + 1, printable(cells.substr(c, 1))),
          "TABLE");
    if (cell != 'u') classes = std::max(classes, static_cast<std::size_t>(cell - '0') + 1);
  }
  BeadTable out;
  std::vector<Feature> order;
  while (std::size_t{1} << order.size() < cells.size()) order.emplace_back(order.size());
  out.names = flags.names;
  if (!out.names.empty() && out.names.size() != order.size())
    return usage_error(fmt::format("expected {} for {} cells, got {}", console::counted(order.size(), "name"),
                                   cells.size(), out.names.size()),
                       "--names");
  for (std::size_t i = out.names.size(); i < order.size(); ++i) out.names.push_back(fmt::format("{}{}", letter, i + 1));
  TRY(out.table, TruthTable::parse(cells, std::move(order), classes));
  return out;
}

std::string cells_of(const TruthTable& table, const Subtable& s) {
  return table.to_string().substr(s.first, s.length);
}

std::vector<std::string> beads_of_level(const TruthTable& table, std::size_t level) {
  std::vector<std::string> out;
  const std::string cells = table.to_string();
  for (const Subtable& s : beads(table))
    if (s.level == level) out.push_back(cells.substr(s.first, s.length));
  return out;
}

std::string level_line(const BeadTable& t, std::size_t level, const std::vector<std::string>& beads) {
  std::size_t width = 0;
  for (const std::string& name : t.names) width = std::max(width, printable(name).size());
  return fmt::format("  {:{}}  {}\n", level < t.names.size() ? printable(t.names[level]) : "", width,
                     fmt::join(beads, " "));
}

std::string lists_text(const BeadTable& t) {
  const BeadLists lists = bead_lists(t.table);
  std::string out = "nodes of GenBDD (id, variable or class)\n";
  for (const BeadLists::Vertex& v : lists.nodes)
    out += fmt::format("  ({}, {}){}\n", v.id, name_of(t, v), v.id > 0 ? "  " + cells_of(t.table, v.bead) : "");
  out += "edges of GenBDD (parent, child, side)\n";
  for (const BeadLists::Edge& e : lists.edges)
    out += fmt::format("  ({}, {}, {})\n", e.parent, e.child, e.right ? "right" : "left");
  return out;
}

nlohmann::ordered_json lists_json(const BeadTable& t) {
  const BeadLists lists = bead_lists(t.table);
  nlohmann::ordered_json out{{"nodes", nlohmann::ordered_json::array()}, {"edges", nlohmann::ordered_json::array()}};
  for (const BeadLists::Vertex& v : lists.nodes) {
    nlohmann::ordered_json node{{"id", v.id}, {"bead", cells_of(t.table, v.bead)}};
    if (v.id > 0) node["variable"] = t.names[v.bead.level];
    out["nodes"].push_back(std::move(node));
  }
  for (const BeadLists::Edge& e : lists.edges)
    out["edges"].push_back({{"parent", e.parent}, {"child", e.child}, {"side", e.right ? "right" : "left"}});
  return out;
}

Result<int> show_bead_table(const BeadTableFlags& flags, const Sketch& sketch, const std::string& text,
                            const nlohmann::ordered_json& json) {
  const int shown = console::emit(flags.json ? json.dump(1) + "\n" : text, "");
  if (flags.output.empty() || shown != 0) return shown;
  return console::emit(flags.output.ends_with(".svg") ? to_svg(sketch) : to_dot(sketch), flags.output);
}

}  // namespace beadwork
