#include <beadwork/engine/bias.hpp>

#include <array>
#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/search_options.hpp>

namespace beadwork {
namespace {

TruthTable by_majority(const Dataset& dataset, const std::vector<std::int64_t>& costs, const Found& found) {
  TruthTable filled = fill_by_branch(*found.table, cell_merits(dataset, found.table->order(), costs));
  const bool lost = found.root_is_bead && !is_bead(filled, {0, 0, filled.num_cells()});
  return lost ? *found.decided : filled;
}

// Free cells by their neighbours, then the order in which that function has fewest nodes.
Shaped by_neighbours(const Dataset& dataset, const std::vector<std::int64_t>& costs, const Found& found,
                     const Control& control) {
  const TruthTable filled =
      fill_by_neighbours(*found.table, cell_merits(dataset, found.table->order(), costs));
  if (found.root_is_bead) {
    const bool lost = !is_bead(filled, {0, 0, filled.num_cells()});
    return {*found.table, diagram_of(lost ? *found.decided : filled), {}};
  }
  const SmallestOutcome s = smallest_diagram(filled, control);
  return {reordered(*found.table, s.table.order()), s.diagram, {}};
}

// The engine's table, and those of all other sets of as few errors if they are asked for. False: there are more.
Result<bool> co_optimal_tables(const Dataset& dataset, const Options& options,
                               const std::vector<std::int64_t>& costs, const Found& found,
                               const Control& control, std::vector<TruthTable>& tables) {
  tables.push_back(*found.table);
  if (!options.all_optima) return true;
  if (found.status != SolveStatus::optimal) return false;
  auto o = search_options(dataset, options, control);
  if (!o) return o.error();
  o->start = {found.table->order()};
  NearOptions near;
  near.within = 0;
  const auto sets = search_near(condense(dataset), *o, near, control);
  if (!sets) return sets.error();
  for (const NearSet& s : sets->sets)
    if (s.error == *found.upper_bound && s.features != found.table->order())
      tables.push_back(TruthTable::from_counts(s.features, dataset.num_classes(),
                                               cell_merits(dataset, s.features, costs)));
  return sets->status == SearchStatus::optimal && sets->num_sets == sets->sets.size();
}

Result<Shaped> by_size(const Dataset& dataset, const Options& options, const std::vector<std::int64_t>& costs,
                       const Found& found, const Control& control) {
  std::vector<TruthTable> tables;
  const auto all = co_optimal_tables(dataset, options, costs, found, control, tables);
  if (!all) return all.error();
  const SmallestOutcome s = smallest_diagram(tables, control);
  SizeProof proof;
  proof.lower_bound = *all ? s.lower_bound : 1;
  proof.status = proof.lower_bound == s.diagram.size() ? SolveStatus::optimal : SolveStatus::feasible;
  return Shaped{reordered(tables[s.which], s.table.order()), s.diagram, proof};
}

}  // namespace

std::optional<Bias> parse_bias(std::string_view text) {
  for (const auto& [name, bias] :
       {std::pair{"P", Bias::majority}, std::pair{"C", Bias::merging}, std::pair{"S", Bias::solver},
        std::pair{"N", Bias::neighbours}, std::pair{"size", Bias::size}})
    if (text == name) return bias;
  return std::nullopt;
}

Result<Shaped> shape(const Dataset& dataset, const Options& options, const std::vector<std::int64_t>& costs,
                     const Found& found, const Control& control) {
  const auto bias = parse_bias(options.bias);
  require(bias && found.table, "shape: a bias and a table");
  if (*bias == Bias::size) return by_size(dataset, options, costs, found, control);
  if (*bias == Bias::neighbours) return by_neighbours(dataset, costs, found, control);
  Shaped out;
  out.table = *found.table;
  out.diagram = diagram_of(*bias == Bias::majority  ? by_majority(dataset, costs, found)
                           : *bias == Bias::merging ? merge_compatible(*found.table)
                           : found.decided          ? *found.decided
                                                    : fill_by_first(*found.table));
  return out;
}

}  // namespace beadwork
