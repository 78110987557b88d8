#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/robdd.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

// CUDD reads at most 500 bytes of a comment, dd takes ".nodes" and ".end" anywhere for the words themselves.
std::string safe_comments(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    out += "# ";
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool word = line[i] == '.' && i + 1 < line.size() && (line[i + 1] == 'n' || line[i + 1] == 'e');
      out += word ? std::string("\\u{2e}") : std::string(1, line[i]);
    }
    out += "\n";
  }
  return out;
}

}  // namespace

Result<std::string> to_dddmp(const Plan& plan) {
  constexpr std::size_t kLongestName = 40;
  const std::vector<std::string> ids = input_identifiers(plan);
  const Outputs outputs = outputs_of(plan);
  const Bdd bdd = bdd_of(plan, outputs);
  std::vector<std::string> lines = describe(plan, ids, {}, kLongestName);
  describe_outputs(plan, outputs, lines, kLongestName);

  std::vector<bool> tested(ids.size(),
                           bdd.nodes.empty());  // by level; a constant counts all, dd wants a variable
  for (const BddNode& node : bdd.nodes) tested[node.level] = true;
  std::vector<std::string> by_level;
  for (std::size_t l = 0; l < ids.size(); ++l) by_level.push_back(ids[bdd.order.empty() ? 0 : bdd.order[l]()]);
  std::string names;
  std::string support;
  std::string numbers;
  std::vector<std::size_t> place(ids.size());  // of a level among those tested
  std::size_t count = 0;
  for (std::size_t l = 0; l < by_level.size(); ++l) {
    names += " " + by_level[l];
    if (!tested[l]) continue;
    support += " " + by_level[l];
    numbers += fmt::format(" {}", l);
    place[l] = count++;
  }
  std::string out = ".ver DDDMP-2.0\n" + safe_comments(lines);
  out += fmt::format(".mode A\n.varinfo 3\n.dd {}_model\n.nnodes {}\n.nvars {}\n.nsuppvars {}\n", plan.name,
                     bdd.nodes.size() + 1, by_level.size(), count);
  out += fmt::format(".suppvarnames{}\n.orderedvarnames{}\n.ids{}\n.permids{}\n", support, names, numbers, numbers);
  out += fmt::format(".nroots {}\n.rootids", bdd.roots.size());
  for (const BddRef root : bdd.roots) out += fmt::format(" {}", root);
  out += "\n.nodes\n1 T 1 0 0\n";
  for (std::size_t i = 0; i < bdd.nodes.size(); ++i) {
    const BddNode& node = bdd.nodes[i];
    out += fmt::format("{} {} {} {} {}\n", i + 2, by_level[node.level], place[node.level], node.high, node.low);
  }
  return out + ".end\n";
}

}  // namespace beadwork::exports
