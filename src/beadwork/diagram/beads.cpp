#include <beadwork/diagram.hpp>

#include <algorithm>
#include <map>

namespace beadwork {
namespace {

// GenBDD, level by level. A queue entry of the paper is a string with its parent and direction; here strings
// are ranges of cells, told apart by class numbers of equal ranges per level (`names_`), so that comparing
// two subtables is comparing two integers and the whole construction is linear in the table. One list a level
// and not one queue: a bead that an edge reaches across a level must still be numbered after the beads of
// that level, which may be its parents too (01010001).
class Builder {
 public:
  explicit Builder(const TruthTable& table) : table_(table), waiting_(table.depth() + 1) { name_subtables(); }

  Diagram build() {
    std::vector<DiagramNode> inner;
    const Place root = arrive({0, 0});
    std::vector<std::pair<Place, Place>> children;
    for (std::size_t level = 0; level < table_.depth(); ++level)
      for (const Place p : waiting_[level]) {
        number_[key(p)] = inner.size();
        inner.push_back(DiagramNode::test(table_.order()[level], {}, {}));
        const Place low = arrive(half(p, 0));
        const Place high = arrive(half(p, 1));
        children.emplace_back(low, high);
      }
    return assemble(std::move(inner), children, root);
  }

 private:
  struct Place {  // branch number `index` of a level; on the last level, a cell
    std::size_t level;
    std::size_t index;
  };
  using Key = std::pair<std::size_t, std::uint32_t>;  // equal for equal subtables of a level

  static Place half(Place p, std::size_t which) { return {p.level + 1, 2 * p.index + which}; }
  std::uint32_t name(Place p) const { return names_[p.level][p.index]; }
  Key key(Place p) const { return {p.level, name(p)}; }
  bool bead(Place p) const { return name(half(p, 0)) != name(half(p, 1)); }
  bool sink(Place p) const { return p.level == table_.depth(); }

  // The bead or cell that an edge to p ends in; a bead met for the first time waits to become a node.
  Place arrive(Place p) {
    while (!sink(p) && !bead(p)) p = half(p, 0);  // both halves are equal: the test is useless
    if (!sink(p) && number_.try_emplace(key(p), 0).second) waiting_[p.level].push_back(p);
    return p;
  }

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
      names_.back().push_back(sinks.try_emplace(answer(c), static_cast<std::uint32_t>(sinks.size())).first->second);
    for (std::size_t level = table_.depth(); level-- > 0;) {
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> seen;
      for (std::size_t i = 0; i < std::size_t{1} << level; ++i) {
        const std::pair halves{names_[level + 1][2 * i], names_[level + 1][2 * i + 1]};
        names_[level].push_back(seen.try_emplace(halves, static_cast<std::uint32_t>(seen.size())).first->second);
      }
    }
  }

  // Sinks go last, in the order of their classes, an unknown one at the very end.
  Diagram assemble(std::vector<DiagramNode> nodes, const std::vector<std::pair<Place, Place>>& children, Place root) {
    std::vector<std::optional<Class>> answers;
    const auto note = [&](Place p) {
      if (sink(p) && std::find(answers.begin(), answers.end(), answer(p.index)) == answers.end())
        answers.push_back(answer(p.index));
    };
    note(root);
    for (const auto& [low, high] : children) note(low), note(high);
    std::sort(answers.begin(), answers.end(),
              [](const auto& a, const auto& b) { return a.has_value() != b.has_value() ? a.has_value() : a < b; });
    const std::size_t inner = nodes.size();
    const auto resolve = [&](Place p) {
      if (!sink(p)) return Node{number_.at(key(p))};
      const auto at = std::find(answers.begin(), answers.end(), answer(p.index)) - answers.begin();
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
  std::vector<std::vector<Place>> waiting_;        // level: its beads, in order of arrival
  std::map<Key, std::size_t> number_;              // bead -> node
};

}  // namespace

Diagram diagram_of(const TruthTable& table) {
  return Builder(table).build();
}

TruthTable truth_of(const Diagram& diagram, std::vector<Feature> order, std::size_t num_classes) {
  TruthTable table(std::move(order), num_classes);
  std::map<Feature, std::size_t> shift;
  for (std::size_t i = 0; i < table.depth(); ++i) shift[table.order()[i]] = table.depth() - 1 - i;
  for (const Feature f : diagram.used_features())
    require(shift.contains(f), "truth_of: the order holds every feature of the diagram");
  std::vector<std::size_t> shifts;  // of the nodes' features
  for (const DiagramNode& n : diagram.nodes()) shifts.push_back(n.sink ? 0 : shift.at(n.feature));
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell) {
    Node n{0};
    while (!diagram[n].sink) n = (cell >> shifts[n()] & 1) != 0 ? diagram[n].high : diagram[n].low;
    if (const auto answer = diagram[n].answer) table.decide(cell, *answer);
  }
  return table;
}

}  // namespace beadwork
