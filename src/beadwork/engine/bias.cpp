#include <beadwork/engine/bias.hpp>

#include <array>
#include <beadwork/engine/co_optimal.hpp>
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

// The engine's table, and those of all other sets of as few errors if they are asked for.
Result<std::vector<TruthTable>> tables_to_shrink(const Dataset& dataset, const Options& options,
                                                 const std::vector<std::int64_t>& costs, const Found& found,
                                                 const Control& control, bool& complete) {
  std::vector<TruthTable> tables = {*found.table};
  complete = !options.all_optima || found.status == SolveStatus::optimal;
  if (!options.all_optima || !complete) return tables;
  const auto o = search_options(dataset, options, control);
  if (!o) return o.error();
  const auto all = co_optimal_sets(condense(dataset), *o, found.table->order(), *found.upper_bound,
                                   NearOptions{}.most, control);
  if (!all) return all.error();
  for (std::size_t i = 1; i < all->sets.size(); ++i)
    tables.push_back(TruthTable::from_counts(all->sets[i], dataset.num_classes(),
                                             cell_merits(dataset, all->sets[i], costs)));
  complete = all->complete;
  return tables;
}

Result<Shaped> by_size(const Dataset& dataset, const Options& options, const std::vector<std::int64_t>& costs,
                       const Found& found, const Control& control) {
  bool complete = false;
  const auto tables = tables_to_shrink(dataset, options, costs, found, control, complete);
  if (!tables) return tables.error();
  const SmallestOutcome s = smallest_diagram(*tables, control);
  SizeProof proof;
  proof.lower_bound = complete ? s.lower_bound : 1;
  proof.status = proof.lower_bound == s.diagram.size() ? SolveStatus::optimal : SolveStatus::feasible;
  return Shaped{reordered((*tables)[s.which], s.table.order()), s.diagram, proof};
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
