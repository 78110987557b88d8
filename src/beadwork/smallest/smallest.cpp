#include <beadwork/sat.hpp>
#include <beadwork/smallest.hpp>
#include <beadwork/smallest/formula.hpp>
#include <beadwork/smallest/lattice.hpp>

#include <algorithm>

namespace beadwork {
namespace {

constexpr std::size_t kAllOrders = 7;  // depth up to which every order is tried: 5040
constexpr std::size_t kMostClauses = 4'000'000;

class Improvement {
 public:
  Improvement(const TruthTable& table, const Control& control) : table_(table), control_(control) {}

  // The best of merging in all orders or, where these are too many, of a descent that moves one feature at a time.
  void run() {
    offer(table_.order());
    std::vector<Feature> order = table_.order();
    if (order.size() <= kAllOrders) {
      std::sort(order.begin(), order.end());
      do offer(order);
      while (!control_.stopping() && std::next_permutation(order.begin(), order.end()));
      return;
    }
    for (bool better = true; better && !control_.stopping();) better = descend();
  }

  const TruthTable& best() const { return *best_; }
  const Diagram& diagram() const { return diagram_; }

 private:
  bool offer(const std::vector<Feature>& order) {
    const TruthTable free = reordered(table_, order);
    auto merged = merge_compatible(free, control_);
    if (!merged && best_) return false;
    if (!merged) merged = fill_by_first(free);  // no time for better
    Diagram diagram = diagram_of(*merged);
    if (best_ && diagram.size() >= diagram_.size()) return false;
    best_ = *std::move(merged);
    diagram_ = std::move(diagram);
    return true;
  }

  bool descend() {
    const std::vector<Feature> start = best_->order();
    bool better = false;
    for (std::size_t from = 0; from < start.size(); ++from)
      for (std::size_t to = 0; to < start.size() && !control_.stopping(); ++to) {
        std::vector<Feature> order = start;
        const Feature moved = order[from];
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), moved);
        better |= offer(order);
      }
    return better;
  }

  const TruthTable& table_;
  const Control& control_;
  std::optional<TruthTable> best_;
  Diagram diagram_;
};

// Classes that some cell that does not allow all of them does allow: a diagram needs no other sink.
std::vector<Class> possible_sinks(const TruthTable& table) {
  std::vector<bool> seen(table.num_classes());
  for (std::size_t c = 0; c < table.num_cells(); ++c) {
    if (table.unknown(c)) continue;
    if (table.decided(c))
      seen[table.first_allowed(c)()] = true;
    else
      for (std::size_t k = 0; k < seen.size(); ++k) seen[k] = seen[k] || table.allows(c, Class{k});
  }
  std::vector<Class> out;
  for (std::size_t k = 0; k < seen.size(); ++k)
    if (seen[k]) out.emplace_back(k);
  if (out.empty()) out.emplace_back(0U);
  return out;
}

enum class Verdict { smaller, none, unknown };

// Is there a diagram of at most `size` nodes, `sinks` of them sinks?
Verdict ask(const TruthTable& table, const Lattice& lattice, std::size_t size, std::size_t sinks,
            const std::vector<Class>& classes, const Control& control, std::optional<TruthTable>& found) {
  const std::size_t nodes = size - sinks;
  if (nodes < lattice.inner) return Verdict::none;
  const std::size_t per_cell = DiagramFormula::clauses_per_cell(table.depth(), nodes, classes.size());
  if (per_cell > kMostClauses / table.num_cells()) return Verdict::unknown;
  Solver solver;
  DiagramFormula formula(solver, table.order(), nodes, classes);
  if (sinks < classes.size()) formula.limit_sinks(sinks);
  for (std::size_t i = 0; i < lattice.through.size(); ++i)
    if (lattice.through[i] > nodes) formula.forbid_place(i / table.depth(), i % table.depth());
  std::optional<Lit> anything;
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell) {
    if (table.unknown(cell)) continue;
    if (control.stopping()) return Verdict::unknown;
    std::vector<std::optional<Lit>> ends;
    for (const Class k : classes) {
      if (table.allows(cell, k) && !anything) {
        anything = Lit(solver.fresh_var());
        solver.add_clause({*anything});
      }
      ends.push_back(table.allows(cell, k) ? anything : std::nullopt);
    }
    formula.add_cell(cell, ends);
  }
  switch (solver.solve({}, control)) {
    case Answer::unsatisfiable:
      return Verdict::none;
    case Answer::satisfiable:
      found = formula.decode([&](Lit l) { return solver.value(l); }, table.num_classes());
      return Verdict::smaller;
    default:
      return Verdict::unknown;
  }
}

// Below `size`: with any number of sinks that the classes leave open.
Verdict ask_all(const TruthTable& table, const Lattice& lattice, std::size_t size, const Control& control,
                std::optional<TruthTable>& found) {
  const std::vector<Class> classes = possible_sinks(table);
  Verdict verdict = Verdict::none;
  for (std::size_t sinks = lattice.sinks; sinks <= classes.size() && sinks < size; ++sinks) {
    const Verdict v = ask(table, lattice, size, sinks, classes, control, found);
    if (v == Verdict::smaller) return v;
    if (v == Verdict::unknown) verdict = v;
  }
  return verdict;
}

}  // namespace

SmallestOutcome smallest_diagram(std::span<const TruthTable> tables, const Control& control) {
  require(!tables.empty(), "smallest_diagram: at least one table");
  SmallestOutcome best;
  std::vector<std::size_t> lower(tables.size(), 1);  // what is proven of each table
  std::vector<Lattice> lattices(tables.size());
  bool any = false;
  const auto take = [&](std::size_t t, TruthTable table) {
    Diagram diagram = diagram_of(table);
    if (any && diagram.size() >= best.diagram.size()) return;
    any = true;
    best.table = std::move(table);
    best.diagram = std::move(diagram);
    best.which = t;
  };
  for (std::size_t t = 0; t < tables.size() && !(any && control.stopping()); ++t) {
    lattices[t] = make_lattice(tables[t]);
    lower[t] = lattices[t].size();
    if (any && lower[t] >= best.diagram.size()) continue;
    Improvement merging(tables[t], control);
    merging.run();
    take(t, merging.best());
  }
  for (std::size_t t = 0; t < tables.size(); ++t)
    while (lattices[t].depth > 0 && lower[t] < best.diagram.size() && !control.stopping()) {
      std::optional<TruthTable> found;
      const Verdict v = ask_all(tables[t], lattices[t], best.diagram.size() - 1, control, found);
      if (v == Verdict::unknown) break;
      if (v == Verdict::none) lower[t] = best.diagram.size();
      if (found) take(t, *std::move(found));
    }
  const std::size_t size = best.diagram.size();
  best.lower_bound = std::min(size, *std::min_element(lower.begin(), lower.end()));
  best.proven = best.lower_bound == size;
  return best;
}

SmallestOutcome smallest_diagram(const TruthTable& table, const Control& control) {
  return smallest_diagram(std::span(&table, 1), control);
}

}  // namespace beadwork
