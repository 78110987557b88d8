#include <beadwork/engine/bias.hpp>
#include <beadwork/engine/co_optimal.hpp>
#include <beadwork/engine/costs.hpp>
#include <beadwork/smallest.hpp>

namespace beadwork {
namespace {

TruthTable by_majority(const Dataset& dataset, const std::vector<std::int64_t>& costs, const Found& found) {
  TruthTable filled = fill_by_branch(*found.table, cell_merits(dataset, found.table->order(), costs));
  const bool lost = found.root_is_bead && !is_bead(filled, {0, 0, filled.num_cells()});
  return lost ? *found.decided : filled;
}

// Free cells by their neighbours, then the order in which that function has fewest nodes; by majority where a limit
// comes first.
Shaped by_neighbours(const Dataset& dataset, const std::vector<std::int64_t>& costs, const Found& found,
                     const Control& control) {
  const auto filled = fill_by_neighbours(*found.table, cell_merits(dataset, found.table->order(), costs), control);
  if (!filled) return {*found.table, diagram_of(by_majority(dataset, costs, found)), {}, false};  // no time for more
  if (found.root_is_bead) {
    const bool lost = !is_bead(*filled, {0, 0, filled->num_cells()});
    return {*found.table, diagram_of(lost ? *found.decided : *filled), {}, true};
  }
  const SmallestOutcome s = smallest_diagram(*filled, control);
  return {reordered(*found.table, s.table.order()), s.diagram, {}, s.proven || !control.stopping()};
}

// The engine's table, and those of all other sets of as few errors if they are asked for.
Result<std::vector<TruthTable>> tables_to_shrink(const Task& task, const Found& found, const Control& control,
                                                 bool& complete) {
  std::vector<TruthTable> tables = {*found.table};
  const bool all_optima = task.request.only_of<ForSearch>().all_optima;
  complete = !all_optima || found.status == SolveStatus::optimal;
  if (!all_optima || !complete) return tables;
  const SearchOptions o = search_options(task);
  TRY(const auto problem, prepare(task.dataset, o, control));
  TRY(const auto all,
      co_optimal_sets(problem, o, found.table->order(), *found.upper_bound, NearOptions{}.most, control));
  for (std::size_t i = 1; i < all.sets.size(); ++i)
    tables.push_back(TruthTable::from_counts(all.sets[i], task.dataset.num_classes(),
                                             cell_merits(task.dataset, all.sets[i], task.cost.costs)));
  complete = all.complete;
  return tables;
}

Result<Shaped> by_size(const Task& task, const Found& found, const Control& control) {
  bool complete = false;
  TRY(const auto tables, tables_to_shrink(task, found, control, complete));
  const SmallestOutcome s = smallest_diagram(tables, control);
  SizeProof proof;
  proof.lower_bound = complete ? s.lower_bound : 1;
  proof.status = proof.lower_bound == s.diagram.size() ? SolveStatus::optimal : SolveStatus::feasible;
  return Shaped{reordered(tables[s.which], s.table.order()), s.diagram, proof, !control.stopping()};
}

}  // namespace

Result<Shaped> shape(const Task& task, const Found& found, const Control& control) {
  require(found.table.has_value(), "shape: a table");
  const Bias bias = task.request.shape.bias;
  if (bias == Bias::size) return by_size(task, found, control);
  if (bias == Bias::neighbours) return by_neighbours(task.dataset, task.cost.costs, found, control);
  Shaped out;
  out.table = *found.table;
  out.diagram = diagram_of(bias == Bias::majority  ? by_majority(task.dataset, task.cost.costs, found)
                           : bias == Bias::merging ? merge_compatible(*found.table)
                           : found.decided         ? *found.decided
                                                   : fill_by_first(*found.table));
  return out;
}

}  // namespace beadwork
