#include <beadwork/engine/bias.hpp>
#include <beadwork/engine/co_optimal.hpp>
#include <beadwork/engine/held_cells.hpp>
#include <beadwork/smallest.hpp>

namespace beadwork {
namespace {

std::optional<HeldCells> cells_below(const Task& task, const TruthTable& table, const Control& control) {
  return held_cells(task.dataset, table.order(), task.cost.costs, control);
}

std::optional<TruthTable> by_majority(const Task& task, const EngineAnswer& found, const Control& control) {
  const auto held = cells_below(task, *found.table, control);
  if (!held) return std::nullopt;
  auto filled = fill_by_branch(*found.table, held->merits, control);
  const bool lost = filled && found.root_is_bead && !is_bead(*filled, {0, 0, filled->num_cells()});
  return lost ? *found.decided : filled;
}

// What is quickest, and as good on the rows.
Shaped unsettled(const EngineAnswer& found, const std::optional<TruthTable>& filled) {
  return {*found.table,
          diagram_of(filled          ? *filled
                     : found.decided ? *found.decided
                                     : fill_by_first(*found.table)),
          {},
          false};
}

Shaped settled(const EngineAnswer& found, const TruthTable& filled) {
  return {*found.table, diagram_of(filled), {}, true};
}

// Free cells by their neighbours, then the order in which that function has fewest nodes; by majority where a limit
// comes first.
Shaped by_neighbours(const Task& task, const EngineAnswer& found, const Control& control) {
  std::optional<TruthTable> filled;
  if (const auto held = cells_below(task, *found.table, control))
    filled = fill_by_neighbours(*found.table, held->merits, control);
  if (!filled)
    return unsettled(found, in_any_case(control, [&](const Control& c) { return by_majority(task, found, c); }));
  if (found.root_is_bead) {
    const bool lost = !is_bead(*filled, {0, 0, filled->num_cells()});
    return settled(found, lost ? *found.decided : *filled);
  }
  const SmallestOutcome s = smallest_diagram(*filled, control);
  return {reordered(*found.table, s.table.order()), s.diagram, {}, s.proven || !control.stopping()};
}

// The engine's table, and those of all other sets of as few errors if they are asked for.
Result<std::vector<TruthTable>> tables_to_shrink(const Task& task, const EngineAnswer& found, const Control& control,
                                                 bool& complete) {
  std::vector<TruthTable> tables = {*found.table};
  const bool all_optima = task.request.only_of<ForSearch>().all_optima;
  complete = !all_optima || found.status == SolveStatus::optimal;
  if (!all_optima || !complete) return tables;
  const SearchOptions o = search_options(task);
  TRY(const auto problem, prepare(task.dataset, o, control));
  TRY(const auto all,
      co_optimal_sets(problem, o, found.table->order(), *found.upper_bound, NearOptions{}.most, control));
  complete = all.complete;
  for (std::size_t i = 1; i < all.sets.size(); ++i) {
    auto table = open_table(task.dataset, all.sets[i], task.cost.costs, control);
    complete = complete && table;
    if (!table) break;
    tables.push_back(*std::move(table));
  }
  return tables;
}

Result<Shaped> by_size(const Task& task, const EngineAnswer& found, const Control& control) {
  bool complete = false;
  TRY(const auto tables, tables_to_shrink(task, found, control, complete));
  const SmallestOutcome s = smallest_diagram(tables, control);
  SizeProof proof;
  proof.lower_bound = complete ? s.lower_bound : 1;
  proof.status = proof.lower_bound == s.diagram.size() ? SolveStatus::optimal : SolveStatus::feasible;
  return Shaped{reordered(tables[s.which], s.table.order()), s.diagram, proof, !control.stopping()};
}

}  // namespace

Result<Shaped> shape(const Task& task, const EngineAnswer& found, const Control& control) {
  require(found.table.has_value(), "shape: a table");
  const Bias bias = task.request.shape.bias;
  if (bias == Bias::size) return by_size(task, found, control);
  if (bias == Bias::neighbours) return by_neighbours(task, found, control);
  if (bias == Bias::solver) return settled(found, found.decided ? *found.decided : fill_by_first(*found.table));
  const auto filled = in_any_case(control, [&](const Control& c) {
    return bias == Bias::majority ? by_majority(task, found, c) : merge_compatible(*found.table, c);
  });
  return filled ? settled(found, *filled) : unsettled(found, filled);
}

}  // namespace beadwork
