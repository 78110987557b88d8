#include <beadwork/smallest/formula.hpp>

#include <algorithm>
#include <numeric>

namespace beadwork {

DiagramFormula::DiagramFormula(ClauseSinkRef sink, std::vector<Feature> features, std::size_t nodes,
                               std::vector<Class> classes)
    : sink_(sink), features_(std::move(features)), classes_(std::move(classes)), nodes_(nodes) {
  require(nodes_ >= 1 && !features_.empty(), "DiagramFormula: a node and a feature at least");
  add_order();
  for (std::size_t i = 0; i < nodes_; ++i) {
    tests_.emplace_back();
    for (std::size_t x = 0; x < features_.size(); ++x) tests_.back().emplace_back(sink_.fresh_var());
    children_.emplace_back();
    for (auto& targets : children_.back())
      for (std::size_t m = i + 1; m < nodes_ + classes_.size(); ++m) targets.emplace_back(sink_.fresh_var());
  }
  for (std::size_t i = 0; i < nodes_; ++i) add_node(i);
  for (std::size_t i = 0; i + 1 < nodes_; ++i) add_sorting(i);
}

Lit DiagramFormula::before(std::size_t x, std::size_t y) const {
  return x < y ? before_[x][y - x - 1] : ~before_[y][x - y - 1];
}

void DiagramFormula::add_order() {
  const std::size_t h = features_.size();
  for (std::size_t x = 0; x < h; ++x) {
    before_.emplace_back();
    for (std::size_t y = x + 1; y < h; ++y) before_.back().emplace_back(sink_.fresh_var());
  }
  for (std::size_t x = 0; x < h; ++x)
    for (std::size_t y = 0; y < h; ++y)
      for (std::size_t z = 0; z < h; ++z)
        if (x != y && y != z && x != z) sink_.add_clause({~before(x, y), ~before(y, z), before(x, z)});
}

void DiagramFormula::add_node(std::size_t i) {
  exactly_one_pairwise(sink_, tests_[i]);
  for (const auto& targets : children_[i]) exactly_one_pairwise(sink_, targets);
  for (std::size_t m = i + 1; m < nodes_ + classes_.size(); ++m)
    sink_.add_clause({~child(i, false, m), ~child(i, true, m)});  // no useless test
  for (std::size_t m = i + 1; m < nodes_; ++m)
    for (const bool high : {false, true})
      for (std::size_t x = 0; x < features_.size(); ++x)
        sink_.add_clause({~child(i, high, m), ~tests_[i][x], ~tests_[m][x]});  // sorted: later or equal
}

// Nodes come in the order of their features; those of one feature by their low child. Equal nodes are let in: copies of
// the last one are what a smaller diagram fills the places left over with.
void DiagramFormula::add_sorting(std::size_t i) {
  const std::size_t h = features_.size();
  for (std::size_t x = 0; x < h; ++x)
    for (std::size_t y = 0; y < h; ++y)
      if (x != y) sink_.add_clause({~tests_[i][x], ~tests_[i + 1][y], before(x, y)});
  for (std::size_t x = 0; x < h; ++x)
    for (std::size_t m = i + 2; m < nodes_ + classes_.size(); ++m)
      for (std::size_t m2 = i + 2; m2 < m; ++m2)
        sink_.add_clause({~tests_[i][x], ~tests_[i + 1][x], ~child(i, false, m), ~child(i + 1, false, m2)});
}

void DiagramFormula::limit_sinks(std::size_t most) {
  std::vector<Lit> used;
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    used.emplace_back(sink_.fresh_var());
    for (std::size_t i = 0; i < nodes_; ++i)
      for (const bool high : {false, true}) sink_.add_clause({~child(i, high, nodes_ + k), used.back()});
  }
  at_most_sequential(sink_, used, most);
}

void DiagramFormula::forbid_place(std::uint64_t above, std::size_t x) {
  std::vector<Lit> clause;
  for (std::size_t y = 0; y < features_.size(); ++y)
    if (y != x) clause.push_back((above >> y & 1) != 0 ? before(x, y) : before(y, x));
  sink_.add_clause(clause);
}

void DiagramFormula::add_cell(std::size_t cell, const std::vector<std::optional<Lit>>& ends) {
  std::vector<Lit> reach;
  for (std::size_t i = 0; i < nodes_; ++i) reach.emplace_back(sink_.fresh_var());
  sink_.add_clause({reach[0]});
  for (std::size_t i = 0; i < nodes_; ++i)
    for (std::size_t x = 0; x < features_.size(); ++x) {
      const bool high = bit_of(cell, x);
      for (std::size_t m = i + 1; m < nodes_; ++m)
        sink_.add_clause({~reach[i], ~tests_[i][x], ~child(i, high, m), reach[m]});
      for (std::size_t k = 0; k < classes_.size(); ++k) {
        const Lit to_sink = child(i, high, nodes_ + k);
        if (ends[k])
          sink_.add_clause({~reach[i], ~tests_[i][x], ~to_sink, *ends[k]});
        else
          sink_.add_clause({~reach[i], ~tests_[i][x], ~to_sink});
      }
    }
}

std::size_t DiagramFormula::clauses_per_cell(std::size_t features, std::size_t nodes, std::size_t classes) {
  return features * nodes * ((nodes - 1) / 2 + classes) + 1;
}

TruthTable DiagramFormula::decode(const std::function<bool(Lit)>& value, std::size_t num_classes) const {
  std::vector<std::size_t> places(features_.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(), [&](std::size_t x, std::size_t y) { return x != y && value(before(x, y)); });
  const auto chosen = [&](const std::vector<Lit>& lits) {
    return static_cast<std::size_t>(std::find_if(lits.begin(), lits.end(), value) - lits.begin());
  };
  std::vector<Feature> order;
  order.reserve(places.size());
  for (const std::size_t x : places) order.push_back(features_[x]);
  TruthTable table(order, num_classes);
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell) {
    std::size_t at = 0;
    while (at < nodes_) {
      const Feature f = features_[chosen(tests_[at])];
      const auto level = static_cast<std::size_t>(std::find(order.begin(), order.end(), f) - order.begin());
      const bool high = cell >> (order.size() - 1 - level) & 1;
      at = at + 1 + chosen(children_[at][high ? 1 : 0]);
    }
    table.decide(cell, classes_[at - nodes_]);
  }
  return table;
}

}  // namespace beadwork
