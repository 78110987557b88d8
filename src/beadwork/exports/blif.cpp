#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork::exports {
namespace {

// The cubes of one signal over the signals it reads, each named once.
class Cover {
 public:
  using Literal = std::pair<std::string, bool>;
  void add(const std::vector<Literal>& cube) {
    for (const auto& [signal, positive] : cube)
      if (std::find(signals_.begin(), signals_.end(), signal) == signals_.end()) signals_.push_back(signal);
    cubes_.push_back(cube);
  }
  std::string text(const std::string& output) const {
    std::string out = ".names";
    for (const std::string& signal : signals_) out += " " + signal;
    out += " " + output + "\n";
    for (const auto& cube : cubes_) {
      std::string row(signals_.size(), '-');
      for (const auto& [signal, positive] : cube)
        row[static_cast<std::size_t>(std::find(signals_.begin(), signals_.end(), signal) - signals_.begin())] =
            positive ? '1' : '0';
      out += row + (row.empty() ? "1\n" : " 1\n");
    }
    return out;
  }

 private:
  std::vector<std::string> signals_;
  std::vector<std::vector<Literal>> cubes_;
};

// A row of a cover is as long as its signals are many, so a long one is cut: each part begins with the one before it.
std::string cover_in_parts(const std::vector<std::vector<Cover::Literal>>& cubes, const std::string& output) {
  constexpr std::size_t kMostCubes = 64;
  std::string out;
  Cover cover;
  for (std::size_t i = 0; i < cubes.size(); ++i) {
    if (i > 0 && i % kMostCubes == 0) {
      const std::string part = fmt::format("p{}_{}", i / kMostCubes, output);
      out += cover.text(part);
      cover = Cover();
      cover.add({{part, true}});
    }
    cover.add(cubes[i]);
  }
  return out + cover.text(output);
}

std::string list(std::string_view keyword, const std::vector<std::string>& names) {
  std::string out(keyword);
  for (const std::string& name : names) out += " \\\n  " + name;
  return out + "\n";
}

}  // namespace

// A signal a node: does the row come by? It does where it came by a parent and the test there sent it here. So the
// number of signals does not grow with the number of classes.
Result<std::string> to_blif(const Plan& plan) {
  const std::vector<std::string> ids = input_identifiers(plan);
  const Outputs outputs = outputs_of(plan);
  std::vector<std::string> lines = describe(plan, ids);
  describe_outputs(plan, outputs, lines);
  std::string out = comment_lines(lines, "# ");
  out += fmt::format(".model {}_model\n", plan.name) + list(".inputs", ids) + list(".outputs", outputs.identifiers);
  const Diagram& diagram = plan.diagram;
  const auto into = edges_into(diagram);
  using Cubes = std::vector<std::vector<Cover::Literal>>;
  const auto add_edges = [&](std::size_t n, Cubes& cubes) {
    if (n == 0) cubes.emplace_back();
    for (const InEdge& e : into[n]) {
      std::vector<Cover::Literal> cube{{ids[diagram[e.from].feature()], e.high}};
      if (e.from() != 0) cube.insert(cube.begin(), {fmt::format("n{}", e.from()), true});
      cubes.push_back(cube);
    }
  };
  for (std::size_t n = 1; n < diagram.size(); ++n) {
    if (diagram.nodes()[n].sink) continue;
    Cubes cubes;
    add_edges(n, cubes);
    out += cover_in_parts(cubes, fmt::format("n{}", n));
  }
  for (std::size_t i = 0; i < outputs.classes.size(); ++i) {
    Cubes cubes;
    for (std::size_t n = 0; n < diagram.size(); ++n)
      if (diagram.nodes()[n].sink && diagram.nodes()[n].answer == outputs.classes[i]) add_edges(n, cubes);
    out += cover_in_parts(cubes, outputs.identifiers[i]);
  }
  return out + ".end\n";
}

}  // namespace beadwork::exports
