#include <algorithm>
#include <beadwork/diagram.hpp>
#include <map>

namespace beadwork {
namespace {

// GenBDD, level by level: a queue would number a bead that is reached over a skipped level before its later
// parents. A queue entry of the paper is a string with its parent and direction; here strings are ranges of
// cells, told apart by class numbers of equal ranges per level (`names_`), so that comparing two subtables is
// comparing two integers and the whole construction is linear in the table.
class Builder {
 public:
  explicit Builder(const TruthTable& table) : table_(table) { name_subtables(); }

  Diagram build() {
    std::vector<std::vector<Place>> found(table_.depth());
    std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> number;  // bead -> number, as found
    const auto visit = [&](Place p) -> Target {
      while (p.level < table_.depth() && !bead(p))
        p = half(p, 0);  // both halves are equal: the test is useless
      if (p.level == table_.depth()) return {true, p.index};
      const auto [it, fresh] = number.try_emplace({p.level, name(p)}, number.size());
      if (fresh) found[p.level].push_back(p);
      return {false, it->second};
    };
    const Target root = visit({0, 0});
    std::vector<DiagramNode> inner;
    std::vector<std::pair<Target, Target>> children;
    std::map<std::size_t, std::size_t> node_of;  // number as found -> node
    for (const auto& level : found)              // beads of a level are found from the levels above it
      for (const Place p : level) {
        node_of[number.at({p.level, name(p)})] = inner.size();
        inner.push_back(DiagramNode::test(table_.order()[p.level], {}, {}));
        const Target low = visit(half(p, 0));
        const Target high = visit(half(p, 1));
        children.emplace_back(low, high);
      }
    for (auto& [low, high] : children)
      for (Target* t : {&low, &high})
        if (!t->sink) t->number = node_of.at(t->number);
    return assemble(std::move(inner), children, root);
  }

 private:
  struct Place {  // branch number `index` of a level
    std::size_t level;
    std::size_t index;
  };
  struct Target {  // an inner node, or the cell of a sink
    bool sink;
    std::size_t number;
  };

  static Place half(Place p, std::size_t which) { return {p.level + 1, 2 * p.index + which}; }
  std::uint32_t name(Place p) const { return names_[p.level][p.index]; }
  bool bead(Place p) const { return name(half(p, 0)) != name(half(p, 1)); }

  std::optional<Class> answer(std::size_t cell) const {
    if (table_.decided(cell)) return table_.first_allowed(cell);
    require(table_.unknown(cell), "diagram_of: cells are decided or unknown");
    return std::nullopt;
  }

  // Equal subtables of a level get the same number.
  void name_subtables() {
    names_.resize(table_.depth() + 1);
    std::map<std::optional<Class>, std::uint32_t> sinks;
    for (std::size_t c = 0; c < table_.num_cells(); ++c)
      names_.back().push_back(
          sinks.try_emplace(answer(c), static_cast<std::uint32_t>(sinks.size())).first->second);
    for (std::size_t level = table_.depth(); level-- > 0;) {
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> seen;
      for (std::size_t i = 0; i < std::size_t{1} << level; ++i) {
        const std::pair halves{names_[level + 1][2 * i], names_[level + 1][2 * i + 1]};
        names_[level].push_back(
            seen.try_emplace(halves, static_cast<std::uint32_t>(seen.size())).first->second);
      }
    }
  }

  // Sinks go last, in the order of their classes, an unknown one at the very end.
  Diagram assemble(std::vector<DiagramNode> nodes, const std::vector<std::pair<Target, Target>>& children,
                   Target root) {
    std::vector<std::optional<Class>> answers;
    const auto note = [&](Target t) {
      if (t.sink && std::find(answers.begin(), answers.end(), answer(t.number)) == answers.end())
        answers.push_back(answer(t.number));
    };
    note(root);
    for (const auto& [low, high] : children) note(low), note(high);
    std::sort(answers.begin(), answers.end(), [](const auto& a, const auto& b) {
      return a.has_value() != b.has_value() ? a.has_value() : a < b;
    });
    const std::size_t inner = nodes.size();
    const auto resolve = [&](Target t) {
      if (!t.sink) return Node{t.number};
      const auto at = std::find(answers.begin(), answers.end(), answer(t.number)) - answers.begin();
      return Node{inner + static_cast<std::size_t>(at)};
    };
    for (std::size_t n = 0; n < inner; ++n) {
      nodes[n].low = resolve(children[n].first);
      nodes[n].high = resolve(children[n].second);
    }
    for (const auto& a : answers) nodes.push_back(DiagramNode::leaf(a));
    auto diagram = Diagram::make(std::move(nodes));
    require(static_cast<bool>(diagram), "diagram_of: beads make a diagram");
    return *std::move(diagram);
  }

  const TruthTable& table_;
  std::vector<std::vector<std::uint32_t>> names_;  // level, branch
};

}  // namespace

Diagram diagram_of(const TruthTable& table) {
  return Builder(table).build();
}

TruthTable truth_of(const Diagram& diagram, std::vector<Feature> order, std::size_t num_classes) {
  TruthTable table(std::move(order), num_classes);
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell) {
    const Node sink = diagram.sink_of([&](Feature f) {
      const auto at = std::find(table.order().begin(), table.order().end(), f);
      require(at != table.order().end(), "truth_of: the order holds every feature of the diagram");
      const auto level = static_cast<std::size_t>(at - table.order().begin());
      return (cell >> (table.depth() - 1 - level) & 1) != 0;
    });
    if (const auto answer = diagram[sink].answer) table.decide(cell, *answer);
  }
  return table;
}

}  // namespace beadwork
