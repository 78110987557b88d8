#include "bead_table.hpp"
#include "commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

namespace beadwork {
namespace {

constexpr const char* kLetter = "f";

using Texts = std::vector<std::string>;

void add_new(Texts& texts, const std::string& text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

// Subtables whose halves match without being equal: they need no test.
std::string halves_text(const MergeStep& step, nlohmann::ordered_json& json) {
  Texts lines;
  json["halves"] = nlohmann::ordered_json::array();
  const std::size_t length = step.before.num_cells() >> step.level;
  for (std::size_t first = 0; first < step.before.num_cells(); first += length) {
    const Subtable whole{step.level, first, length};
    const Subtable left{step.level + 1, first, length / 2};
    const Subtable right{step.level + 1, first + length / 2, length / 2};
    if (!is_bead(step.before, whole) || is_bead(step.joined, whole)) continue;
    const std::size_t known = lines.size();
    add_new(lines, fmt::format("    {} matches {}, its other half: no test, both become {}\n",
                               cells_of(step.before, left), cells_of(step.before, right), cells_of(step.joined, left)));
    if (lines.size() > known)
      json["halves"].push_back({{"left", cells_of(step.before, left)},
                                {"right", cells_of(step.before, right)},
                                {"become", cells_of(step.joined, left)}});
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

std::string groups_text(const MergeStep& step, nlohmann::ordered_json& json) {
  std::string out;
  json["groups"] = nlohmann::ordered_json::array();
  for (const std::vector<Subtable>& group : step.groups) {
    Texts members;
    for (const Subtable& s : group) add_new(members, cells_of(step.joined, s));
    const std::string become = cells_of(step.after, group.front());
    json["groups"].push_back({{"members", members}, {"become", become}});
    if (members.size() < 2) continue;
    const std::string first = members.front();
    members.erase(members.begin());
    out += fmt::format("    {} matches {}: all become {}\n", first, fmt::join(members, ", "), become);
  }
  return out;
}

// A bead as its level begins with it, and in parentheses before what it becomes: 1001 (u0u1).
struct Bead {
  Subtable place;
  std::string before, after;
  std::string text() const { return before == after ? after : fmt::format("{} ({})", after, before); }
};
std::vector<Bead> beads_of(const MergeStep& step) {
  std::vector<Bead> out;
  for (const Subtable& s : beads(step.joined))
    if (s.level == step.level) out.push_back({s, cells_of(step.joined, s), cells_of(step.after, s)});
  return out;
}

struct Shown {
  std::string text;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
};
Shown show_steps(const BeadTable& t, const std::vector<MergeStep>& steps) {
  Shown out;
  for (const MergeStep& step : steps) {
    nlohmann::ordered_json json{{"level", step.level + 1}, {"variable", t.names[step.level]}};
    const std::string halves = halves_text(step, json);
    Texts before;
    json["beads"] = nlohmann::ordered_json::array();
    for (const Bead& bead : beads_of(step)) {
      before.push_back(bead.before);
      json["beads"].push_back({{"before", bead.before}, {"after", bead.after}});
    }
    const std::string groups = groups_text(step, json);
    out.text += fmt::format("  level {}, {}: {}\n{}{}", step.level + 1, printable(t.names[step.level]),
                            before.empty() ? "no beads" : fmt::format("{}", fmt::join(before, " ")), halves,
                            groups.empty() ? "    nothing below it matches\n" : groups);
    out.json.push_back(std::move(json));
  }
  return out;
}

// What a node was called as its level began, above what it is called now.
Texts label(const std::vector<MergeStep>& steps, const Subtable& s) {
  if (s.length == 1) return {};
  const std::string before = cells_of(steps[s.level].joined, s);
  const std::string after = cells_of(steps[s.level].after, s);
  return before == after ? Texts{after} : Texts{before, after};
}

Result<int> run(const BeadTableFlags& flags) {
  TRY_DONE(console::check_output(flags.output, ""));
  TRY(const auto t, read_bead_table(flags, kLetter));
  const std::vector<MergeStep> steps = merge_steps(t.table);
  const BeadTable merged{merge_compatible(t.table), t.names};
  const Diagram before = diagram_of(t.table);
  Sketch sketch{fmt::format("{} with compatible subtables merged", flags.cells), diagram_of(merged.table), t.names, {}};
  for (const Subtable& s : beads_of_nodes(merged.table)) sketch.labels.push_back(label(steps, s));
  const Shown shown = show_steps(t, steps);
  std::string levels;
  for (const MergeStep& step : steps) {
    Texts texts;
    for (const Bead& bead : beads_of(step)) texts.push_back(bead.text());
    if (!texts.empty()) levels += level_line(t, step.level, texts);
  }
  levels += level_line(t, t.table.depth(), beads_of_level(merged.table, t.table.depth()));
  nlohmann::ordered_json json{{"table", flags.cells},          {"order", t.names},
                              {"steps", shown.json},           {"result", merged.table.to_string()},
                              {"size", sketch.diagram.size()}, {"size_before", before.size()}};
  json.update(lists_json(merged));
  return show_bead_table(
      flags, sketch,
      fmt::format("steps\n{}result {}\n{}{}diagram of {} ({} with u as a class of its own)\n{}", shown.text,
                  merged.table.to_string(), levels, lists_text(merged), console::counted(sketch.diagram.size(), "node"),
                  before.size(), text_diagram(sketch)),
      json);
}

}  // namespace

console::Command add_merge(const Arguments& program) {
  const Arguments command = program.add_subcommand(
      "merge", "merge the compatible subtables of a truth table with unknown cells, step by step");
  auto flags = std::make_shared<BeadTableFlags>();
  flags->add_to(command, kLetter);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
