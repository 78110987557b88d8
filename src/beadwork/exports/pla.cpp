#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

// The tests of a path, or nothing where it asks for both answers of one.
std::string cube(const Diagram& diagram, const Diagram::Path& path, std::size_t inputs) {
  std::string out(inputs, '-');
  for (const Diagram::Step& step : path.steps) {
    char& c = out[diagram[step.node].feature()];
    const char wanted = step.passed ? '1' : '0';
    if (c != '-' && c != wanted) return "";
    c = wanted;
  }
  return out;
}

}  // namespace

// Paths exclude each other, so each is a cube of the class it ends in.
Result<std::string> to_pla(const Plan& plan) {
  constexpr std::uint64_t kMost = 16'000'000;
  const std::vector<std::string> ids = input_identifiers(plan);
  if (plan.diagram.num_paths() > kMost / ids.size())
    return option_error(
        fmt::format("pla has a cube of {} inputs for each of {} paths, {} MB; the limit is {} MB", ids.size(),
                    plan.diagram.num_paths(), plan.diagram.num_paths() * ids.size() / 1'000'000, kMost / 1'000'000),
        "to");
  const Outputs outputs = outputs_of(plan);
  std::vector<std::string> lines = describe(plan, ids);
  describe_outputs(plan, outputs, lines);
  std::string cubes;
  std::size_t count = 0;
  for (std::uint64_t p = 0; p < plan.diagram.num_paths(); ++p) {
    const Diagram::Path path = plan.diagram.path(p);
    std::string on;
    for (const Class k : outputs.classes) on += plan.diagram[path.sink].answer == k ? '1' : '0';
    const std::string in = cube(plan.diagram, path, ids.size());
    if (in.empty() || on.find('1') == std::string::npos) continue;
    cubes.append(in).append(" ").append(on).append("\n");
    ++count;
  }
  if (count == 0) {  // never 1; ABC cannot do without a cube
    cubes = std::string(ids.size(), '-') + " 0\n";
    count = 1;
  }
  std::string out = comment_lines(lines, "# ") + fmt::format(".i {}\n.o {}\n.ilb", ids.size(), outputs.classes.size());
  for (const std::string& id : ids) out += " " + id;
  out += "\n.ob";
  for (const std::string& id : outputs.identifiers) out += " " + id;
  return out + fmt::format("\n.p {}\n", count) + cubes + ".e\n";
}

}  // namespace beadwork::exports
