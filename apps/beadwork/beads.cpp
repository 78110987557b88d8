#include "bead_table.hpp"
#include "commands.hpp"

#include <fmt/format.h>

#include <memory>

namespace beadwork {
namespace {

constexpr const char* kLetter = "x";

Result<int> run(const BeadTableFlags& flags) {
  TRY_DONE(console::check_output(flags.output, ""));
  TRY(const auto t, read_bead_table(flags, kLetter));
  Sketch sketch{fmt::format("Beads of {}", flags.cells), diagram_of(t.table), t.names, {}};
  const std::vector<Subtable> places = beads_of_nodes(t.table);
  for (std::size_t n = 0; n < places.size(); ++n)
    sketch.labels.push_back(sketch.diagram.nodes()[n].sink ? std::vector<std::string>()
                                                           : std::vector{cells_of(t.table, places[n])});
  nlohmann::ordered_json json{{"table", flags.cells},
                              {"order", t.names},
                              {"size", sketch.diagram.size()},
                              {"beads", nlohmann::ordered_json::array()}};
  std::string levels;
  std::size_t count = 0;
  for (std::size_t level = 0; level <= t.table.depth(); ++level) {
    const std::vector<std::string> beads = beads_of_level(t.table, level);
    count += beads.size();
    json["beads"].push_back(beads);
    if (!beads.empty()) levels += level_line(t, level, beads);
  }
  json.update(lists_json(t));
  return show_bead_table(
      flags, sketch,
      fmt::format("{} by level\n{}{}diagram of {}\n{}", console::counted(count, "bead"), levels, lists_text(t),
                  console::counted(sketch.diagram.size(), "node"), text_diagram(sketch)),
      json);
}

}  // namespace

console::Command add_beads(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("beads", "show the beads of a truth table and the diagram that they make (GenBDD)");
  auto flags = std::make_shared<BeadTableFlags>();
  flags->add_to(command, kLetter);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
