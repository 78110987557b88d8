#include <beadwork/exports/branches.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

constexpr std::size_t kDeepest = 12;  // ifs in a function; compilers bound nesting, readers too

class Writer {
 public:
  Writer(const Plan& plan, const BranchSyntax& syntax) : plan_(plan), syntax_(syntax), depth_(plan.diagram.size()) {
    const auto into = edges_into(plan.diagram);
    for (std::size_t n = 1; n < depth_.size(); ++n)
      if (into[n].size() == 1) depth_[n] = (depth_[into[n][0].from()] + 1) % kDeepest;
  }

  std::string write() {
    std::string out;
    for (std::size_t n = depth_.size(); n-- > 0;) {
      if (n != 0 && (depth_[n] != 0 || plan_.diagram.nodes()[n].sink)) continue;
      if (!out.empty()) out += "\n";
      out += syntax_.open(name_of(n)) + body(Node{n}, 0) + syntax_.close;
    }
    return out;
  }

 private:
  std::string name_of(std::size_t n) const { return n == 0 ? syntax_.root : fmt::format("{}{}", syntax_.others, n); }

  bool inlined(Node n) const { return !plan_.diagram[n].sink && depth_[n()] != 0; }

  std::string answer(Node n) const {
    const DiagramNode& node = plan_.diagram[n];
    return node.sink ? fmt::format("{}", plan_.answer(node)()) : fmt::format("{}(row)", name_of(n()));
  }

  // The chain of tests along the low edges; what hangs on the high ones stands a level deeper.
  std::string tests(Node n, std::size_t level) const {
    const std::string space(syntax_.indent + syntax_.step * level, ' ');
    std::string out = space + syntax_.if_open;
    for (;; n = plan_.diagram[n].low) {
      const DiagramNode& node = plan_.diagram[n];
      out += condition(plan_, syntax_.tests, node.feature) + syntax_.then + "\n" + body(node.high, level + 1) + space;
      if (!inlined(node.low)) break;
      out += syntax_.or_else_if;
    }
    out += syntax_.or_else + "\n" + body(plan_.diagram[n].low, level + 1);
    return syntax_.end.empty() ? out : out + space + syntax_.end + "\n";
  }

  std::string body(Node n, std::size_t level) const {
    if (level == 0 ? !plan_.diagram[n].sink : inlined(n)) return tests(n, level);
    return fmt::format("{:{}}return {}{}\n", "", syntax_.indent + syntax_.step * level, answer(n),
                       syntax_.end_of_statement);
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
