#include <beadwork/exports/branches.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

class Writer {
 public:
  Writer(const Plan& plan, const BranchSyntax& syntax) : plan_(plan), syntax_(syntax), depth_(plan.diagram.size()) {
    const auto into = edges_into(plan.diagram);
    for (std::size_t n = 1; n < depth_.size(); ++n)
      if (into[n].size() == 1) depth_[n] = (depth_[into[n][0].from()] + 1) % syntax.deepest;
  }

  std::string write() {
    std::string out;
    for (std::size_t n = depth_.size(); n-- > 0;) {
      if (n != 0 && (depth_[n] != 0 || plan_.diagram.nodes()[n].sink)) continue;
      if (!out.empty()) out += "\n";
      out += syntax_.open(name_of(n)) + body(Node{n}, 0, 0) + syntax_.close;
    }
    return out;
  }

 private:
  std::string name_of(std::size_t n) const { return n == 0 ? syntax_.root : fmt::format("{}{}", syntax_.others, n); }

  bool inlined(Node n) const { return !plan_.diagram[n].sink && depth_[n()] != 0; }

  // `first` is the number of the first path through here, among those of the function.
  std::string answer(Node n, std::uint64_t first) const {
    const DiagramNode& node = plan_.diagram[n];
    if (node.sink) return fmt::format("{}", syntax_.paths ? first : plan_.answer(node)());
    return fmt::format("{}{}(row)", syntax_.paths && first > 0 ? fmt::format("{} + ", first) : "", name_of(n()));
  }
  std::string space(std::size_t level) const {
    return std::string(syntax_.indent + syntax_.step * level, syntax_.space);
  }

  // The chain of tests along the low edges; what hangs on the high ones stands a level deeper.
  std::string tests(Node n, std::size_t level, std::uint64_t first) const {
    const std::string before = space(level);
    std::string out = before + syntax_.if_open;
    for (;; n = plan_.diagram[n].low) {
      const DiagramNode& node = plan_.diagram[n];
      out += condition(plan_, syntax_.tests, node.feature) + syntax_.then + "\n" +
             body(node.high, level + 1, first + plan_.diagram.num_paths(node.low)) + before;
      if (!inlined(node.low)) break;
      out += syntax_.or_else_if;
    }
    out += syntax_.or_else + "\n" + body(plan_.diagram[n].low, level + 1, first);
    return syntax_.end.empty() ? out : out + before + syntax_.end + "\n";
  }

  std::string body(Node n, std::size_t level, std::uint64_t first) const {
    if (level == 0 ? !plan_.diagram[n].sink : inlined(n)) return tests(n, level, first);
    return fmt::format("{}return {}{}\n", space(level), answer(n, first), syntax_.end_of_statement);
  }

  const Plan& plan_;
  const BranchSyntax& syntax_;
  std::vector<std::size_t> depth_;  // in its function; 0 starts one
};

}  // namespace

std::string branches(const Plan& plan, const BranchSyntax& syntax) {
  return Writer(plan, syntax).write();
}

}  // namespace beadwork::exports
